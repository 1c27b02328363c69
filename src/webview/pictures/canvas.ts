/** Returns the context of a new canvas; throws if there is no memory for it. */
export function newCanvas(
  width: number,
  height: number,
  settings?: CanvasRenderingContext2DSettings,
) {
  const context = new OffscreenCanvas(width, height).getContext("2d", settings);
  if (context === null) throw new Error("no memory for a canvas");
  return context;
}
