/**
 * Gives the pages the rules of the colour theme they are shown in, and says when the person changes
 * them. Reading is colourTheme.ts, which is loaded when a page first asks.
 */
import * as vscode from "vscode";
import { Disposables, type Disposable } from "../../base/disposables";
import { Emitter } from "../../base/event";
import { describeError, type Log } from "../../base/log";
import type { TokenTheme } from "../../protocol/views";

/** The setting with the person's own rules. */
const CUSTOMISATIONS = "editor.tokenColorCustomizations";

/** One for all pages. */
export class Themes implements Disposable {
  private readonly owned = new Disposables();
  private readonly changes = this.owned.add(new Emitter<void>());
  /** The theme read last: pages come and go, and all show the same. */
  private last:
    { readonly id: string; readonly theme: Promise<TokenTheme | undefined> } | undefined;

  /** What a theme looks like is different now, or it came with an extension just installed. */
  readonly onChanged = this.changes.event;

  constructor(private readonly log: Log) {
    const forget = () => {
      this.last = undefined;
      this.changes.fire();
    };
    this.owned.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(CUSTOMISATIONS)) forget();
      }),
    );
    this.owned.add(vscode.extensions.onDidChange(forget));
  }

  /** The rules of a theme; undefined if it cannot be read. */
  theme(id: string): Promise<TokenTheme | undefined> {
    if (this.last?.id !== id) this.last = { id, theme: this.read(id) };
    return this.last.theme;
  }

  dispose(): void {
    this.owned.dispose();
  }

  private async read(id: string): Promise<TokenTheme | undefined> {
    try {
      const { readColourTheme } = await import("./colourTheme");
      return await readColourTheme(id);
    } catch (error) {
      this.log.warn(`theme: not read (${describeError(error)})`);
      return undefined;
    }
  }
}
