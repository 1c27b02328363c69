/**
 * API keys and header values in VS Code's SecretStorage, each for an origin. They are stored
 * nowhere else.
 */
import type * as vscode from "vscode";
import { describeError, type Log } from "../../base/log";
import { headerName } from "../../service/requestHeaders";
import type { KnownSecrets } from "./secrets";

/** Prefix of keys, followed by the origin (`https://host:port`). */
export const KEY_PREFIX = "coreChat.key:";

/** Prefix of header values, followed by the result of `headerSecret`. */
export const HEADER_PREFIX = "coreChat.header:";

/** Returns the name of a header's value: origin, blank, header. */
export function headerSecret(origin: string, header: string): string {
  return `${origin} ${headerName(header)}`;
}

export const SECRET_VALUE = "${secret}";

/** Returns true if a header value in the settings refers to the secret storage. */
export function isSecretValue(value: string): boolean {
  return value.trim() === SECRET_VALUE;
}

export class StoredSecrets {
  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly prefix: typeof KEY_PREFIX | typeof HEADER_PREFIX,
    /** Receives every secret that is read or written, for redaction. */
    readonly known: KnownSecrets,
    private readonly log: Log,
  ) {}

  /** Fires after a secret was added, changed or removed, in any window. */
  readonly onChanged: vscode.Event<unknown> = (listener, owner, disposables) =>
    this.secrets.onDidChange(
      (event) => {
        if (event.key.startsWith(this.prefix)) listener.call(owner, event);
      },
      undefined,
      disposables,
    );

  /** Returns a secret; undefined if absent, or if the storage fails. */
  async get(name: string): Promise<string | undefined> {
    try {
      const value = await this.secrets.get(this.prefix + name);
      if (value !== undefined) this.known.add(value);
      return value;
    } catch (error) {
      this.log.error(`secrets: the store could not be read (${describeError(error)})`);
      return undefined;
    }
  }

  /** Stores a cleaned value. Throws the errors of the storage. */
  async set(name: string, value: string): Promise<void> {
    this.known.add(value);
    await this.secrets.store(this.prefix + name, value);
  }

  async remove(name: string): Promise<void> {
    await this.secrets.delete(this.prefix + name);
  }

  async names(): Promise<string[]> {
    const all = await this.secrets.keys();
    return all
      .filter((name) => name.startsWith(this.prefix))
      .map((name) => name.slice(this.prefix.length))
      .sort();
  }
}
