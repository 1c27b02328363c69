/**
 * Shares VS Code servers and a browser among all end-to-end tests of a run: a server per display
 * language, with the packaged extension installed, and a Chromium. Everything else is a setting,
 * which a new window reads.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../browser/browser.mjs";
import { projectFolder } from "../runner/project.mjs";
import { ensureVscode, testedVersion } from "../vscode/get.mjs";
import { serveVscode, type ServedVscode } from "../vscode/serve.mjs";

type Settings = Readonly<Record<string, unknown>>;

/** Options that need a separate server. */
export interface VscodeKind {
  /** Display language, such as zh-cn. */
  readonly locale?: string;
  /** Absolute folders of additional unpacked extensions. */
  readonly extensions?: readonly string[];
}

/** Other extensions: a file system of one picture, and a user of the models. */
const OTHERS = ["test/fixtures/virtual-files", "test/fixtures/model-caller"];

/** Commands of VS Code with a key of their own here: by the palette each takes a second. */
const KEYED_COMMANDS = [
  "notifications.clearAll",
  "workbench.files.action.refreshFilesExplorer",
  "workbench.action.closeActiveEditor",
  "workbench.action.closeAllEditors",
  "workbench.action.closePanel",
  "workbench.action.files.revert",
  "workbench.action.revertAndCloseActiveEditor",
  "workbench.view.explorer",
] as const;
export type KeyedCommand = (typeof KEYED_COMMANDS)[number];

/** Returns the key of a command, as Playwright names keys. */
export function keyOf(command: KeyedCommand): string {
  return `Control+Alt+Shift+F${KEYED_COMMANDS.indexOf(command) + 1}`;
}

let browser: Promise<Browser> | undefined;
const running = new Map<string, Promise<SharedVscode>>();

/** Returns the Chromium of this run, started on the first call. Callers open their own context. */
export function sharedBrowser(): Promise<Browser> {
  return (browser ??= launchBrowser());
}

/** A server. Its users take turns, and call `reset` when they are done. */
export class SharedVscode {
  private earlierLogs: ReadonlySet<string> = new Set();

  private constructor(
    readonly served: ServedVscode,
    readonly dataDir: string,
  ) {}

  /** Returns the server of this kind, started on the first call. */
  static get(kind: VscodeKind): Promise<SharedVscode> {
    const name = JSON.stringify([kind.locale, kind.extensions]);
    const found = running.get(name) ?? SharedVscode.start(kind);
    running.set(name, found);
    return found;
  }

  private static async start({ locale, extensions = [] }: VscodeKind): Promise<SharedVscode> {
    const vsix = process.env["CORE_CHAT_VSIX"];
    // Without a package, the development build in the project's folder.
    const unpacked = vsix === undefined ? [projectFolder] : [];
    const dataDir = mkdtempSync(join(tmpdir(), "core-chat-vscode-"));
    const keys = KEYED_COMMANDS.map((command) => ({
      key: keyOf(command).replace("Control", "Ctrl").toLowerCase(),
      command,
    }));
    mkdirSync(join(dataDir, "data/User"), { recursive: true });
    writeFileSync(join(dataDir, "data/User/keybindings.json"), JSON.stringify(keys));
    const served = await serveVscode({
      vscode: await ensureVscode({ version: testedVersion() }),
      dataDir,
      extensions: [...OTHERS.map((name) => resolve(name)), ...unpacked, ...extensions],
      ...(locale !== undefined && { locale }),
      env: { ...process.env, PATH: [programsIn(dataDir), process.env["PATH"]].join(delimiter) },
    });
    if (vsix !== undefined) await served.installExtension(vsix);
    return new SharedVscode(served, dataDir);
  }

  /** Folder of programs that comes first on the extension host's PATH. */
  get programs(): string {
    return programsIn(this.dataDir);
  }

  /** Folder in which Core Chat stores conversations and drafts. */
  get storage(): string {
    return join(this.dataDir, "data/User/globalStorage/core-chat.core-chat");
  }

  /** Returns the log text of extension hosts and Core Chat since the last `reset`. */
  readLogs(): string {
    const names = this.logNames().filter((name) => !this.earlierLogs.has(name));
    return names.map((name) => readFileSync(join(this.logs, name), "utf8")).join("\n");
  }

  /**
   * Resets the server to a new installation with these settings. Its windows must be closed;
   * remaining extension hosts are killed.
   */
  async reset(settings: Settings): Promise<void> {
    await this.served.killExtensionHosts();
    rmSync(this.storage, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    rmSync(this.programs, { recursive: true, force: true });
    mkdirSync(this.programs);
    this.earlierLogs = new Set(this.logNames());
    this.writeSettings(settings);
  }

  /** Replaces the settings for windows that open afterwards. */
  writeSettings(settings: Settings): void {
    this.served.resetSettings({
      "chat.disableAIFeatures": true,
      "workbench.secondarySideBar.defaultVisibility": "visible",
      ...settings,
    });
  }

  async stop(): Promise<void> {
    await this.served.stop();
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  private get logs(): string {
    return join(this.dataDir, "data/logs");
  }

  private logNames(): string[] {
    const all = existsSync(this.logs) ? readdirSync(this.logs, { recursive: true }) : [];
    return all.map(String).filter((name) => /exthost.*\.log$/.test(name));
  }
}

function programsIn(dataDir: string): string {
  return join(dataDir, "programs");
}

/** Stops everything shared. Callers close their windows first. */
export async function stopShared(): Promise<void> {
  await (await browser)?.close();
  for (const one of running.values()) await (await one).stop();
  running.clear();
  browser = undefined;
}
