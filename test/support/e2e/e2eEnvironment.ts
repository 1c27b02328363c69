/**
 * Provides the environment of end-to-end tests: a VS Code with the packaged extension, and a
 * reference service.
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
import type { Page } from "playwright-core";
import { startService, type ReferenceService } from "../../service/server";
import { openWorkbench, type Workbench } from "../vscode/workbench.mjs";
import { sharedBrowser, SharedVscode, stopShared, type VscodeKind } from "./sharedVscode";

const MAX_WAIT_MS = 90_000;

const SAMPLE = "test/fixtures/sample-workspace";

export interface EnvironmentOptions extends VscodeKind {
  /** Settings in addition to the default ones; the service's URL is not included. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Changes the workspace, a copy of the sample, before a window opens. */
  readonly prepare?: (workspace: string) => void;
}

export interface WindowOptions {
  /** In CSS pixels. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Name of a workspace file in the workspace's folder, to open instead of the folder. */
  readonly workspaceFile?: string;
  /** Changes the page before it loads. */
  readonly beforeOpening?: (page: Page) => Promise<void>;
}

/** Window that stays open for the next suite. */
export interface KeptWindow {
  readonly environment: E2eEnvironment;
  readonly window: Workbench;
}

let kept: KeptWindow | undefined;

/**
 * Exclusive use of a shared VS Code, with its own service, workspace and settings and without
 * earlier conversations. Each window has its own storage and secrets.
 */
export class E2eEnvironment {
  private readonly windows: Workbench[] = [];

  private constructor(
    readonly service: ReferenceService,
    private readonly vscode: SharedVscode,
    private readonly folder: string,
  ) {}

  /**
   * Starts the missing parts; the caller must call `close`. Only a single environment of a kind may
   * be open.
   */
  static async open(options: EnvironmentOptions = {}): Promise<E2eEnvironment> {
    await E2eEnvironment.takeKept()?.environment.close();
    const folder = mkdtempSync(join(tmpdir(), "core-chat-e2e-"));
    const workspace = join(folder, "workspace");
    cpSync(SAMPLE, workspace, { recursive: true });
    options.prepare?.(workspace);
    const vscode = await SharedVscode.get(options);
    await vscode.reset(options.settings ?? {});
    return new E2eEnvironment(await startService(), vscode, folder);
  }

  /** Returns the window that `keep` kept; the caller closes its environment. */
  static takeKept(): KeptWindow | undefined {
    const window = kept;
    kept = undefined;
    return window;
  }

  /** Leaves this environment and a window of it to the next suite, or to the end of the run. */
  keep(window: Workbench): void {
    kept = { environment: this, window };
  }

  /** Replaces the settings, also of open windows, and restores the sample's files. */
  async renew(settings: Readonly<Record<string, unknown>>): Promise<void> {
    cpSync(SAMPLE, this.workspace, { recursive: true });
    this.vscode.writeSettings(settings);
    await this.changeSettings({});
  }

  /** Folder that windows open, a copy of the sample workspace. */
  get workspace(): string {
    return join(this.folder, "workspace");
  }

  /** Folder of programs that comes first on the extension host's PATH; empty at first. */
  get programs(): string {
    return this.vscode.programs;
  }

  /** Opens a window with its own storage and secrets. */
  async openWindow(options: WindowOptions = {}): Promise<Workbench> {
    const { viewport, workspaceFile, beforeOpening } = options;
    const window = await openWorkbench({
      url: this.vscode.served.url,
      ...(workspaceFile === undefined
        ? { folder: this.workspace }
        : { workspaceFile: join(this.workspace, workspaceFile) }),
      browser: await sharedBrowser(),
      ...(viewport && { viewport }),
      ...(beforeOpening && { beforeOpening }),
    });
    this.windows.push(window);
    await this.vscode.served.untilSettingsApplied();
    return window;
  }

  /** Changes user settings; with an open window, resolves when it has applied them. */
  async changeSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    this.vscode.served.changeSettings(settings);
    if (this.windows.length > 0) await this.vscode.served.untilSettingsApplied();
  }

  /**
   * Kills all extension hosts, as a crash does, and resolves when VS Code has started them again. A window
   * that is reloaded meanwhile may get a host that never activates an extension.
   */
  async crash(whileNoneRuns: () => void = () => undefined): Promise<void> {
    if ((await this.vscode.served.killExtensionHosts()) === 0)
      throw new Error("nothing was running");
    whileNoneRuns();
    await this.changeSettings({});
  }

  /** Returns the log text of extension hosts and Core Chat; empty before the first message. */
  readLogs(): string {
    return this.vscode.readLogs();
  }

  /** Yields every file of VS Code's folder, without the extensions and the programs. */
  *allFiles(): Generator<readonly [path: string, bytes: Uint8Array]> {
    const { dataDir } = this.vscode;
    for (const name of readdirSync(dataDir, { recursive: true }).map(String)) {
      if (/^(?:ext|programs)(?:$|[\\/])/.test(name)) continue;
      const bytes = bytesOf(join(dataDir, name));
      if (bytes) yield [name, bytes];
    }
  }

  /** Resolves when a single file in Core Chat's storage contains all these texts. */
  async untilStored(...texts: string[]): Promise<void> {
    const { storage } = this.vscode;
    await poll(() => {
      const names = existsSync(storage) ? readdirSync(storage, { recursive: true }) : [];
      const found = names.map((name) => textOf(join(storage, String(name))));
      return found.some((file) => texts.every((text) => file.includes(text)));
    }, `storing ${texts.join()}`);
  }

  /**
   * Resolves when a file of the workspace contains the text on disk. VS Code in a browser saves a
   * file about a second after a change.
   */
  async untilSaved(path: string, text: string): Promise<void> {
    await poll(() => textOf(join(this.workspace, path)).includes(text), `saving ${path}`);
  }

  /**
   * Makes every write to a folder of Core Chat's storage fail until the returned function is
   * called.
   */
  refuseStorage(name: string): () => void {
    const folder = join(this.vscode.storage, name);
    renameSync(folder, `${folder}.away`);
    writeFileSync(folder, "");
    return () => {
      rmSync(folder);
      renameSync(`${folder}.away`, folder);
    };
  }

  /** Closes windows and service; VS Code and the browser keep running for the next environment. */
  async close(): Promise<void> {
    for (const window of this.windows) await window.close();
    await this.vscode.reset({});
    await this.service.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

async function poll(isTrue: () => boolean, what: string): Promise<void> {
  const untilMs = Date.now() + MAX_WAIT_MS;
  while (!isTrue()) {
    if (Date.now() > untilMs) throw new Error(`${what} took more than ${MAX_WAIT_MS} ms`);
    await delay(50);
  }
}

/** Returns undefined for a folder, and for a file that was just removed. */
function bytesOf(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Returns an empty text for a folder, and for a file that was just replaced. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

if (typeof after === "function") {
  after(async () => {
    await E2eEnvironment.takeKept()?.environment.close();
    await stopShared();
  });
}
