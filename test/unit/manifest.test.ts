/**
 * Compares package.json with the code: every public name is in both, and the manifest follows VS
 * Code's conventions (the table in test/README.md).
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import manifest from "../../package.json";
import {
  CHAT_VIEW,
  COMMANDS,
  SETTINGS_SECTION,
  FROM_FIRST_STEPS,
} from "../../src/host/platform/contributions";
import { readSettings } from "../../src/host/settings/settings";
import { withSettings } from "../support/fakes/fakeVscode";
import { NOTICES_FILE, thirdPartyNotices } from "../support/release/notices.mjs";
import { filesBelow } from "../support/source/files";
import { KNOWN_CONTEXT_KEYS, contextKeysOf, isTitleCase } from "../support/source/manifestRules";

interface Setting {
  readonly default?: unknown;
  readonly scope?: string;
  readonly order?: number;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly tags?: readonly string[];
  readonly markdownDescription?: string;
}

interface MenuItem {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

const { contributes } = manifest;
const menus: Readonly<Record<string, readonly MenuItem[]>> = contributes.menus;
const settings = Object.fromEntries(
  contributes.configuration.flatMap(({ properties }) => Object.entries<Setting>(properties)),
);

describe("package.json", () => {
  it("contributes exactly the commands that have a title, which are those of the code", () => {
    const contributed = contributes.commands.map(({ command }) => command).sort();
    const titles = Object.keys(JSON.parse(readFileSync("package.nls.json", "utf8")) as object)
      .filter((key) => key.startsWith("commands."))
      .map((key) => key.replace("commands.", `${SETTINGS_SECTION}.`));
    assert.deepEqual(titles.sort(), contributed);
    assert.deepEqual(Object.values(COMMANDS).sort(), contributed);
    assert.equal(COMMANDS.inlineKeep, "coreChat.inline.keep");
  });

  it("gives every setting a default, a scope and a description in both languages", () => {
    for (const [name, setting] of Object.entries(settings)) {
      assert.ok("default" in setting, name);
      assert.ok(setting.scope, name);
      assert.match(setting.markdownDescription ?? "", /^%settings\..+%$/, name);
    }
  });

  it("gives every setting a default that the code reads", () => {
    const reading = withSettings({}, readSettings);
    assert.deepEqual(reading.badNames, []);
    const defaults = Object.entries(settings).map(([name, setting]) => [
      name.replace(`${SETTINGS_SECTION}.`, ""),
      setting.default,
    ]);
    assert.deepEqual(reading.settings, Object.fromEntries(defaults));
  });

  it("does not let a workspace choose where the key is sent", () => {
    for (const name of ["baseUrl", "profiles", "models.llm", "models.vl"]) {
      assert.equal(settings[`${SETTINGS_SECTION}.${name}`]?.scope, "application", name);
    }
  });

  it("16: restricts every setting of a workspace while it is not trusted", () => {
    const ofWorkspaces = Object.entries(settings)
      .filter(([, setting]) => setting.scope !== "application")
      .map(([name]) => name);
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    assert.deepEqual([...restrictedConfigurations].sort(), ofWorkspaces.sort());
  });

  it("has one view, with the name that the code uses and icons that exist", () => {
    const views = Object.values(contributes.views).flat();
    assert.deepEqual(
      views.map(({ id }) => id),
      [CHAT_VIEW],
    );
    const containers = contributes.viewsContainers["secondarySidebar"];
    assert.deepEqual(
      Object.keys(contributes.views),
      containers.map(({ id }) => id),
    );
    for (const file of [manifest.icon, ...views.map(({ icon }) => icon)]) {
      assert.ok(existsSync(file), file);
    }
  });

  it("activates after the start: VS Code hides a new view behind its own chat", () => {
    assert.deepEqual(manifest.activationEvents, ["onStartupFinished"]);
    assert.deepEqual(manifest.extensionKind, ["workspace", "ui"]);
    assert.deepEqual(manifest.categories, ["AI", "Chat"]);
  });
});

describe("VS Code's conventions", () => {
  const texts = (path: string) => JSON.parse(readFileSync(path, "utf8")) as Record<string, string>;
  const english = texts("package.nls.json");
  const chinese = texts("package.nls.zh-cn.json");
  const source = filesBelow("src", /\.tsx?$/).map((file) => readFileSync(file, "utf8"));
  const menuItems = Object.entries(menus).flatMap(([menu, items]) =>
    items.map((item) => ({ menu, ...item })),
  );
  const titles = contributes.commands.map(({ title }) => english[title.slice(1, -1)] ?? "");

  it("1, 2: one outline icon in the theme's color for container and view", () => {
    const [container] = contributes.viewsContainers["secondarySidebar"];
    const [view] = Object.values(contributes.views).flat();
    assert.equal(container?.icon, view?.icon);
    const icon = readFileSync(container?.icon ?? "", "utf8");
    assert.match(icon, /width="24" height="24"/);
    assert.match(icon, /stroke="currentColor"/);
    assert.doesNotMatch(icon, /#[0-9a-f]{3,8}|rgb/i);
  });

  it("3, 4: keeps no hidden page alive", () => {
    assert.deepEqual(
      source.filter((text) => /retainContextWhenHidden\s*:/.test(text)),
      [],
    );
  });

  it("5: orders the settings, describes each choice, and links to existing targets", () => {
    assert.equal(contributes.configuration.length, 6);
    const orders = Object.values(settings).map(({ order }) => order);
    assert.equal(new Set(orders).size, orders.length);
    assert.ok(orders.every((order) => order !== undefined));
    for (const [name, setting] of Object.entries(settings)) {
      assert.equal(setting.enumDescriptions?.length, setting.enum?.length, name);
    }
    assert.deepEqual(settings["coreChat.baseUrl"]?.tags, ["usesOnlineServices"]);
    const commands = new Set(Object.values<string>(COMMANDS));
    for (const text of Object.values(english)) {
      for (const [, name = ""] of text.matchAll(/`#([^#`]+)#`/g)) assert.ok(settings[name], name);
      for (const [, id = ""] of text.matchAll(/\(command:(coreChat\.[\w.]+)/g)) {
        assert.ok(commands.has(id), id);
      }
    }
  });

  it("5, 6: asks for no secret in a setting", () => {
    const secret = /key|token$|password|secret/i;
    // A choice among listed values holds no secret, nor does the path of a program.
    const open = Object.entries(settings).filter(
      ([name, setting]) => setting.enum === undefined && name !== "coreChat.apiKeyCommand",
    );
    assert.deepEqual(
      open.filter(([name]) => secret.test(name)),
      [],
    );
  });

  it("7: titles commands in title case, without emoji", () => {
    assert.deepEqual(
      titles.filter((title) => !isTitleCase(title)),
      [],
    );
    assert.deepEqual(
      titles.filter((title) => /\p{Extended_Pictographic}/u.test(title)),
      [],
    );
  });

  it("8: groups every item, and shows at most three icons in the view's title", () => {
    const inTitles = menuItems.filter(({ menu }) => menu !== "commandPalette");
    assert.deepEqual(
      inTitles.filter(({ group }) => group === undefined),
      [],
    );
    const icons = inTitles.filter(
      ({ menu, when = "", group }) =>
        menu === "view/title" && when.includes("coreChat.chat") && group?.startsWith("navigation"),
    );
    assert.ok(icons.length <= 3);
    for (const { menu, command, group } of inTitles) {
      if (!menu.endsWith("/title") || !group?.startsWith("navigation")) continue;
      const icon = contributes.commands.find((known) => known.command === command)?.icon;
      // VS Code shows the title of an action without an icon: what decides about an edit has a label.
      const isLabelled = /\.(?:(?:inline|apply)\.(?:keep|discard)|reading\..*)$/.test(
        command ?? "",
      );
      assert.equal(icon === undefined, isLabelled, `${menu} shows ${command}`);
    }
  });

  it("8: keeps the editor's context menu short with a submenu", () => {
    const own = menus["editor/context"] ?? [];
    assert.deepEqual(
      own.map(({ submenu }) => submenu),
      contributes.submenus.map(({ id }) => id).slice(0, own.length),
    );
  });

  it("8: lists at most 20 commands in the palette of a new window without an editor", () => {
    const conditional = new Set((menus["commandPalette"] ?? []).map(({ command }) => command));
    const listed = contributes.commands.filter(
      ({ command, enablement }) => !conditional.has(command) && enablement === undefined,
    );
    assert.ok(listed.length <= 20, listed.map(({ command }) => command).join(", "));
  });

  it("9: uses only context keys of VS Code or of the code, with our own prefix", () => {
    const conditions = [
      ...menuItems.map(({ when }) => when),
      ...contributes.keybindings.map(({ when }) => when),
      ...contributes.commands.map(({ enablement }) => enablement),
    ];
    const used = new Set(conditions.flatMap((text) => contextKeysOf(text ?? "")));
    const unknown = [...used].filter((key) =>
      key.startsWith(`${SETTINGS_SECTION}.`)
        ? !source.some((text) => text.includes(`"${key}"`))
        : !KNOWN_CONTEXT_KEYS.has(key),
    );
    assert.deepEqual(unknown, [], "VS Code's own keys are listed in manifestRules.ts");
  });

  it("10: overrides no key of VS Code, and restricts all but the opening key to a condition", () => {
    const reservedKeys = [
      "ctrl+i",
      "ctrl+l",
      "ctrl+shift+l",
      "ctrl+alt+i",
      "ctrl+alt+b",
      "ctrl+k i",
    ];
    for (const { command, key, mac, when } of contributes.keybindings) {
      assert.ok(!reservedKeys.includes(key), key);
      assert.equal(mac, key.replaceAll("ctrl", "cmd"));
      if (command !== COMMANDS.open) assert.ok(when, `${key} holds everywhere`);
      if (!key.startsWith("ctrl+k ")) assert.match(when, /coreChat\./, key);
    }
  });

  it("11: has one walkthrough with steps that can be completed, have our own context keys and show pictures", () => {
    const [walkthrough, ...others] = contributes.walkthroughs;
    assert.deepEqual(others, []);
    assert.ok(source.some((text) => text.includes(`"core-chat.core-chat#${walkthrough?.id}"`)));
    const steps = walkthrough?.steps ?? [];
    assert.ok(steps.length > 0 && steps.length <= 6);
    for (const { id, description, media, completionEvents } of steps) {
      const name = description.slice(1, -1);
      assert.match(english[name] ?? "", /^\[[^\]]+\]\(command:[\w.]+(?:\?[\w%]+)?\)$/m, id);
      for (const text of [english[name] ?? "", chinese[name] ?? ""]) {
        for (const [, commandArgument] of text.matchAll(/\(command:coreChat\.\w+([^)]*)\)/g)) {
          // With this argument, the command first lets VS Code take the focus back.
          assert.equal(
            commandArgument,
            `?${encodeURIComponent(JSON.stringify([FROM_FIRST_STEPS]))}`,
            id,
          );
        }
      }
      assert.match(media.altText, /^%.+%$/, id);
      const picture = readFileSync(media.svg, "utf8");
      const colors = [...picture.matchAll(/(?:fill|stroke)="([^"]*)"/g)].map(([, value]) => value);
      assert.ok(colors.every((value) => value === "none" || value?.startsWith("var(--vscode-")));
      assert.doesNotMatch(picture, /<text|<script|href/, id);
      for (const event of completionEvents) {
        const [, kind, name = ""] = /^on(Context|Command):(coreChat\.\w+)$/.exec(event) ?? [];
        const isOurs =
          kind === "Command"
            ? contributes.commands.some(({ command }) => command === name)
            : source.some((text) => text.includes(`"${name}"`));
        assert.ok(name && isOurs, event);
      }
    }
  });

  it("22: has the data that a gallery shows", () => {
    const icon = readFileSync(manifest.icon);
    assert.ok(icon.readUInt32BE(16) >= 128 && icon.readUInt32BE(16) === icon.readUInt32BE(20));
    assert.match(manifest.galleryBanner.color, /^#[0-9a-f]{6}$/);
    assert.ok(manifest.keywords.length > 0 && manifest.keywords.length <= 30);
    assert.equal(manifest.pricing, "Free");
    assert.equal(manifest.preview, manifest.version.startsWith("0."));
    for (const file of ["README.md", "CHANGELOG.md", "LICENSE"]) assert.ok(existsSync(file), file);
    const readme = readFileSync("README.md", "utf8");
    const pictures = [...readme.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)];
    assert.ok(pictures.length > 0);
    for (const [, alternative, path = ""] of pictures) {
      assert.ok(alternative, `${path} has no words`);
      assert.match(path, /\.(png|gif)$/);
      assert.ok(path.startsWith("https://") || existsSync(path), path);
    }
  });

  it("23: has no telemetry", () => {
    assert.deepEqual(
      source.filter((text) => /telemetry|sendBeacon/i.test(text)),
      [],
    );
  });

  it("lists the bundled packages (`npm run notices` writes the file)", () => {
    assert.equal(readFileSync(NOTICES_FILE, "utf8"), thirdPartyNotices());
  });
});
