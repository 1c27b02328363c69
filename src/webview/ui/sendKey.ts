import type { SendKey } from "../../protocol/views";

/** `keyCode` of a key that an input method handles. */
const IME_KEY_CODE = 229;

type KeyPress = Pick<
  KeyboardEvent,
  "key" | "shiftKey" | "altKey" | "ctrlKey" | "metaKey" | "isComposing" | "keyCode"
>;

/** Returns true for a key of an input method, which composes text or chooses a candidate. */
// eslint-disable-next-line @typescript-eslint/no-deprecated -- the only sign of an input method in some browsers
export function isOfInputMethod({ isComposing, keyCode }: KeyPress): boolean {
  return isComposing || keyCode === IME_KEY_CODE;
}

/** Returns true if the key sends the text. Ctrl+Enter sends with either setting. */
export function isSendKey(event: KeyPress, sendKey: SendKey = "enter"): boolean {
  if (event.key !== "Enter" || event.shiftKey || event.altKey || isOfInputMethod(event)) {
    return false;
  }
  return sendKey === "enter" || event.ctrlKey || event.metaKey;
}

export function sendKeyName(sendKey: SendKey = "enter"): string {
  if (sendKey === "enter") return "Enter";
  return /mac/i.test(navigator.userAgent) ? "Cmd+Enter" : "Ctrl+Enter";
}
