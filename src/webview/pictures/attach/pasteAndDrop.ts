/**
 * Receives what is pasted, dropped from the system, or dropped from VS Code's explorer or tabs (with
 * Shift held, which passes the drop to a webview), and pictures that a command reads from the clipboard.
 * Pictures, files and folders become attachments, and so do long texts and code copied in an editor.
 */
import { t } from "@vscode/l10n";
import { signal } from "@preact/signals";
import { fromBase64 } from "../../../base/base64";
import { traceIn, type Trace } from "../../../markdown/tracePlaces";
import type { Disposable } from "../../../base/disposables";
import { MAX_QUESTION_LENGTH } from "../../../protocol/actions";
import type { ClientPlatform } from "../../../protocol/pictureMessages";
import type { Host } from "../../state/host";
import type { ComposerDraft } from "../../state/draft";
import type { PanelStore } from "../../state/store";
import { named, readClipboardPictures } from "./clipboardPictures";
import type { PagePictures } from "../pagePictures";
import { isOnlyNames } from "./fileNames";

/**
 * Types of URI lists, VS Code's own first: in its drops the standard list holds a single file only.
 */
const URI_LISTS = ["application/vnd.code.uri-list", "text/uri-list"];

/** Timeout of the wait for focus before the clipboard is read anyway, in milliseconds. */
const FOCUS_WAIT_MS = 3_000;

