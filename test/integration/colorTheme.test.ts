/** Tests reading the code colors of the color themes that VS Code ships. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { readColorTheme } from "../../src/host/theme/colorTheme";

/** Returns the settings id of a built-in theme; VS Code has renamed some themes. */
function idOf(...names: readonly string[]): string {
  const ids = vscode.extensions.all.flatMap(({ packageJSON }) => {
    const { contributes } = packageJSON as {
      contributes?: { themes?: { id?: string; label?: string }[] };
    };
    return (contributes?.themes ?? []).map(({ id, label }) => id ?? label ?? "");
  });
  const found = names.find((name) => ids.includes(name));
  assert.ok(found, `none of ${names.join(", ")} is among ${ids.join(", ")}`);
  return found;
}

async function colorOf(themeId: string, scope: string): Promise<string | undefined> {
  const theme = await readColorTheme(themeId);
  return theme?.tokenColors
    .findLast((rule) => rule.scope.includes(scope) && rule.settings.foreground !== undefined)
    ?.settings.foreground?.toUpperCase();
}

describe("a built-in color theme", () => {
  it("is found and read with its included files", async () => {
    const dark = idOf("Dark Modern", "Default Dark Modern");
    assert.equal(await colorOf(dark, "keyword.control"), "#C586C0");
    assert.equal(await colorOf(dark, "comment"), "#6A9955");
    const light = idOf("Light Modern", "Default Light Modern");
    assert.equal(await colorOf(light, "keyword.control"), "#AF00DB");
    assert.ok(await colorOf(idOf("Default High Contrast"), "comment"));
  });

  it("is read from a referenced TextMate file", async () => {
    assert.ok(await colorOf(idOf("Monokai"), "comment"));
    assert.ok(await colorOf(idOf("Red"), "comment"));
  });
});
