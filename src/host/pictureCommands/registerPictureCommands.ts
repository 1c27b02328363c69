import * as vscode from "vscode";
import type { ChatSession } from "../../chat/session";
import type { ActiveChat } from "../panel/activeChat";
import type { ChatView } from "../panel/chatView";
import type { CommandHandlers } from "../platform/contributions";

export function registerPictureCommands(view: ChatView, activeChat: ActiveChat) {
  const focusAndPost = (type: "clipboard-picture-asked" | "screenshot-wanted") => {
    return (session: ChatSession) => {
      session.focus();
      session.post({ type });
    };
  };
  return {
    askImage: (clicked, selected) => askAboutImages(view, clicked, selected),
    askClipboardImage: () => view.revealAnd(focusAndPost("clipboard-picture-asked")),
    takeScreenshot: () => activeChat.revealAnd(focusAndPost("screenshot-wanted")),
  } satisfies Partial<CommandHandlers>;
}

/**
 * Attaches pictures and shows the panel.
 * @param clicked clicked item, or the URI from a link of this extension
 * @param selected all selected items of the explorer
 */
async function askAboutImages(view: ChatView, clicked: unknown, selected: unknown): Promise<void> {
  const chosen = Array.isArray(selected) && selected.length > 0 ? selected : [clicked];
  let addresses = chosen.flatMap(addressOf);
  if (addresses.length === 0) addresses = activeTab();
  const webAddresses = addresses.filter((address) => /^https?:/i.test(address));
  const fileAddresses = addresses.filter((address) => !webAddresses.includes(address));
  const { pickPictures, readPictures } = await import("../pictures/pictureFiles");
  const files = addresses.length === 0 ? await pickPictures() : await readPictures(fileAddresses);
  if (files.length === 0 && webAddresses.length === 0) return;
  await view.revealAnd((session) => session.attachPictures(files, webAddresses));
}

function addressOf(named: unknown): string[] {
  if (named instanceof vscode.Uri) return [named.toString()];
  return typeof named === "string" ? [named] : [];
}

/** Returns the URI of the picture in the active tab; empty for other tabs. */
function activeTab(): string[] {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const isPreview =
    input instanceof vscode.TabInputCustom && input.viewType.startsWith("imagePreview.");
  if (isPreview) return [input.uri.toString()];
  const isDrawing = input instanceof vscode.TabInputText && /\.svg$/i.test(input.uri.path);
  return isDrawing ? [input.uri.toString()] : [];
}
