/**
 * Reports uncaught errors of the page by name and position in the script. Never reports an error's
 * message, which could hold content.
 */
export function reportPageErrors(report: (where: string) => void): void {
  window.addEventListener("error", (event) => {
    // No exception: a ResizeObserver changed the size of another observed element, which is observed
    // in the next frame. https://drafts.csswg.org/resize-observer/#deliver-resize-error
    if (event.error === null && event.message.startsWith("ResizeObserver loop")) return;
    report(`error: ${nameOf(event.error)} at ${event.lineno}:${event.colno}`);
  });
  window.addEventListener("unhandledrejection", (event) => {
    report(`rejection: ${nameOf(event.reason)}`);
  });
}

function nameOf(error: unknown): string {
  return error instanceof Error && /^\w{1,40}$/.test(error.name) ? error.name : "unknown";
}
