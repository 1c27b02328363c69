/**
 * What is inside the packaged extension: all that it needs at run time, and nothing else.
 */
import assert from "node:assert/strict";
import { zipEntries } from "../support/zipEntries";

/** Files that must be there, each by its name. */
const NEEDED = [
  "[Content_Types].xml",
  "extension.vsixmanifest",
  "extension/LICENSE.txt",
  "extension/ThirdPartyNotices.txt",
  "extension/changelog.md",
  "extension/dist/extension.cjs",
  "extension/dist/extensionWeb.js",
  "extension/dist/webview/highlightWorker.js",
  "extension/dist/webview/icons.css",
  "extension/dist/webview/main.js",
  "extension/l10n/bundle.l10n.zh-cn.json",
  "extension/media/icon.png",
  "extension/media/icon.svg",
  "extension/media/panel.css",
  "extension/media/preview.css",
  "extension/package.json",
  "extension/package.nls.json",
  "extension/package.nls.zh-cn.json",
  "extension/readme.md",
];

/** Parts that are read when they are first used: their number and names change with the code. */
const LOADED_LATER = [
  /^extension\/dist\/[A-Za-z]+\.cjs$/,
  /^extension\/dist\/webview\/[A-Za-z]+\.(js|css|wasm)$/,
  /^extension\/dist\/webview\/chunks\/[\w.-]+-[A-Z0-9]{8}\.(js|css|wasm)$/,
];

/** Character codes of PDFs. */
const CHARACTER_MAPS = /^extension\/dist\/webview\/cmaps\/[\w-]+\.bcmap$/;

/** Pictures of the walkthrough and its like, in kinds that follow the theme. */
const PICTURES = /^extension\/media\/[a-z]+\/[\w-]+\.(svg|md)$/;

describe("the packaged extension", () => {
  const vsix = process.env["CORE_CHAT_VSIX"] ?? "";
  const entries = () => zipEntries(vsix);

  it("contains what it needs", () => {
    const names = new Set(entries().map(({ name }) => name));
    assert.deepEqual(
      NEEDED.filter((name) => !names.has(name)),
      [],
    );
  });

  it("contains nothing else", () => {
    const expected = [...LOADED_LATER, CHARACTER_MAPS, PICTURES];
    const strays = entries().filter(
      ({ name }) =>
        !NEEDED.includes(name) &&
        !name.endsWith("/") &&
        !expected.some((pattern) => pattern.test(name)),
    );
    assert.deepEqual(strays, []);
  });

  it("contains no empty file and no source map", () => {
    const odd = entries().filter(
      ({ name, bytes }) => name.endsWith(".map") || (bytes === 0 && !name.endsWith("/")),
    );
    assert.deepEqual(odd, []);
  });
});
