/** Reads pictures from the clipboard. Only a focused page can read it. */
import { t } from "@vscode/l10n";

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

/** Attaches the picture that a screenshot tool of Windows puts on the clipboard. */
export class ClipboardWatch {
  /** Digest of the clipboard before the tool was opened; undefined unless a picture is expected. */
  private digestBefore: string | undefined;

  constructor(private readonly attachFiles: (files: readonly File[]) => void) {}

  /** Call before the tool is opened. */
  async expectPicture(): Promise<void> {
    this.digestBefore = (await this.read())?.digest;
  }

  /** Attaches the expected picture because the page got the focus again. */
  async check(): Promise<void> {
    const { digestBefore } = this;
    this.digestBefore = undefined;
    for (let attempt = 0; digestBefore !== undefined && attempt < EXPECTED_READS; attempt++) {
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, EXPECTED_DELAY_MS));
      const { picture, digest } = (await this.read()) ?? {};
      if (picture === undefined || digest === digestBefore) continue;
      this.attachFiles([picture]);
      return;
    }
  }

  /** Returns the picture on the clipboard, if any; undefined if it cannot be read without a question. */
  private async read(): Promise<{ picture?: File; digest: string } | undefined> {
    try {
      // A name of the Permissions API that TypeScript's types do not have.
      const name = "clipboard-read" as PermissionName;
      const { state } = await navigator.permissions.query({ name });
      if (state !== "granted" || !document.hasFocus()) return undefined;
      const [picture] = await readClipboardPictures();
      return picture === undefined ? { digest: "" } : { picture, digest: await digestOf(picture) };
    } catch {
      return undefined;
    }
  }
}

async function digestOf(picture: File): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await picture.arrayBuffer());
  return [...new Uint8Array(digest)].join();
}
