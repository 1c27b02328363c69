/**
 * Reports what breaks in the page by name and place in our own script; never a message, which
 * might hold what was asked or answered.
 */

/** Listens for the life of the page. */
export function reportPageErrors(report: (where: string) => void): void {
  window.addEventListener("error", (event) => {
    report(`error: ${nameOf(event.error)} at ${event.lineno}:${event.colno}`);
  });
  window.addEventListener("unhandledrejection", (event) => {
    report(`rejection: ${nameOf(event.reason)}`);
  });
}

function nameOf(error: unknown): string {
  return error instanceof Error && /^\w{1,40}$/.test(error.name) ? error.name : "unknown";
}
