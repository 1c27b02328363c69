/**
 * Writes text and HTML to the clipboard; false if the browser refuses. `navigator.clipboard` would
 * remove the style that keeps line breaks within a cell.
 */
export function writeClipboard(text: string, html?: string): boolean {
  const write = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text);
    if (html !== undefined) event.clipboardData?.setData("text/html", html);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener("copy", write, { capture: true });
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- no other API keeps the HTML as it is
  const isDone = document.execCommand("copy");
  document.removeEventListener("copy", write, { capture: true });
  return isDone;
}
