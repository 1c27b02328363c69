/**
 * A VS Code with the packaged extension and a service to talk to: what every end-to-end test starts
 * from and closes at its end.
 */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startService, type ReferenceService } from "../../service/server";
import { openWorkbench, type Workbench } from "../vscode/workbench.mjs";
import { sharedBrowser, SharedVscode, type VscodeKind } from "./sharedVscode";

export interface EnvironmentOptions extends VscodeKind {
  /** Settings in addition to those of a quiet guest; the service's URL is not among them. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Changes the workspace before a window opens; it holds the sample already. */
  readonly prepare?: (workspace: string) => void;
}

/**
 * One turn on a shared VS Code: a service, a workspace and settings of its own, no conversations of
 * earlier tests. Windows opened here have storage and secrets of their own.
 */
export class E2eEnvironment {
  private readonly windows: Workbench[] = [];

  private constructor(
    readonly service: ReferenceService,
    private readonly vscode: SharedVscode,
    private readonly folder: string,
  ) {}

  /** Starts what is not running yet; the caller calls `close`. One at a time of each kind. */
  static async open(options: EnvironmentOptions = {}): Promise<E2eEnvironment> {
    const folder = mkdtempSync(join(tmpdir(), "core-chat-e2e-"));
    const workspace = join(folder, "workspace");
    cpSync("test/fixtures/sample-workspace", workspace, { recursive: true });
    options.prepare?.(workspace);
    const vscode = await SharedVscode.get(options);
    await vscode.reset(options.settings ?? {});
    return new E2eEnvironment(await startService(), vscode, folder);
  }

  /** The folder that windows open, a copy of the sample workspace. */
  get workspace(): string {
    return join(this.folder, "workspace");
  }

  /** Opens a window with storage and secrets of its own. */
  async openWindow(viewport?: { width: number; height: number }): Promise<Workbench> {
    const window = await openWorkbench({
      url: this.vscode.served.url,
      folder: this.workspace,
      browser: await sharedBrowser(),
      ...(viewport && { viewport }),
    });
    this.windows.push(window);
    return window;
  }

  /** Changes user settings; open windows read them a moment later. */
  changeSettings(settings: Readonly<Record<string, unknown>>): void {
    this.vscode.served.changeSettings(settings);
  }

  /** Ends all extension hosts as a crash does. */
  async crash(): Promise<void> {
    if ((await this.vscode.served.killExtensionHosts()) === 0)
      throw new Error("nothing was running");
  }

  /** What extension hosts and Core Chat logged so far; empty before the first message. */
  readLogs(): string {
    return this.vscode.readLogs();
  }

  /** Resolves when one file that Core Chat keeps holds all these texts. */
  async untilStored(...texts: string[]): Promise<void> {
    const { storage } = this.vscode;
    const untilMs = Date.now() + 90_000;
    for (;;) {
      const names = existsSync(storage) ? readdirSync(storage, { recursive: true }) : [];
      const paths = names.map((name) => join(storage, String(name)));
      const found = paths.map((path) => textOf(path));
      if (found.some((file) => texts.every((text) => file.includes(text)))) return;
      if (Date.now() > untilMs) throw new Error("it was never stored");
      await delay(50);
    }
  }

  /** Has the disk refuse every write into one of Core Chat's folders, until the result is called. */
  refuseStorage(name: string): () => void {
    const folder = join(this.vscode.storage, name);
    renameSync(folder, `${folder}.away`);
    writeFileSync(folder, "");
    return () => {
      rmSync(folder);
      renameSync(`${folder}.away`, folder);
    };
  }

  /** Closes windows and service; VS Code and browser go on running for the next environment. */
  async close(): Promise<void> {
    for (const window of this.windows) await window.close();
    await this.vscode.reset({});
    await this.service.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** Empty for a folder, and for a file that was just replaced. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
