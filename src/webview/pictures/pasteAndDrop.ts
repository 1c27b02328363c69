/**
 * Receives pictures in the webview: pasted, dropped from the system, dropped from VS Code's explorer or
 * tabs (with Shift held, which passes the drop to a webview), or read from the clipboard by command.
 */
import { t } from "@vscode/l10n";
import { fromBase64 } from "../../base/base64";
import type { Disposable } from "../../base/disposables";
import type { Host } from "../state/host";
import type { ComposerDraft } from "../state/draft";
import type { PanelStore } from "../state/store";
import type { PagePictures } from "./pagePictures";

/**
 * Types of URI lists, VS Code's own first: in its drops the standard list holds a single file only.
 */
const URI_LISTS = ["application/vnd.code.uri-list", "text/uri-list"];

/** Timeout of the wait for focus before the clipboard is read anyway, in milliseconds. */
const FOCUS_WAIT_MS = 3_000;

/** Web address whose path ends with a picture's file extension. */
const PICTURE_ADDRESS = /^https?:\/\/[^\s]+\.(?:png|jpe?g|gif|webp|bmp|avif|svg)(?:[?#][^\s]*)?$/i;

/** Picture as a `data:` URL, as browsers' developer tools copy it. */
const DATA_ADDRESS = /^\s*data:image\/[\w.+-]{1,40}(?:;[\w=.-]{1,80})*;base64,/i;

export class PasteAndDrop implements Disposable {
  private readonly controller = new AbortController();

  constructor(
    private readonly pictures: PagePictures,
    private readonly store: PanelStore,
    private readonly host: Host,
    private readonly draft: ComposerDraft,
  ) {
    const { signal } = this.controller;
    document.addEventListener("paste", (event) => this.paste(event), { signal });
    document.addEventListener("dragover", (event) => this.dragOver(event), { signal });
    document.addEventListener("drop", (event) => this.drop(event), { signal });
    store.on("clipboard-picture-asked", () => void this.readClipboard());
  }

  dispose(): void {
    this.controller.abort(new Error("the page goes"));
  }

  private paste(event: ClipboardEvent): void {
    const data = event.clipboardData;
    if (data === null) return;
    const files = picturesOf(data.files);
    const text = data.getData("text/plain");
    // Spreadsheets and word processors add a picture of the copied text; the user means the text.
    if (files.length > 0 && text.trim() === "") {
      event.preventDefault();
      this.draft.dismissRefusals();
      this.pictures.attach(named(files));
      this.draft.focus();
    } else if (isComposer(event.target) && DATA_ADDRESS.test(text)) {
      const picture = pictureIn(text);
      if (picture === undefined) return;
      event.preventDefault();
      this.draft.dismissRefusals();
      this.pictures.attach(named([picture]));
    } else if (PICTURE_ADDRESS.test(text.trim())) {
      const isAlone = isComposer(event.target) && this.draft.text.peek().trim() === "";
      if (isAlone && this.attachAddress(text.trim())) event.preventDefault();
    }
  }

  private attachAddress(url: string): boolean {
    const conversationId = this.store.conversationId.peek();
    if (conversationId === undefined) return false;
    this.host.send({ type: "picture-address-attached", conversationId, url });
    return true;
  }

  private dragOver(event: DragEvent): void {
    const types = event.dataTransfer?.types ?? [];
    if (!types.includes("Files") && !URI_LISTS.some((type) => types.includes(type))) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
  }

  private drop(event: DragEvent): void {
    const data = event.dataTransfer;
    const conversationId = this.store.conversationId.peek();
    if (data === null || conversationId === undefined) return;
    const files = [...data.files];
    const list = URI_LISTS.map((type) => data.getData(type)).find((found) => found !== "") ?? "";
    const uris = list.split(/\r?\n/).filter((line) => line !== "" && !/^(?:#|blob:)/i.test(line));
    if (files.length === 0 && uris.length === 0) return;
    event.preventDefault();
    this.draft.dismissRefusals();
    if (files.length > 0) this.pictures.attach(files);
    else if (uris.every((uri) => PICTURE_ADDRESS.test(uri)))
      uris.forEach((uri) => this.attachAddress(uri));
    else this.host.send({ type: "files-dropped", conversationId, uris: uris.slice(0, 100) });
    this.draft.focus();
  }

  private async readClipboard(): Promise<void> {
    try {
      await untilFocused();
      const items = await navigator.clipboard.read();
      const files: File[] = [];
      for (const item of items) {
        const type = item.types.find((name) => name.startsWith("image/"));
        if (type !== undefined) files.push(new File([await item.getType(type)], "", { type }));
      }
      if (files.length > 0) this.pictures.attach(named(files));
      else
        this.draft.showWarning(t("There is no picture on the clipboard. Copy one and try again."));
    } catch {
      this.draft.showWarning(t("The clipboard could not be read. Paste the picture here instead."));
    }
  }
}

/** Waits for focus: browsers let only a focused page read the clipboard. */
async function untilFocused(): Promise<void> {
  if (document.hasFocus()) return;
  await new Promise<unknown>((resolve) => {
    addEventListener("focus", resolve, { once: true });
    setTimeout(resolve, FOCUS_WAIT_MS);
  });
}

function picturesOf(files: FileList): File[] {
  return [...files].filter(({ type }) => type.startsWith("image/"));
}

/** Names pictures from the clipboard, which browsers all name alike. */
function named(files: readonly File[]): File[] {
  return files.map((file, index) => {
    if (file.name !== "" && file.name !== "image.png") return file;
    const number = files.length === 1 ? "" : ` ${index + 1}`;
    return new File([file], `${t("Pasted picture")}${number}`, { type: file.type });
  });
}

/** Returns the picture of a `data:` URL; undefined for invalid base64. */
function pictureIn(text: string): File | undefined {
  const address = text.trim();
  const comma = address.indexOf(",");
  const bytes = fromBase64(address.slice(comma + 1).replace(/\s+/g, ""));
  const [, type = ""] = /^data:([^;,]+)/i.exec(address) ?? [];
  return bytes && new File([bytes], "", { type });
}

function isComposer(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement && target.classList.contains("composer-text");
}
