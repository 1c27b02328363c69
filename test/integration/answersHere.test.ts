/**
 * Answers below the lines of a question: the same question as from the panel's commands, the reply as
 * it comes, follow-ups, and what closing, editing and failing do. VS Code's threads are recorded.
 */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { COMMANDS } from "../../src/host/platform/contributions";
import { poll, putCaret, selectLines, showFile, untilBox, workspaceUri } from "./editing";
import { run, suiteWithService } from "./editingSuite";
import {
  receivedRequests,
  referenceUrl,
  releaseGate,
  scriptService,
  untilService,
} from "./reference";
import { setUserSettings } from "./settings";

interface Body {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

describe("answers in the editor", () => {
  const answers = suiteWithService({}, ["baseUrl", "context.definitions"]);
  const threads: vscode.CommentThread[] = [];
  const closed = new Set<vscode.CommentThread>();
  const create = vscode.comments.createCommentController;

  before(() => {
    Object.assign(vscode.comments, { createCommentController: recordingController });
  });
  after(() => Object.assign(vscode.comments, { createCommentController: create }));
  afterEach(() => {
    for (const thread of threads) if (!closed.has(thread)) void run(COMMANDS.answersClose, thread);
  });

  function recordingController(id: string, label: string): vscode.CommentController {
    const controller = create(id, label);
    return {
      id,
      label,
      dispose: () => controller.dispose(),
      options: {},
      createCommentThread(...given) {
        const thread = controller.createCommentThread(...given);
        const dispose = thread.dispose.bind(thread);
        thread.dispose = () => {
          closed.add(thread);
          dispose();
        };
        threads.push(thread);
        return thread;
      },
    };
  }

  /** The thread that was opened last. */
  function thread(): vscode.CommentThread {
    const last = threads.at(-1);
    assert.ok(last, "no thread was opened");
    return last;
  }

  /** Author, label and text of each comment. */
  function shown(): string[] {
    return thread().comments.map(({ author, label, body }) => {
      const text = typeof body === "string" ? body : body.value;
      return `${author.name}${label === undefined ? "" : ` (${label})`}: ${text}`;
    });
  }

  async function untilShown(pattern: RegExp): Promise<string> {
    await poll(() => Promise.resolve(pattern.test(shown().join("\n"))), `${pattern} in the thread`);
    return shown().join("\n");
  }

  const untilState = (state: string) =>
    poll(() => Promise.resolve(stateOf(thread()) === state), `the state ${state}`);

  function stateOf({ contextValue = "" }: vscode.CommentThread): string | undefined {
    return contextValue.split(" ")[0];
  }

  async function bodies(): Promise<Body[]> {
    return (await receivedRequests()).map(({ body }) => body as Body);
  }

  it("sends for Explain Here what Explain sends, and shows what was sent and the reply", async () => {
    const text = "import a\n\ndef top(rows):\n    best = {}\n    return best\n\nprint(top([]))\n";
    const editor = await showFile("here/top.py", text);
    putCaret(editor, 4, 5);
    await run(COMMANDS.newConversation);
    await run(COMMANDS.explainSelection);
    await untilService(({ requests, repliesOpen }) => requests === 1 && repliesOpen === 0);
    await scriptService({ blocks: ["It returns **nothing**."] });
    await vscode.window.showTextDocument(editor.document);
    putCaret(editor, 4, 5);
    await run(COMMANDS.explainHere);
    const text_ = await untilShown(/It returns \*\*nothing\*\*/);
    const [panel, here] = await bodies();
    assert.deepEqual(here, panel);
    assert.match(text_, /You: Explain this code[^]*Sent: here\/top\.py:3-5 .*~\d+ tokens/);
    assert.equal(thread().uri.toString(), editor.document.uri.toString());
    assert.equal(thread().collapsibleState, vscode.CommentThreadCollapsibleState.Expanded);
    await untilState("idle");
  });

  it("sends a question of the user with the lines", async () => {
    const editor = await showFile("ask.txt", "one\ntwo\nthree\n");
    selectLines(editor, 2, 3);
    answers.instruct("What is two?");
    await run(COMMANDS.askHere);
    await untilService(({ requests, repliesOpen }) => requests === 1 && repliesOpen === 0);
    const asked = (await bodies())[0]?.messages.at(-1)?.content ?? "";
    assert.ok(asked.includes("What is two?") && asked.includes("ask.txt (lines 2-3)"), asked);
    await untilShown(/You: What is two\?/);
  });

  it("sends nothing and opens nothing when the question is canceled", async () => {
    const editor = await showFile("ask.txt", "one\n");
    selectLines(editor, 1, 1);
    const asking = run(COMMANDS.askHere);
    await untilBox();
    await run(COMMANDS.boxClose);
    await asking;
    assert.ok(threads.every((one) => closed.has(one)));
    assert.deepEqual(await receivedRequests(), []);
  });

  it("asks before lines with a secret go, and sends nothing if the user declines", async () => {
    const editor = await showFile("keys.txt", "password = hunter2hunter2hunter2\n");
    selectLines(editor, 1, 1);
    const before = threads.length;
    await run(COMMANDS.explainHere);
    assert.equal(threads.length, before);
    assert.ok(answers.shown.some(({ text }) => text.includes("may contain secrets")));
    assert.deepEqual(await receivedRequests(), []);
  });

  it("shows the reply while it comes, and stops it", async () => {
    await scriptService({ blocks: ["First part.", { gate: true }, "never"] });
    const editor = await showFile("ask.txt", "one\n");
    selectLines(editor, 1, 1);
    await run(COMMANDS.explainHere);
    await untilShown(/Core Chat \(.*\): First part\./);
    await untilState("running");
    await run(COMMANDS.answersStop, thread());
    const stopped = await untilShown(/Stopped\. The text so far is kept/);
    assert.ok(stopped.includes("First part.") && !stopped.includes("never"), stopped);
    await untilState("continue");
  });

  it("shows thinking in the label, not in the text", async () => {
    await scriptService({
      blocks: [{ delta: { reasoning_content: "a thought" } }, { gate: true }, "The answer."],
    });
    const editor = await showFile("ask.txt", "one\n");
    selectLines(editor, 1, 1);
    await run(COMMANDS.explainHere);
    await untilShown(/Core Chat \(Thinking… \d+ s\)/);
    await releaseGate();
    const text = await untilShown(/Core Chat \(Thought for \d+ s\): The answer\./);
    assert.ok(!text.includes("a thought"), text);
  });

  it("stops a reply of which nothing has come when its box is closed", async () => {
    await scriptService({ blocks: [{ gate: true }, "late"] });
    const editor = await showFile("ask.txt", "one\n");
    selectLines(editor, 1, 1);
    await run(COMMANDS.explainHere);
    await untilService(({ waitingAtGate }) => waitingAtGate === 1);
    await run(COMMANDS.answersClose, thread());
    await untilService(({ repliesOpen }) => repliesOpen === 0);
    assert.ok(closed.has(thread()));
  });

  it("lets a reply that has begun go on when its box is closed with Escape in the lines", async () => {
    await scriptService({ blocks: ["Begun. ", { gate: true }, "Ended."] });
    const editor = await showFile("ask.txt", "one\ntwo\n");
    selectLines(editor, 2, 2);
    await run(COMMANDS.explainHere);
    await untilShown(/Begun/);
    const box = thread();
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "zero\n"));
    putCaret(editor, 3, 0);
    await run(COMMANDS.answersClose);
    assert.ok(closed.has(box), "the lines were not followed");
    await untilService(({ waitingAtGate }) => waitingAtGate === 1);
    await releaseGate();
    await untilService(({ repliesOpen }) => repliesOpen === 0);
  });

