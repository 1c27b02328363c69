/**
 * API keys in VS Code's SecretStorage, one for each origin; nowhere else, ever.
 */
import type * as vscode from "vscode";
import { describeError, type Log } from "../base/log";
import type { KnownSecrets } from "./secrets";

const PREFIX = "coreChat.key:";

/** Keys by origin (`https://host:port`). */
export class Keys {
  constructor(
    private readonly secrets: vscode.SecretStorage,
    /** Told of every key that passes here, so that none of them is ever said. */
    private readonly known: KnownSecrets,
    private readonly log: Log,
  ) {}

  /** Tells that a key was added, changed or removed, here or in another window. */
  readonly onChanged: vscode.Event<unknown> = (listener, owner, disposables) =>
    this.secrets.onDidChange(
      (event) => {
        if (event.key.startsWith(PREFIX)) listener.call(owner, event);
      },
      undefined,
      disposables,
    );

  /** The key for an origin; undefined without one, or when the store cannot give it. */
  async get(origin: string): Promise<string | undefined> {
    try {
      const key = await this.secrets.get(PREFIX + origin);
      if (key !== undefined) this.known.add(key);
      return key;
    } catch (error) {
      this.log.error(`keys: the secret store could not be read (${describeError(error)})`);
      return undefined;
    }
  }

  /** Stores a cleaned key. Throws what the store throws. */
  async set(origin: string, key: string): Promise<void> {
    this.known.add(key);
    await this.secrets.store(PREFIX + origin, key);
  }

  /** Forgets the key of an origin. */
  async remove(origin: string): Promise<void> {
    await this.secrets.delete(PREFIX + origin);
  }

  /** Origins that have a key. */
  async origins(): Promise<string[]> {
    const names = await this.secrets.keys();
    return names
      .filter((name) => name.startsWith(PREFIX))
      .map((name) => name.slice(PREFIX.length))
      .sort();
  }
}
