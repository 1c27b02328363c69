/**
 * Identifies Core Chat's webviews in a VS Code window: the panel's and the editor tab's. VS Code
 * places all webviews above its page, and only the first showing of one names its extension and
 * purpose in the frame's address (seen in 1.106 and 1.139), so this goes by where a frame is.
 */
import { selectors } from "playwright-core";

/** Playwright selectors; what they find changes as windows do. */
export const PANEL_FRAME = "coreChatFrame=panel";
export const EDITOR_FRAME = "coreChatFrame=editor";

/**
 * Playwright takes a name once a process, and every built test file has this module's code in it:
 * shared state is on the process itself.
 *
 * @type {Record<symbol, Promise<void> | undefined>}
 */
const shared = /** @type {any} */ (globalThis);
const REGISTERED = Symbol.for("core-chat.chatFrames");

/** Makes the selectors known to Playwright; has to be called before a page is opened. */
export function registerChatFrames() {
  return (shared[REGISTERED] ??= selectors.register("coreChatFrame", createEngine));
}

/** Runs in the page, so it uses nothing from this file. */
function createEngine() {
  /** @param {Element} frame */
  const placeOf = (frame) => {
    const { left, top, width, height } = frame.getBoundingClientRect();
    if (width === 0 || height === 0 || !frame.checkVisibility({ visibilityProperty: true })) {
      return "nowhere";
    }
    const editors = document.querySelector(".part.editor")?.getBoundingClientRect();
    const x = left + width / 2;
    const y = top + height / 2;
    const isAmongEditors =
      editors !== undefined &&
      editors.left <= x &&
      x <= editors.right &&
      editors.top <= y &&
      y <= editors.bottom;
    return isAmongEditors ? "editor" : "panel";
  };
  return {
    /**
     * @param {ParentNode} root
     * @param {string} place
     */
    query(root, place) {
      return this.queryAll(root, place)[0] ?? null;
    },
    /**
     * @param {ParentNode} root
     * @param {string} place
     */
    queryAll(root, place) {
      const frames = [...root.querySelectorAll("iframe.webview")];
      return frames.filter((frame) => placeOf(frame) === place);
    },
  };
}
