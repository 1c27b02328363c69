/**
 * Identifies Core Chat's webviews, the panel and the editor tab, by their position: VS Code renders
 * webviews above its page, and only the first display of a webview has its extension and purpose in
 * the frame's address (observed in 1.106 and 1.139).
 */
import { selectors } from "playwright-core";

/** Playwright selectors; their results change with the windows. */
export const PANEL_FRAME = "coreChatFrame=panel";
export const EDITOR_FRAME = "coreChatFrame=editor";

/**
 * Registration state, stored on the process: Playwright accepts a selector name once per process,
 * and every built test file contains a copy of this module.
 *
 * @type {Record<symbol, Promise<void> | undefined>}
 */
const shared = /** @type {any} */ (globalThis);
const REGISTERED = Symbol.for("core-chat.chatFrames");

/** Registers the selectors with Playwright; call this before a page opens. */
export function registerChatFrames() {
  return (shared[REGISTERED] ??= selectors.register("coreChatFrame", createEngine));
}

/** Runs in the page, so uses nothing from this file. */
function createEngine() {
  /** @param {Element} frame */
  const areaOf = (frame) => {
    const { left, top, width, height } = frame.getBoundingClientRect();
    if (width === 0 || height === 0 || !frame.checkVisibility({ visibilityProperty: true })) {
      return "hidden";
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
     * @param {string} area
     */
    query(root, area) {
      return this.queryAll(root, area)[0] ?? null;
    },
    /**
     * @param {ParentNode} root
     * @param {string} area
     */
    queryAll(root, area) {
      const frames = [...root.querySelectorAll("iframe.webview")];
      return frames.filter((frame) => areaOf(frame) === area);
    },
  };
}
