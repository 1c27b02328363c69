/**
 * Takes a screenshot with the tool of the machine that shows VS Code. Where no tool can be started
 * from here, names the keys of the system's own tool; its picture arrives by the clipboard.
 */
import * as vscode from "vscode";
import type { PictureFile } from "../../chat/view/editorContext";
import { MAX_PICTURE_BYTES } from "../../pictures/validateImage";
import type { ClientPlatform } from "../../protocol/pictureMessages";
import type { NoticeView } from "../../protocol/views";
import { info, warning } from "../messages/notices";
import { captureScreen } from "../node/captureScreen";

/** Address of the Snipping Tool, which puts its picture on the clipboard. */
const SNIPPING_TOOL = "ms-screenclip:";

/** Remote names of windows whose server is usually this machine. */
const LOOPBACK_NAME = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

export async function takeScreenshot(
  platform: ClientPlatform,
  signal: AbortSignal,
): Promise<PictureFile | NoticeView | undefined> {
  if (platform === "windows") {
    // VS Code opens the address on the machine that shows its window, also for a remote one.
    const isOpened = await vscode.env.openExternal(vscode.Uri.parse(SNIPPING_TOOL));
    const text = vscode.l10n.t("Select a part of the screen, then paste the picture here.");
    return isOpened ? info(text) : withoutTool(platform);
  }
  if (!isOwnMachine()) return withoutTool(platform);
  const capture = await captureScreen(platform, MAX_PICTURE_BYTES, signal);
  switch (capture.kind) {
    case "captured":
      return { name: nameOf(new Date()), bytes: capture.bytes };
    case "canceled":
      return undefined;
    case "no-tool":
      return withoutTool(platform);
    case "failed":
      return advice(vscode.l10n.t("{0} could not take a screenshot.", capture.tool), platform);
    default:
      return capture satisfies never;
  }
}

/** True unless the host runs on another machine than the window. */
function isOwnMachine(): boolean {
  const { remoteName, uiKind } = vscode.env;
  if (remoteName === undefined) return uiKind === vscode.UIKind.Desktop;
  return LOOPBACK_NAME.test(remoteName);
}

function withoutTool(platform: ClientPlatform): NoticeView {
  return advice(vscode.l10n.t("VS Code could not open a screenshot tool."), platform);
}

function advice(problem: string, platform: ClientPlatform): NoticeView {
  return warning(vscode.l10n.t("{0} {1}", problem, keysOf(platform)));
}

/** Returns the sentence with the keys of the system's own tool. */
function keysOf(platform: ClientPlatform): string {
  const sentences: Readonly<Record<ClientPlatform, string>> = {
    mac: vscode.l10n.t(
      "Press Control+Shift+Command+4 to copy part of the screen, then paste it here.",
    ),
    windows: vscode.l10n.t("Press Windows+Shift+S to copy part of the screen, then paste it here."),
    linux: vscode.l10n.t(
      "Press Print Screen to capture part of the screen, copy the picture, then paste it here.",
    ),
    other: vscode.l10n.t("Take a screenshot with your device and attach the file."),
  };
  return sentences[platform];
}

/** "Screenshot 14.02.33.png": colons are not allowed in file names. */
function nameOf(time: Date): string {
  const parts = [time.getHours(), time.getMinutes(), time.getSeconds()];
  const clock = parts.map((part) => String(part).padStart(2, "0")).join(".");
  return `${vscode.l10n.t("Screenshot {0}", clock)}.png`;
}
