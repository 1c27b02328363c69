/** Commands that change the text size of the panel. */
import { readSettings, writeSetting } from "./settings";

/** Limits of the setting, in pixels. */
const MIN_SIZE_PX = 8;
const MAX_SIZE_PX = 32;

/** Size of the text in VS Code's webviews, in pixels. */
const VSCODE_SIZE_PX = 13;

/** Changes the text size by a step in pixels, within the limits. */
export async function changeTextSize(stepPx: number): Promise<void> {
  const { fontSize } = readSettings().settings;
  const size = (fontSize === 0 ? VSCODE_SIZE_PX : fontSize) + stepPx;
  await writeSetting("fontSize", Math.min(MAX_SIZE_PX, Math.max(MIN_SIZE_PX, size)));
}

/** Resets the text size to that of VS Code. */
export function resetTextSize(): Promise<void> {
  return writeSetting("fontSize", undefined);
}
