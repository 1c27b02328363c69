/**
 * Keeps the colours of code those of the colour theme the page is shown in: the editor marks the page
 * with the theme's id, the host reads what the theme says about tokens, the highlighter shows it.
 */
import { effect } from "@preact/signals";
import type { TokenTheme } from "../../protocol/views";
import type { Host } from "../boot/hostClient";
import type { PanelStore } from "../state/store";

/** Starts telling and taking; lasts as long as the page. */
export function followCodeTheme(
  host: Host,
  store: PanelStore,
  show: (theme: TokenTheme | undefined) => void,
): void {
  let told: string | undefined;
  const tell = () => {
    // The attribute is the editor's own: https://code.visualstudio.com/api/extension-guides/webview
    const themeId = document.body.dataset["vscodeThemeId"];
    if (themeId === undefined || themeId === told || themeId.length > 300) return;
    told = themeId;
    host.send({ type: "theme-shown", themeId });
  };
  new MutationObserver(tell).observe(document.body, {
    attributeFilter: ["data-vscode-theme-id"],
  });
  tell();
  effect(() => {
    const { value } = store.tokenTheme;
    if (value !== "unknown") show(value);
  });
}
