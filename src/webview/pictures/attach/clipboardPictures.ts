/** Reads pictures from the clipboard. Only a focused page can read it. */
import { t } from "@vscode/l10n";

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
