import assert from "node:assert/strict";
import { codeBlocks } from "../../../src/markdown/codeBlocks";
import { previewCode, previewRole } from "../../../src/markdown/previewCode";

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\`\n\n`;
}

function previewOf(reply: string, index: number) {
  const preview = previewCode(codeBlocks(reply), index);
  return (
    preview && {
      kind: preview.kind,
      markup: preview.markup.trim(),
      styles: preview.styles.map((text) => text.trim()),
      hasScripts: preview.hasScripts,
    }
  );
}

describe("previewRole", () => {
  for (const [language, text, role] of [
    ["html", "<p>Hi</p>", "html"],
    ["HTML", "<p>Hi</p>", "html"],
    ["html:index.html", "<p>Hi</p>", "html"],
    ["html", '<svg width="9"></svg>', "svg"],
    ["svg", "<svg></svg>", "svg"],
    ["xml", '<?xml version="1.0"?>\n<!-- Logo -->\n<svg></svg>', "svg"],
    ["", "<!DOCTYPE html><title>x</title>", "html"],
    ["", "<p>Hi</p>", undefined],
    ["xml", "<project></project>", undefined],
    ["css", "p {}", "style"],
    ["javascript", "alert(1)", "script"],
    ["ts", "alert(1)", undefined],
    ["constructor", "x", undefined],
    ["vue", "<template></template>", undefined],
  ] as const) {
    it(`is ${role} for ${language || "no language"} with ${text.slice(0, 20)}`, () => {
      assert.equal(previewRole(language, text), role);
    });
  }
});

describe("previewCode", () => {
  const page = fence("html", "<p>One</p>");
  const style = fence("css", "p { color: red }");
  const script = fence("js", "go()");

  it("joins the CSS of a reply to its HTML, from each of the blocks", () => {
    const reply = `Here:\n\n${style}${page}${fence("ts", "no()")}${script}`;
    const whole = {
      kind: "html",
      markup: "<p>One</p>",
      styles: ["p { color: red }"],
      hasScripts: true,
    };
    assert.deepEqual(
      [0, 1, 2, 3].map((index) => previewOf(reply, index)),
      [whole, whole, undefined, whole],
    );
  });

  it("gives CSS to the nearest HTML above, where a reply has several pages", () => {
    const second = fence("html", "<p>Two</p>") + fence("css", "p { color: blue }");
    const reply = page + style + second;
    assert.deepEqual(previewOf(reply, 0)?.styles, ["p { color: red }"]);
    assert.deepEqual(previewOf(reply, 2)?.styles, ["p { color: blue }"]);
    assert.equal(previewOf(reply, 3)?.markup, "<p>Two</p>");
  });

  it("leaves an SVG on its own", () => {
    const reply = `${page}${style}${fence("svg", "<svg></svg>")}`;
    assert.deepEqual(previewOf(reply, 2), {
      kind: "svg",
      markup: "<svg></svg>",
      styles: [],
      hasScripts: false,
    });
  });

  it("has none for CSS without HTML, and for a block that does not exist", () => {
    assert.equal(previewOf(style, 0), undefined);
    assert.equal(previewOf(page, 7), undefined);
  });
});
