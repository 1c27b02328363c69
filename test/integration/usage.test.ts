/** Usage in a real VS Code: by day and model, of a conversation, as CSV, and canceled. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { silentLog } from "../../src/base/log";
import type { Step } from "../../src/conversation/conversation";
import { USAGE_SCHEME } from "../../src/host/platform/contributions";
import { UsageReports } from "../../src/host/storage/usage";
import { PanelRig } from "../support/chat/panelRig";
import { Answers, workspaceUri } from "./editing";

const DAY = new Date(2026, 4, 6, 12).getTime();

function reply(id: string, modelCode: string, counted: boolean): Step[] {
  const model = { modelKind: "llm" as const, modelCode };
  const startedAtMs = DAY;
  const base = { role: "assistant" as const, id, parentId: null, text: "", ...model, startedAtMs };
  const counts = { bodyBytes: 1, messageCount: 1, imagesLeftOut: 0, turnsLeftOut: 0 };
  const receipt = { ...model, host: "h", ...counts, imageCount: 2, estimatedTokens: 100 };
  const usage = { promptTokens: 90, completionTokens: 7 };
  return [
    { kind: "message-added", message: base },
    { kind: "request-sent", messageId: id, receipt },
    { kind: "reply-grown", messageId: id, offset: 0, text: "four words are here", atMs: DAY },
    {
      kind: "reply-ended",
      messageId: id,
      atMs: DAY,
      ending: { kind: "complete" },
      ...(counted && { usage }),
    },
  ];
}

describe("usage", () => {
  const answers = new Answers();
  let rig: PanelRig;
  let reports: UsageReports;

  beforeEach(async () => {
    rig = new PanelRig("http://127.0.0.1:9");
    await rig.history.journal.append("one", [...reply("a", "core_llm", true)]);
    await rig.history.journal.append("two", [
      ...reply("c", "core_llm", false),
      ...reply("b", "=evil|model", true),
    ]);
    reports = new UsageReports(rig.conversations, silentLog);
    answers.install();
  });
  afterEach(async () => {
    answers.restore();
    reports.dispose();
    rig.conversations.dispose();
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  });
  const shown = () => {
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.uri.scheme, USAGE_SCHEME);
    return document.getText();
  };

  it("is a document by day and model, with ~ where a part is estimated", async () => {
    await reports.showAll();
    assert.match(shown(), /\| 2026-05-06 \| core\\_llm \| 2 \| ~190 \| ~\d+ \| 4 \|/);
    assert.match(shown(), /\| 2026-05-06 \| =evil\\\|model \| 1 \| 90 \| 7 \| 2 \|/);
  });

  it("is shown for one conversation, by model", async () => {
    await reports.showOne(undefined, { conversationId: "one" });
    assert.match(shown(), /\| core\\_llm \| 1 \| 90 \| 7 \| 2 \|/);
    assert.doesNotMatch(shown(), /evil/);
  });

  it("of an unsaved conversation is counted too, without its title and on no disk", async () => {
    const page = await rig.openPage();
    await page.session.startNew(true);
    const { conversationId } = page.shown;
    const before = new Map(rig.files.files);
    await rig.conversations.change(conversationId, [
      ...reply("d", "core_llm", true),
      { kind: "titled", title: "Egret" },
    ]);
    await reports.showOne(conversationId, undefined);
    assert.match(shown(), /# Usage of “Not saved”[^]*\| core\\_llm \| 1 \| 90 \| 7 \| 2 \|/);
    assert.doesNotMatch(shown(), /Egret/);
    await reports.showAll();
    assert.match(shown(), /\| core\\_llm \| 2 \|/);
    assert.deepEqual(rig.files.files, before);
  });

  it("is saved as CSV in which no cell is a formula", async () => {
    await reports.showAll();
    const target = workspaceUri("usage-of-test.csv");
    answers.chooseFile(target);
    await reports.save();
    const csv = new TextDecoder().decode(await vscode.workspace.fs.readFile(target));
    await vscode.workspace.fs.delete(target);
    assert.match(csv, /^Day,Model,Requests,.*\r\n/);
    assert.match(csv, /2026-05-06,'=evil\|model,1,90,,7,,2\r\n/);
    assert.match(csv, /2026-05-06,core_llm,2,190,~,\d+,~,4\r\n/);
  });

  it("stops reading when it is canceled, and shows nothing", async () => {
    const { withProgress } = vscode.window;
    const canceling: typeof withProgress = (_options, task) => {
      const source = new vscode.CancellationTokenSource();
      const progress = { report: () => source.cancel() };
      return task(progress, source.token);
    };
    Object.assign(vscode.window, { withProgress: canceling });
    try {
      await reports.showAll();
    } finally {
      Object.assign(vscode.window, { withProgress });
    }
    assert.notEqual(vscode.window.activeTextEditor?.document.uri.scheme, USAGE_SCHEME);
  });
});
