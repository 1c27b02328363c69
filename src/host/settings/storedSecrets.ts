/**
 * API keys and values of headers in VS Code's SecretStorage, each for one origin; nowhere else, ever.
 */
import type * as vscode from "vscode";
import { describeError, type Log } from "../../base/log";
import { headerName } from "../../service/requestHeaders";
import type { KnownSecrets } from "./secrets";

/** Where keys stand, by origin (`https://host:port`). */
export const KEY_PREFIX = "coreChat.key:";

/** Where values of headers stand, by what `headerSecret` says. */
export const HEADER_PREFIX = "coreChat.header:";

/** The name of a header's value: the origin it goes to, a blank and the header. */
export function headerSecret(origin: string, header: string): string {
  return `${origin} ${headerName(header)}`;
}

/** A header's value in the settings that stands for one in the secret storage. */
export const SECRET_VALUE = "${secret}";

/** Whether a header's value in the settings stands for one in the secret storage. */
export function isSecretValue(value: string): boolean {
  return value.trim() === SECRET_VALUE;
}

/** The secrets of one kind. */
export class StoredSecrets {
  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly prefix: typeof KEY_PREFIX | typeof HEADER_PREFIX,
    /** Told of every secret that passes here, so that none of them is ever said. */
    private readonly known: KnownSecrets,
    private readonly log: Log,
  ) {}

  /** Tells that one was added, changed or removed, here or in another window. */
  readonly onChanged: vscode.Event<unknown> = (listener, owner, disposables) =>
    this.secrets.onDidChange(
      (event) => {
        if (event.key.startsWith(this.prefix)) listener.call(owner, event);
      },
      undefined,
      disposables,
    );

  /** The one of this name; undefined without one, or when the store cannot give it. */
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

  /** Stores a cleaned value. Throws what the store throws. */
  async set(name: string, value: string): Promise<void> {
    this.known.add(value);
    await this.secrets.store(this.prefix + name, value);
  }

  /** Forgets the one of this name. */
  async remove(name: string): Promise<void> {
    await this.secrets.delete(this.prefix + name);
  }

  /** The names there are. */
  async names(): Promise<string[]> {
    const all = await this.secrets.keys();
    return all
      .filter((name) => name.startsWith(this.prefix))
      .map((name) => name.slice(this.prefix.length))
      .sort();
  }
}
