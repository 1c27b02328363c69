/**
 * package.json against the code: every public name stands in both, and VS Code's conventions for
 * manifests hold.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { CHAT_VIEW, COMMANDS, SETTINGS, SETTINGS_SECTION } from "../../src/host/contributions";

interface Setting {
  readonly default?: unknown;
  readonly scope?: string;
  readonly markdownDescription?: string;
}

interface Manifest {
  readonly engines: { vscode: string };
  readonly activationEvents: string[];
  readonly extensionKind: string[];
  readonly icon: string;
  readonly main: string;
  readonly l10n: string;
  readonly categories: string[];
  readonly devDependencies: Record<string, string>;
  readonly dependencies: Record<string, string>;
  readonly capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
  readonly contributes: {
    readonly commands: { command: string; title: string; category: string }[];
    readonly views: Record<string, { id: string; type: string; icon: string }[]>;
    readonly viewsContainers: Record<string, { id: string; icon: string }[]>;
    readonly menus: Record<string, { command?: string; submenu?: string; when?: string }[]>;
    readonly keybindings: { command: string; key: string; mac?: string }[];
    readonly configuration: { properties: Record<string, Setting> };
  };
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
const { contributes } = manifest;
const settings = contributes.configuration.properties;

describe("package.json", () => {
  it("contributes exactly the commands the code has", () => {
    const contributed = contributes.commands.map(({ command }) => command).sort();
    assert.deepEqual(contributed, Object.values(COMMANDS).sort());
  });

  it("contributes exactly the settings the code reads", () => {
    const names = SETTINGS.map((name) => `${SETTINGS_SECTION}.${name}`).sort();
    assert.deepEqual(Object.keys(settings).sort(), names);
  });

  it("gives every setting a default, a scope and a description in both languages", () => {
    for (const [name, setting] of Object.entries(settings)) {
      assert.ok("default" in setting, name);
      assert.ok(setting.scope, name);
      assert.match(setting.markdownDescription ?? "", /^%settings\..+%$/, name);
    }
  });

  it("lets no workspace say where the key goes", () => {
    for (const name of ["baseUrl", "profiles", "models.llm", "models.vl"]) {
      assert.equal(settings[`${SETTINGS_SECTION}.${name}`]?.scope, "application", name);
    }
  });

  it("restricts every setting of a workspace while it is not trusted", () => {
    const ofWorkspaces = Object.entries(settings)
      .filter(([, setting]) => setting.scope !== "application")
      .map(([name]) => name);
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    assert.deepEqual([...restrictedConfigurations].sort(), ofWorkspaces.sort());
  });

  it("has one view, of the name the code uses, with icons that exist", () => {
    const views = Object.values(contributes.views).flat();
    assert.deepEqual(
      views.map(({ id }) => id),
      [CHAT_VIEW],
    );
    const containers = contributes.viewsContainers["secondarySidebar"] ?? [];
    assert.deepEqual(
      Object.keys(contributes.views),
      containers.map(({ id }) => id),
    );
    for (const file of [manifest.icon, ...views.map(({ icon }) => icon)]) {
      assert.ok(existsSync(file), file);
    }
  });

  it("names commands alike and points menus and keys at commands that exist", () => {
    const known = new Set(contributes.commands.map(({ command }) => command));
    for (const { command, title, category } of contributes.commands) {
      assert.equal(category, "Core Chat");
      assert.equal(title, `%commands.${command.slice(SETTINGS_SECTION.length + 1)}%`);
    }
    const used = [...Object.values(contributes.menus).flat(), ...contributes.keybindings];
    assert.deepEqual(
      used.filter(({ command }) => command !== undefined && !known.has(command)),
      [],
    );
    for (const { key, mac } of contributes.keybindings) assert.ok(mac, `${key} has no mac twin`);
  });

  it("wakes up for nothing but what VS Code derives from the contributions", () => {
    assert.deepEqual(manifest.activationEvents, []);
    assert.deepEqual(manifest.extensionKind, ["workspace", "ui"]);
    assert.deepEqual(manifest.categories, ["AI", "Chat"]);
  });

  it("compiles against the oldest VS Code it runs on", () => {
    const floor = manifest.engines.vscode.replace("^", "").split(".").slice(0, 2).join(".");
    assert.equal(floor, "1.106");
    assert.ok(manifest.devDependencies["@types/vscode"]?.startsWith(`${floor}.`));
  });

  it("pins every dependency to one version", () => {
    const all = { ...manifest.dependencies, ...manifest.devDependencies };
    const loose = Object.entries(all).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version));
    assert.deepEqual(loose, []);
  });
});
