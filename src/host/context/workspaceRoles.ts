/** Roles for conversations. The files are read by roleFiles.ts, which is lazy-loaded. */
import type * as vscode from "vscode";
import { systemClock } from "../../base/clock";
import { Disposables, type Disposable } from "../../base/disposables";
import { Emitter } from "../../base/event";
import { lazily } from "../../base/lazily";
import { describeError, type Log } from "../../base/log";
import type { Role } from "../../chat/view/editorContext";
import type { NotePart } from "../../conversation/message";
import type { RoleFiles } from "./roleFiles";

export class WorkspaceRoles implements Disposable {
  private readonly owned = new Disposables();
  private readonly changes = this.owned.add(new Emitter<void>());
  private files: RoleFiles | undefined;

  /** Fires when `current` may have changed. */
  readonly onChanged = this.changes.event;

  /** @param storage storage folder of the extension */
  constructor(
    private readonly storage: vscode.Uri,
    private readonly log: Log,
  ) {}

  /** Returns the roles, as far as the files are read. */
  current(): readonly Role[] {
    if (this.files !== undefined) return this.files.list;
    void this.load().catch((error: unknown) => this.logFailure(error));
    return [];
  }

  /** Returns the role to send; undefined if there is no such file any more. Never rejects. */
  readonly forQuestion = async (id: string): Promise<NotePart | undefined> => {
    try {
      const files = await this.load();
      await files.ready();
      return files.list.find((role) => role.id === id)?.part;
    } catch (error) {
      this.logFailure(error);
      return undefined;
    }
  };

  dispose(): void {
    this.owned.dispose();
  }

  private readonly load = lazily(async () => {
    const { RoleFiles } = await import("./roleFiles");
    const files = this.owned.add(new RoleFiles(this.storage, systemClock));
    files.onChanged(() => this.changes.fire());
    this.files = files;
    return files;
  });

  private logFailure(error: unknown): void {
    this.log.error(`roles: could not be read (${describeError(error)})`);
  }
}
