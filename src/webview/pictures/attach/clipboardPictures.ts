/**
 * Reads pictures from the clipboard, and offers a picture that is new there when the page gets the
 * focus. Only a focused page can read the clipboard.
 */
import { t } from "@vscode/l10n";
import { signal } from "@preact/signals";

/** Number and delay of the reads until the Snipping Tool has put its picture on the clipboard. */
export const EXPECTED_READS = 12;
const EXPECTED_DELAY_MS = 150;

/** Reads the pictures on the clipboard; rejects if the browser does not allow that. */
export async function readClipboardPictures(): Promise<File[]> {
  const items = await navigator.clipboard.read();
  const files: File[] = [];
  for (const item of items) {
    const type = item.types.find((name) => name.startsWith("image/"));
    if (type !== undefined) files.push(new File([await item.getType(type)], "", { type }));
  }
  return named(files);
}

/** Names pictures from the clipboard, which browsers all name alike. */
export function named(files: readonly File[]): File[] {
  return files.map((file, index) => {
    if (file.name !== "" && file.name !== "image.png") return file;
    const number = files.length === 1 ? "" : ` ${index + 1}`;
    return new File([file], `${t("Pasted picture")}${number}`, { type: file.type });
  });
}

/** Picture on the clipboard that the user may want to attach. */
export class ClipboardOffer {
  /** A picture that was not on the clipboard before; undefined once it is attached or dismissed. */
  readonly picture = signal<File | undefined>(undefined);
  /** Digest of the picture that was last seen; empty without a picture, undefined before a read. */
  private seen: string | undefined;
  private isExpected = false;
  private checking: Promise<unknown> = Promise.resolve();

  constructor(private readonly attachFiles: (files: readonly File[]) => void) {}

  /** Checks the clipboard because the page got the focus. */
  check(): Promise<void> {
    return this.inTurn(async () => {
      const { isExpected } = this;
      this.isExpected = false;
      let picture = await this.readNew();
      for (let read = 1; isExpected && picture === undefined && read < EXPECTED_READS; read++) {
        await new Promise((resolve) => setTimeout(resolve, EXPECTED_DELAY_MS));
        picture = await this.readNew();
      }
      if (isExpected && picture) this.attachFiles([picture]);
      else if (picture !== undefined || this.seen === "") this.picture.value = picture;
    });
  }

  /** Treats the picture that is on the clipboard now as known, because the user copied or pasted it. */
  markSeen(): Promise<void> {
    this.picture.value = undefined;
    return this.inTurn(() => this.read());
  }

  /** Attaches the next new picture without an offer: the user has opened a tool that copies one. */
  async expectPicture(): Promise<void> {
    await this.markSeen();
    this.isExpected = true;
  }

  attach(): void {
    const picture = this.picture.peek();
    this.picture.value = undefined;
    if (picture) this.attachFiles([picture]);
  }

  dismiss(): void {
    this.picture.value = undefined;
  }

  /** Returns the picture on the clipboard if the last read found another one, or none. */
  private async readNew(): Promise<File | undefined> {
    const before = this.seen;
    const picture = await this.read();
    return before === undefined || this.seen === before ? undefined : picture;
  }

  /** Returns the picture on the clipboard and stores its digest; asks the user for no permission. */
  private async read(): Promise<File | undefined> {
    // A name of the Permissions API that TypeScript's types do not have.
    const name = "clipboard-read" as PermissionName;
    const { state } = await navigator.permissions.query({ name });
    if (state !== "granted" || !document.hasFocus()) return undefined;
    const [picture] = await readClipboardPictures();
    this.seen = picture === undefined ? "" : await digestOf(picture);
    return picture;
  }

  /** Runs reads one after the other; a clipboard that cannot be read offers nothing. */
  private inTurn(run: () => Promise<unknown>): Promise<void> {
    const turn = this.checking.then(run).then(
      () => undefined,
      () => undefined,
    );
    this.checking = turn;
    return turn;
  }
}

async function digestOf(picture: File): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await picture.arrayBuffer());
  return [...new Uint8Array(digest)].join();
}
