/**
 * A person's VS Code with the packaged extension in it and a service to talk to: what every
 * end-to-end test starts from and lets go of.
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
import type { Browser } from "playwright-core";
import { startService, type ReferenceService } from "../../service/server";
import { launchBrowser } from "../browser.mjs";
import { ensureVscode, testedVersion } from "../vscode/get.mjs";
import { serveVscode, type ServedVscode } from "../vscode/serve.mjs";
import { openWorkbench, type Workbench } from "../workbench.mjs";

export interface DeskOptions {
  /** Settings beside those of a quiet guest; the service's URL is not among them. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Display language, like zh-cn. */
  readonly locale?: string;
  /** Absolute folders of unpacked extensions to have beside ours. */
  readonly extensions?: readonly string[];
  /** Makes the workspace what a test needs; it holds the sample already. */
  readonly prepare?: (workspace: string) => void;
}

/** One VS Code server, one browser, one service; windows are opened on it. */
export class E2eEnvironment {
  private readonly windows: Workbench[] = [];

  private constructor(
    readonly service: ReferenceService,
    private readonly vscode: ServedVscode,
    private readonly browser: Browser,
    private readonly folder: string,
  ) {}

  /** Starts everything; the caller calls `close`. */
  static async open(options: DeskOptions = {}): Promise<E2eEnvironment> {
    const vsix = process.env["CORE_CHAT_VSIX"];
    if (vsix === undefined) throw new Error("CORE_CHAT_VSIX must name the packaged extension.");
    const folder = mkdtempSync(join(tmpdir(), "core-chat-e2e-"));
    const workspace = join(folder, "workspace");
    cpSync("test/fixtures/sample-workspace", workspace, { recursive: true });
    options.prepare?.(workspace);
    const service = await startService();
    const served = await serveVscode({
      vscode: await ensureVscode({ version: testedVersion() }),
      dataDir: join(folder, "data"),
      settings: {
        "chat.disableAIFeatures": true,
        "workbench.secondarySideBar.defaultVisibility": "visible",
        ...options.settings,
      },
      ...(options.locale !== undefined && { locale: options.locale }),
      ...(options.extensions !== undefined && { extensions: options.extensions }),
    });
    await served.installExtension(vsix);
    return new E2eEnvironment(service, served, await launchBrowser(), folder);
  }

  /** The folder that windows open, a copy of the sample workspace. */
  get workspace(): string {
    return join(this.folder, "workspace");
  }

  /** A new window with storage and secrets of its own. */
  async openWindow(viewport?: { width: number; height: number }): Promise<Workbench> {
    const window = await openWorkbench({
      url: this.vscode.url,
      folder: this.workspace,
      browser: this.browser,
      ...(viewport && { viewport }),
    });
    this.windows.push(window);
    return window;
  }

  /** Changes user settings; open windows take them up by themselves. */
  changeSettings(settings: Readonly<Record<string, unknown>>): void {
    this.vscode.changeSettings(settings);
  }

  /** Ends all extension hosts as a crash does. */
  async crash(): Promise<void> {
    if ((await this.vscode.killExtensionHosts()) === 0) throw new Error("nothing was running");
  }

  /** What extension hosts and Core Chat logged so far; empty before one of them said anything. */
  readLogs(): string {
    const folder = join(this.folder, "data/data/logs");
    const names = existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [];
    const wanted = names.filter((name) => /exthost.*\.log$/.test(name));
    return wanted.map((name) => textOf(join(folder, name))).join("\n");
  }

  private get storage(): string {
    return join(this.folder, "data/data/User/globalStorage/core-chat.core-chat");
  }

  /** Resolves when one file that Core Chat keeps holds all these texts. */
  async untilStored(...texts: string[]): Promise<void> {
    const { storage } = this;
    const untilMs = Date.now() + 30_000;
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
    const folder = join(this.storage, name);
    renameSync(folder, `${folder}.away`);
    writeFileSync(folder, "");
    return () => {
      rmSync(folder);
      renameSync(`${folder}.away`, folder);
    };
  }

  /** Ends everything, also what failed half-way. */
  async close(): Promise<void> {
    for (const window of this.windows) await window.close();
    await this.browser.close();
    await this.vscode.stop();
    await this.service.close();
    rmSync(this.folder, { recursive: true, force: true });
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
