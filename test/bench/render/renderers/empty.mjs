/** Renders nothing, to measure the cost of the page, its frames and the pieces alone. */
export function start() {
  return { append() {}, end() {} };
}