  it("sends a follow-up in the same conversation, and queues another", async () => {
    await scriptService({ blocks: ["One."] }, { blocks: ["Two", { gate: true }, "."] });
    const editor = await showFile("ask.txt", "one\n");
    selectLines(editor, 1, 1);
    await run(COMMANDS.explainHere);
    await untilState("idle");
    const reply = (text: string) => run(COMMANDS.answersSend, { thread: thread(), text });
    await reply("And then?");
    await untilShown(/Two/);
    await reply("And after that?");
    await untilShown(/You \(Queued\): And after that\?/);
    await releaseGate();
    await untilService(({ requests, repliesOpen }) => requests === 3 && repliesOpen === 0);
    const last = (await bodies()).at(-1)?.messages.filter(({ role }) => role !== "system");
    assert.deepEqual(
      last?.map(({ role }) => role),
      ["user", "assistant", "user", "assistant", "user"],
    );
    assert.ok(last.at(-1)?.content.includes("And after that?"));
  });

  it("loads no image and runs no command that a reply names", async () => {
    const reply =
      '![x](https://evil.example/x.png) <img src="https://evil.example/y.png"> [run](command:workbench.action.quit)';
    await scriptService({ blocks: [reply] });
    const editor = await showFile("ask.txt", "one\n");
    selectLines(editor, 1, 1);
    await run(COMMANDS.explainHere);
    await untilState("idle");
    const body = thread().comments.at(-1)?.body;
    assert.ok(body instanceof vscode.MarkdownString);
    assert.doesNotMatch(body.value, /!\[|(?<!\\)<img|command:/);
    assert.deepEqual([body.isTrusted ?? false, body.supportHtml ?? false], [false, false]);
  });

  it("keeps a question that could not be sent, and sends it again", async () => {
    await setUserSettings({ baseUrl: "" });
    const editor = await showFile("ask.txt", "one\n");
    selectLines(editor, 1, 1);
    answers.instruct("Is this kept?");
    await run(COMMANDS.askHere);
    await untilShown(/You \(Not sent\): Is this kept\?[^]*Core Chat: .+/);
    assert.ok(answers.shown.some(({ buttons }) => buttons.includes("Set Base URL")));
    await untilState("retry");
    await setUserSettings({ baseUrl: referenceUrl() });
    await run(COMMANDS.answersRetry, thread());
    await untilState("idle");
    assert.equal((await bodies()).length, 1);
    assert.ok(!shown().some((one) => one.includes("Not sent")), shown().join("\n"));
  });

  it("shows a failure with its reason, and tries again", async () => {
    await scriptService({ status: 400, body: "no such thing" }, { blocks: ["Now it works."] });
    const editor = await showFile("ask.txt", "one\n");
    selectLines(editor, 1, 1);
    await run(COMMANDS.explainHere);
    await untilState("retry");
    await run(COMMANDS.answersRetry, thread());
    await untilShown(/Now it works/);
  });

  it("closes the box with its document", async () => {
    await scriptService({ blocks: ["Done."] });
    await showFile("other.txt", "other\n");
    const document = await vscode.workspace.openTextDocument({ content: "one\ntwo\n" });
    const editor = await vscode.window.showTextDocument(document);
    selectLines(editor, 1, 2);
    await run(COMMANDS.explainHere);
    await untilShown(/Done/);
    await run("workbench.action.revertAndCloseActiveEditor");
    await poll(() => Promise.resolve(closed.has(thread())), "the box to close");
  });

  it("answers several questions at once, in boxes of their own", async () => {
    await scriptService({ blocks: ["A", { gate: true }] }, { blocks: ["B"] });
    const editor = await showFile("ask.txt", "one\ntwo\nthree\n");
    selectLines(editor, 1, 1);
    await run(COMMANDS.explainHere);
    await untilShown(/: A/);
    const first = thread();
    selectLines(editor, 3, 3);
    await run(COMMANDS.explainHere);
    await untilShown(/: B/);
    assert.notEqual(thread(), first);
    assert.equal(stateOf(first), "running");
    await releaseGate();
    await poll(() => Promise.resolve(stateOf(first) === "idle"), "the first answer");
    const slot = Number(first.contextValue?.split(" ")[1]);
    await run(COMMANDS.answersClose, { slot });
    assert.ok(closed.has(first) && !closed.has(thread()), "Escape in a box closed another box");
  });

  it("answers about a notebook's cell in the panel, because VS Code shows no comments there", async () => {
    await scriptService({ blocks: ["A cell."] });
    const uri = workspaceUri("cells.ipynb");
    const cell = { cell_type: "code", source: ["a = 1"], metadata: {}, outputs: [] };
    const content = { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 };
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(JSON.stringify(content)));
    const notebook = await vscode.workspace.openNotebookDocument(uri);
    await vscode.window.showNotebookDocument(notebook);
    await run("notebook.cell.edit");
    await poll(
      () => Promise.resolve(vscode.window.activeTextEditor?.document.uri.fragment !== undefined),
      "the cell's editor",
    );
    await run(COMMANDS.explainHere);
    await untilService(({ requests, repliesOpen }) => requests === 1 && repliesOpen === 0);
    assert.match((await bodies())[0]?.messages.at(-1)?.content ?? "", /a = 1/);
    await poll(() => closed.has(thread()), "the comment to move into the panel");
  });
});
