/** Tests the content of the packaged extension: all files needed at run time, and no others. */
import assert from "node:assert/strict";
import { ALL } from "../support/depth";
import { zipEntries } from "../support/release/zipEntries";

/** Required files, by name. */
const REQUIRED = [
  "[Content_Types].xml",
  "extension.vsixmanifest",
  "extension/LICENSE.txt",
  "extension/ThirdPartyNotices.txt",
  "extension/changelog.md",
  "extension/dist/extension.mjs",
  "extension/dist/extensionWeb.js",
  "extension/dist/webview/boot.js",
  "extension/dist/webview/highlightWorker.js",
  "extension/dist/webview/icons.css",
  "extension/dist/webview/main.js",
  "extension/dist/webview/panel.css",
  "extension/dist/webview/preview.css",
  "extension/l10n/bundle.l10n.zh-cn.json",
  "extension/media/icon-dark.svg",
  "extension/media/icon-light.svg",
  "extension/media/icon.png",
  "extension/media/icon.svg",
  "extension/package.json",
  "extension/package.nls.json",
  "extension/package.nls.zh-cn.json",
  "extension/readme.md",
];

/** Lazy-loaded files, whose number and names change with the code. */
const LAZY_LOADED = [
  /^extension\/dist\/host\/[\w.-]+-[A-Z0-9]{8}\.mjs$/,
  /^extension\/dist\/webview\/[A-Za-z]+\.(js|css|wasm)$/,
  /^extension\/dist\/webview\/chunks\/[\w.-]+-[A-Z0-9]{8}\.(js|css|wasm)$/,
];

/** Images of the walkthrough, in variants for themes. */
const PICTURES = /^extension\/media\/[a-z]+\/[\w-]+\.(svg|md)$/;

describe(`the packaged extension ${ALL}`, () => {
  const vsix = process.env["CORE_CHAT_VSIX"] ?? "";
  const entries = () => zipEntries(vsix);

  it("contains every file that it needs", () => {
    const names = new Set(entries().map(({ name }) => name));
    assert.deepEqual(
      REQUIRED.filter((name) => !names.has(name)),
      [],
    );
  });

  it("contains no other file", () => {
    const expected = [...LAZY_LOADED, PICTURES];
    const unexpected = entries().filter(
      ({ name }) =>
        !REQUIRED.includes(name) &&
        !name.endsWith("/") &&
        !expected.some((pattern) => pattern.test(name)),
    );
    assert.deepEqual(unexpected, []);
  });

  it("contains no empty file and no source map", () => {
    const invalid = entries().filter(
      ({ name, bytes }) => name.endsWith(".map") || (bytes === 0 && !name.endsWith("/")),
    );
    assert.deepEqual(invalid, []);
  });
});
