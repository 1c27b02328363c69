/**
 * Provides pages with the rules of their color theme, and reports changes by the user. Parsing is
 * in colorTheme.ts, which is lazy-loaded.
 */
import * as vscode from "vscode";
import { DisposableOwner } from "../../base/disposables";
import { Emitter } from "../../base/event";
import { describeError, type Log } from "../../base/log";
import type { TokenTheme } from "../../protocol/views";

/** Setting with the user's own rules. */
const CUSTOMISATIONS = "editor.tokenColorCustomizations";

export class Themes extends DisposableOwner {
  private readonly changes = this.owned.add(new Emitter<void>());
  /** Last theme, cached because all pages show the same. */
  private last:
    { readonly id: string; readonly theme: Promise<TokenTheme | undefined> } | undefined;

  /** Fires when the rules of a theme may have changed, or an extension was installed. */
  readonly onChanged = this.changes.event;

  constructor(private readonly log: Log) {
    super();
    const clearCache = () => {
      this.last = undefined;
      this.changes.fire();
    };
    this.owned.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(CUSTOMISATIONS)) clearCache();
      }),
    );
    this.owned.add(vscode.extensions.onDidChange(clearCache));
  }

  /** Returns the rules of a theme; undefined if unreadable. */
  theme(id: string): Promise<TokenTheme | undefined> {
    if (this.last?.id !== id) this.last = { id, theme: this.read(id) };
    return this.last.theme;
  }

  private async read(id: string): Promise<TokenTheme | undefined> {
    try {
      const { readColorTheme: readColorTheme } = await import("./colorTheme");
      return await readColorTheme(id);
    } catch (error) {
      this.log.warn(`theme: the theme could not be read (${describeError(error)})`);
      return undefined;
    }
  }
}