/** Web address whose path ends with a picture's file extension. */
const PICTURE_ADDRESS =
  /^https?:\/\/[^\s?#]+\.(?:png|jpe?g|gif|webp|bmp|avif|svg)(?:[?#][^\s]*)?$/i;

/** Type that VS Code adds to the clipboard when code is copied in an editor. */
const EDITOR_DATA = "vscode-editor-data";

/** Sizes from which pasted text becomes an attachment, in lines and in UTF-16 units. */
const LONG_PASTE_LINES = 60;
const LONG_PASTE_LENGTH = 6_000;

/** Upper limit of a text file that is dropped from another program, in bytes. */
const MAX_DROPPED_TEXT_BYTES = 1024 * 1024;

/** Picture as a `data:` URL, as browsers' developer tools copy it. */
const DATA_ADDRESS = /^\s*data:image\/[\w.+-]{1,40}(?:;[\w=.-]{1,80})*;base64,/i;

export class PasteAndDrop implements Disposable {
  private readonly controller = new AbortController();
  /** True while files are dragged over the page. */
  readonly isDragging = signal(false);

  constructor(
    private readonly pictures: PagePictures,
    private readonly store: PanelStore,
    private readonly host: Host,
    private readonly draft: ComposerDraft,
  ) {
    const listening = { signal: this.controller.signal };
    document.addEventListener("paste", (event) => this.paste(event), listening);
    document.addEventListener("dragover", (event) => this.dragOver(event), listening);
    document.addEventListener("dragleave", (event) => this.dragLeave(event), listening);
    document.addEventListener("drop", (event) => this.drop(event), listening);
    store.on("clipboard-picture-asked", () => void this.readClipboard());
    store.on("screenshot-wanted", () => takeScreenshot(store, host, draft));
  }

  dispose(): void {
    this.controller.abort(new Error("the page goes"));
  }

  private paste(event: ClipboardEvent): void {
    const data = event.clipboardData;
    if (data === null) return;
    const files = [...data.files];
    const text = data.getData("text/plain");
    const lines = text.replace(/\n$/, "").split("\n").length;
    // Other text fields receive the text; spreadsheets add a picture of the text that the user means.
    if (isOnlyNames(data) && (text.trim() === "" || !isOtherField(event.target))) {
      event.preventDefault();
      this.draft.dismissRefusals();
      this.attachFiles(named(files));
      this.draft.focus();
    } else if (isComposer(event.target) && DATA_ADDRESS.test(text)) {
      const picture = pictureIn(text);
      if (picture === undefined) return;
      event.preventDefault();
      this.draft.dismissRefusals();
      void this.pictures.attaching.attach(named([picture]));
    } else if (PICTURE_ADDRESS.test(text.trim())) {
      const isAlone = isComposer(event.target) && this.draft.text.peek().trim() === "";
      if (isAlone && this.attachAddress(text.trim())) event.preventDefault();
    } else if (isComposer(event.target) && data.types.includes(EDITOR_DATA) && lines > 1) {
      event.preventDefault();
      void this.pictures.attaching.track(this.attachText(text, lines, "editor"), false);
    } else if (isComposer(event.target) && (isLong(text, lines) || (lines > 1 && traceIn(text)))) {
      event.preventDefault();
      void this.pictures.attaching.track(this.attachText(text, lines, "clipboard"), false);
    }
  }

  /**
   * Attaches pasted text. Code from an editor that is in no open file is treated as any other text, and
   * text that the host does not attach is inserted. Resolves to true: the question has the text.
   */
  private async attachText(
    text: string,
    lines: number,
    origin: "editor" | "clipboard",
  ): Promise<boolean> {
    const trace = traceIn(text);
    const name = trace ? nameOf(trace) : t("Pasted text ({0} lines)", lines);
    const isAttached = await this.offerText(name, text, origin);
    if (isAttached) {
      this.draft.focus();
      if (trace && origin === "clipboard") void this.draft.offerPlaces(text);
      return true;
    }
    if (origin === "editor" && (isLong(text, lines) || trace)) {
      return this.attachText(text, lines, "clipboard");
    }
    this.draft.focus();
    insertText(text);
    return true;
  }

  private async offerText(
    name: string,
    text: string,
    origin: "editor" | "clipboard" | "file",
  ): Promise<boolean> {
    if (text.length > MAX_QUESTION_LENGTH) return false;
    const conversationId = await this.store.shownId();
    const offered = { type: "text-offered" as const, conversationId, name, text, origin };
    return this.host.request(offered).then(
      ({ isAccepted }) => isAccepted,
      () => false,
    );
  }

  /**
   * Attaches the text of files from other programs; names each file that is no text. Returns false unless each file is attached.
   */
  private async attachTextFiles(files: readonly File[]): Promise<boolean> {
    const refused: string[] = [];
    let areAttached = true;
    for (const file of files) {
      const text = await textOf(file);
      if (text === undefined) refused.push(file.name);
      else if (!(await this.offerText(file.name, text, "file"))) areAttached = false;
    }
    if (refused.length > 0) {
      this.draft.showWarning(
        t(
          "Not attached: {0}. Only pictures and text files of up to 1 MB can be added from outside VS Code.",
          refused.join(", "),
        ),
      );
    }
    this.draft.focus();
    return areAttached && refused.length === 0;
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
    this.isDragging.value = true;
    if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
  }

  private dragLeave({ relatedTarget }: DragEvent): void {
    // Null outside of the page; else the pointer went from one element to another.
    if (relatedTarget === null) this.isDragging.value = false;
  }

  private drop(event: DragEvent): void {
    this.isDragging.value = false;
    const data = event.dataTransfer;
    if (data === null) return;
    const files = [...data.files];
    const list = URI_LISTS.map((type) => data.getData(type)).find((found) => found !== "") ?? "";
    const uris = list.split(/\r?\n/).filter((line) => line !== "" && !/^(?:#|blob:)/i.test(line));
    if (files.length === 0 && uris.length === 0) return;
    event.preventDefault();
    this.draft.dismissRefusals();
    if (files.length > 0) this.attachFiles(files);
    else void this.attachUris(uris);
    this.draft.focus();
  }

  attachFiles(files: readonly File[]): void {
    const pictures = files.filter(isPicture);
    const texts = files.filter((file) => !pictures.includes(file));
    void this.pictures.attaching.attach(pictures);
    if (texts.length > 0) void this.pictures.attaching.track(this.attachTextFiles(texts), false);
  }

  private async attachUris(uris: readonly string[]): Promise<void> {
    const conversationId = await this.store.shownId();
    if (uris.every((uri) => PICTURE_ADDRESS.test(uri)))
      uris.forEach((uri) => this.attachAddress(uri));
    else this.draft.attach({ type: "files-dropped", conversationId, uris: uris.slice(0, 100) });
  }

  private async readClipboard(): Promise<void> {
    try {
      await untilFocused();
      const files = await readClipboardPictures();
      if (files.length > 0) void this.pictures.attaching.attach(files);
      else
        this.draft.showWarning(t("There is no picture on the clipboard. Copy one and try again."));
    } catch {
      this.draft.showWarning(t("Could not read the clipboard. Paste the picture here instead."));
    }
  }
}

/** Inserts text at the caret, as an edit that Ctrl+Z undoes. */
export function insertText(text: string): void {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- no other API keeps the undo stack
  document.execCommand("insertText", false, text);
}

/** Asks the host for a screenshot. */
export function takeScreenshot(store: PanelStore, host: Host, draft: ComposerDraft): void {
  const conversationId = store.conversationId.peek();
  if (conversationId === undefined) return;
  draft.dismissRefusals();
  draft.focus();
  host.send({ type: "screenshot-asked", conversationId, platform: clientPlatform() });
}

function clientPlatform(): ClientPlatform {
  // The successor, userAgentData, is not in all browsers.
  const { platform, userAgent } = navigator;
  if (/^Mac/.test(platform)) return "mac";
  if (/^Win/.test(platform)) return "windows";
  return /^Linux/.test(platform) && !/Android/.test(userAgent) ? "linux" : "other";
}

/** Waits for focus: browsers let only a focused page read the clipboard. */
async function untilFocused(): Promise<void> {
  if (document.hasFocus()) return;
  await new Promise<unknown>((resolve) => {
    addEventListener("focus", resolve, { once: true });
    setTimeout(resolve, FOCUS_WAIT_MS);
  });
}

function nameOf({ name = t("Error output"), places }: Trace): string {
  return places.length === 1
    ? t("{0} · 1 place", name)
    : t("{0} · {1} places", name, places.length);
}

/** Includes formats that the host refuses by name, as TIFF; systems name the type of few of them. */
function isPicture({ type, name }: File): boolean {
  return type.startsWith("image/") || /\.(?:heic|heif|tiff?|jxl|psd|ico)$/i.test(name);
}

function isLong(text: string, lines: number): boolean {
  return lines > LONG_PASTE_LINES || text.length > LONG_PASTE_LENGTH;
}

/** Returns the text of a file; undefined for a folder, a large file or one that is not UTF-8 text. */
async function textOf(file: File): Promise<string | undefined> {
  if (file.size > MAX_DROPPED_TEXT_BYTES) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
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

function isOtherField(target: EventTarget | null): boolean {
  const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  return isField && !isComposer(target);
}
