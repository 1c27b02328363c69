/** The line "What is new" after an update to a new minor version. Never opens anything by itself. */
import * as vscode from "vscode";

/** The newest version whose changes the user knows; shared by all windows. */
const KNOWN_KEY = "coreChat.knownVersion";

export class News {
  /** @param version of this extension */
  constructor(
    private readonly memory: vscode.Memento,
    private readonly version: string,
    private readonly changelog: vscode.Uri,
    private readonly changed: () => void,
  ) {
    // At the first installation nothing is new.
    if (memory.get(KNOWN_KEY) === undefined) void memory.update(KNOWN_KEY, version);
  }

  /** Returns the minor version with changes that the user may not know: "0.2"; undefined if there is none. */
  unread(): string | undefined {
    const known = minorOf(String(this.memory.get(KNOWN_KEY)));
    const own = minorOf(this.version);
    if (known === undefined || own === undefined) return undefined;
    const isNewer = own[0] > known[0] || (own[0] === known[0] && own[1] > known[1]);
    return isNewer ? own.join(".") : undefined;
  }

  /** Removes the line in all windows. A downgrade keeps the newer version, so it is not new again. */
  markRead(): void {
    if (this.unread() === undefined) return;
    void this.memory.update(KNOWN_KEY, this.version);
    this.changed();
  }

  /** Shows the changelog, which begins with this version: the release checks that. */
  async show(): Promise<void> {
    this.markRead();
    try {
      await vscode.commands.executeCommand("markdown.showPreview", this.changelog);
    } catch {
      // The preview is an extension that can be turned off.
      await vscode.commands.executeCommand("vscode.open", this.changelog);
    }
  }
}

function minorOf(version: string): readonly [number, number] | undefined {
  const [, major, minor] = /^(\d+)\.(\d+)\./.exec(version) ?? [];
  return minor === undefined ? undefined : [Number(major), Number(minor)];
}
