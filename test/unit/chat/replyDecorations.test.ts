/**
 * Data that a page receives for rendering replies: the color theme and the files that a reply
 * names.
 */
import assert from "node:assert/strict";
import { Emitter } from "../../../src/base/event";
import type { TokenTheme } from "../../../src/protocol/views";
import { ReplyDecorations } from "../../../src/chat/view/replyDecorations";

describe("ReplyDecorations", () => {
  const theme = (foreground: string): TokenTheme => ({
    tokenColors: [{ scope: ["a"], settings: { foreground } }],
  });

  function openDecorations() {
    const themes = new Map([["Dark", theme("#111")]]);
    const changed = new Emitter<void>();
    const searched: string[][] = [];
    const opened: number[] = [];
    const cleared: string[] = [];
    const posted: (TokenTheme | undefined)[] = [];
    const aids = new ReplyDecorations(
      {
        tokenTheme: (id) => Promise.resolve(themes.get(id)),
        onTokenThemeChanged: changed.event,
        findFiles: (mentions) => {
          searched.push([...mentions]);
          return Promise.resolve(mentions.map((text) => (text === "" ? null : 1)));
        },
        openFile: (file) => opened.push(file),
        placeMarks: () => Promise.resolve({}),
        clearMarks: (messageIds) => cleared.push(...messageIds),
      },
      (id) => (id === "r1" ? "see a.ts and b.ts" : undefined),
      (read) => posted.push(read.theme),
    );
    return { aids, themes, changed, searched, opened, cleared, posted };
  }

  it("includes the theme, again whenever it changes", async () => {
    const { aids, themes, changed, posted } = openDecorations();
    await aids.sendTheme();
    await aids.handlers["theme-shown"]({ type: "theme-shown", themeId: "Dark" });
    await aids.handlers["theme-shown"]({ type: "theme-shown", themeId: "Gone" });
    themes.set("Gone", theme("#222"));
    changed.fire();
    await Promise.resolve();
    await aids.sendTheme();
    assert.deepEqual(posted, [theme("#111"), undefined, theme("#222"), theme("#222")]);
    aids.dispose();
    changed.fire();
    await aids.sendTheme();
    assert.equal(posted.length, 4);
  });

  it("removes the marks of its replies when another conversation is shown, and when its view ends", async () => {
    const { aids, cleared } = openDecorations();
    const place = () =>
      aids.handlers["marks-placed"]({ type: "marks-placed", messageId: "r1", marks: [] });
    await place();
    aids.clearMarks();
    aids.clearMarks();
    assert.deepEqual(cleared, ["r1"]);
    await place();
    aids.dispose();
    assert.deepEqual(cleared, ["r1", "r1"]);
  });

  it("resolves only files that the reply names, and opens them by number", async () => {
    const { aids, searched, opened } = openDecorations();
    const mentions = ["a.ts", "/etc/passwd", "b.ts"];
    const named = { type: "files-named", mentions } as const;
    const reply = await aids.handlers["files-named"]({ ...named, messageId: "r1" });
    assert.deepEqual(searched, [["a.ts", "", "b.ts"]]);
    assert.deepEqual(reply, { isAccepted: true, files: [1, null, 1] });
    const none = await aids.handlers["files-named"]({ ...named, messageId: "q1" });
    assert.equal(none, undefined);
    aids.handlers["file-opened"]({ type: "file-opened", file: 7 });
    assert.deepEqual(opened, [7]);
  });
});
