/** The line "What is new" in a real VS Code: a tab only after a click. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { News } from "../../src/host/panel/news";
import { MapMemento, poll, workspaceUri } from "./editing";

describe("what is new", () => {
  it("opens the changelog after a click only, and is gone then", async () => {
    const changelog = workspaceUri("CHANGES-of-news.md");
    await vscode.workspace.fs.writeFile(changelog, new TextEncoder().encode("# Changes\n"));
    const memory = new MapMemento();
    const make = (version: string) => new News(memory, version, changelog, () => undefined);
    make("0.1.0");
    const news = make("0.2.0");
    const labels = () =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map((one) => one.label));
    const before = labels();
    assert.equal(news.unread(), "0.2");
    assert.deepEqual(labels(), before);
    await news.show();
    assert.equal(news.unread(), undefined);
    const isOpen = () => labels().some((label) => label.includes("CHANGES-of-news.md"));
    await poll(() => Promise.resolve(isOpen()), "the changelog");
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    await vscode.workspace.fs.delete(changelog);
  });
});
