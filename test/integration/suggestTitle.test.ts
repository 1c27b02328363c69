/** Suggest Title in a real VS Code: progress, failure in words and Undo. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { silentLog } from "../../src/base/log";
import { titleOf } from "../../src/conversation/title";
import { suggestTitle } from "../../src/host/storage/suggestTitle";
import { startService, type ReferenceService } from "../service/server";
import { PanelRig } from "../support/chat/panelRig";
import { Answers } from "./editing";

describe("Suggest Title", () => {
  let service: ReferenceService;
  let rig: PanelRig;
  let conversationId: string;
  const answers = new Answers();

  before(async () => {
    service = await startService();
  });
  after(() => service.close());
  beforeEach(async () => {
    service.reset();
    rig = new PanelRig(service.url);
    const page = await rig.openPage();
    service.script({ blocks: ["There is ice."] });
    await page.askToEnd("Why is the harbour closed?");
    ({ conversationId } = page.shown);
    answers.install();
  });
  afterEach(() => {
    answers.restore();
    rig.conversations.dispose();
  });

  const run = () => suggestTitle(rig.conversations, silentLog, undefined, { conversationId });
  const title = async () => titleOf((await rig.conversations.get(conversationId)).conversation);

  it("names the conversation of the row; Undo brings the first line back", async () => {
    service.script({ blocks: ["Ice in the harbour"] });
    let named: string | undefined;
    answers.choose("Undo", async () => void (named = await title()));
    await run();
    assert.equal(named, "Ice in the harbour");
    assert.equal(await title(), "Why is the harbour closed?");
    assert.match(answers.shown[0]?.text ?? "", /now named “Ice in the harbour”/);
  });

  it("says why there is no title, and keeps the old one", async () => {
    service.script({ status: 401, body: { error: { message: "no" } } });
    await run();
    assert.match(answers.shown[0]?.text ?? "", /key/i);
    service.script({ blocks: ["\n"] });
    await run();
    assert.equal(answers.shown.length, 2);
    assert.equal(await title(), "Why is the harbour closed?");
  });

  it("shows a progress that can be canceled, and changes nothing then", async () => {
    service.script({ blocks: ["Ice", { gate: true }] });
    const { withProgress } = vscode.window;
    const titles: (string | undefined)[] = [];
    const canceling: typeof withProgress = ({ title: text, cancellable }, task) => {
      titles.push(cancellable === true ? text : undefined);
      const source = new vscode.CancellationTokenSource();
      void service.waitForRequest(2).then(() => source.cancel());
      return task({ report: () => undefined }, source.token);
    };
    Object.assign(vscode.window, { withProgress: canceling });
    try {
      await run();
    } finally {
      Object.assign(vscode.window, { withProgress });
    }
    assert.deepEqual(titles, ["Suggesting a title for “Why is the harbour closed?”"]);
    assert.deepEqual(answers.shown, []);
    assert.equal(await title(), "Why is the harbour closed?");
  });

  it("keeps a name that the user gives meanwhile", async () => {
    service.script({ blocks: [{ gate: true }, "Ice"] });
    const running = run();
    await service.waitForRequest(2);
    await rig.conversations.change(conversationId, [{ kind: "titled", title: "Mine" }]);
    service.releaseGate();
    await running;
    assert.equal(await title(), "Mine");
  });
});
