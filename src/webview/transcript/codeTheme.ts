import { effect } from "@preact/signals";
import type { TokenTheme } from "../../protocol/views";
import type { Host } from "../state/host";
import type { PanelStore } from "../state/store";

/**
 * Reports the id of the page's color theme to the host and applies the token colors that the host
 * reads from the theme. Lasts as long as the page.
 */
export function followCodeTheme(
  host: Host,
  store: PanelStore,
  show: (theme: TokenTheme | undefined) => void,
): void {
  let reportedId: string | undefined;
  const report = () => {
    // Attribute set by VS Code: https://code.visualstudio.com/api/extension-guides/webview
    const themeId = document.body.dataset["vscodeThemeId"];
    if (themeId === undefined || themeId === reportedId || themeId.length > 300) return;
    reportedId = themeId;
    host.send({ type: "theme-shown", themeId });
  };
  new MutationObserver(report).observe(document.body, {
    attributeFilter: ["data-vscode-theme-id"],
  });
  report();
  effect(() => {
    const { value } = store.tokenTheme;
    if (value !== "unknown") show(value);
  });
}
