/**
 * Tests exporting and importing conversations with the commands of a real VS Code: pictures next to
 * the document or inside, JSON and back, and rejected files.
 */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { COMMANDS } from "../../src/host/platform/contributions";
import { madePng } from "../support/pictures/madePng";
import { silentLog } from "../../src/base/log";
import { importContinue } from "../../src/host/settings/importContinue";
import { usePolicyFiles } from "../../src/host/policy/policy";
import { Answers, poll, readFile, workspaceUri } from "./editing";
import { clearUserSettings, setUserSettings } from "./settings";

const PNG = madePng(3, 2);
const BESIDE = "Pictures as files in a folder next to the document";
const INSIDE = "Pictures inside the document";

const messages = [
  {
    role: "user",
    content: [
      { type: "text", text: "What is shown?" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${PNG.toString("base64")}` } },
    ],
  },
  { role: "assistant", content: "A pattern." },
];

describe("conversations in files", () => {
  let answers: Answers;
  const folder = "transfer";
  const place = (name: string) => workspaceUri(folder, name);

  beforeEach(async () => {
    answers = new Answers();
    answers.install();
    await vscode.workspace.fs.createDirectory(workspaceUri(folder));
  });
  afterEach(async () => {
    answers.restore();
    await vscode.workspace.fs.delete(workspaceUri(folder), { recursive: true });
  });

  async function write(name: string, text: string): Promise<vscode.Uri> {
    await vscode.workspace.fs.writeFile(place(name), new TextEncoder().encode(text));
    return place(name);
  }

  async function names(path = ""): Promise<string[]> {
    const entries = await vscode.workspace.fs.readDirectory(workspaceUri(folder, path));
    return entries.map(([name]) => name).sort();
  }

  async function exportTo(uri: vscode.Uri | undefined): Promise<void> {
    answers.chooseFile(uri);
    await vscode.commands.executeCommand(COMMANDS.exportConversation);
  }

  async function importFrom(uri: vscode.Uri): Promise<void> {
    answers.chooseFile(uri);
    await vscode.commands.executeCommand(COMMANDS.importConversation);
  }

  /** Waits until the panel shows the conversation whose export would have this file name. */
  async function untilShown(name: string): Promise<void> {
    await poll(async () => {
      await vscode.commands.executeCommand(COMMANDS.exportConversation);
      return answers.proposed.at(-1) === name;
    }, `the conversation ${name}`);
  }

  /**
   * Imports a conversation in OpenAI's format that starts with this text, and waits until it is
   * shown.
   */
  async function show(title: string): Promise<void> {
    const [question, reply] = messages;
    const content = [{ type: "text", text: title }, question?.content[1]];
    const file = { messages: [{ role: "user", content }, reply] };
    await importFrom(await write("openai.json", JSON.stringify(file)));
    await untilShown(`${title.replaceAll(" ", "-")}.md`);
    await vscode.workspace.fs.delete(place("openai.json"));
  }

  async function failTo(uri: vscode.Uri): Promise<void> {
    const shown = answers.shown.length;
    answers.pick(BESIDE);
    await exportTo(uri);
    assert.deepEqual(
      answers.shown.slice(shown).map(({ text }) => text),
      ["The conversation could not be saved there. Choose another location."],
    );
  }

  it("are exported to Markdown with pictures in a folder next to it", async () => {
    await show("Beside it");
    answers.pick(BESIDE);
    await exportTo(place("talk.md"));
    assert.deepEqual(await names(), ["talk-pictures", "talk.md"]);
    const markdown = await readFile(`${folder}/talk.md`);
    assert.match(markdown, /## You\n\n> Beside it/);
    assert.match(markdown, /A pattern\./);
    const [name, ...others] = await names("talk-pictures");
    assert.deepEqual(others, []);
    assert.ok(markdown.includes(`](talk-pictures/${name})`), markdown);
    const bytes = await vscode.workspace.fs.readFile(place(`talk-pictures/${name}`));
    assert.deepEqual([...bytes], [...PNG]);
  });

  it("are exported to Markdown with pictures inside", async () => {
    await show("Inside it");
    answers.pick(INSIDE);
    await exportTo(place("talk.md"));
    assert.deepEqual(await names(), ["talk.md"]);
    const markdown = await readFile(`${folder}/talk.md`);
    assert.ok(markdown.includes(`](data:image/png;base64,${PNG.toString("base64")})`), markdown);
  });

  it("are exported with the model's thinking only if the user chooses that", async () => {
    const file = {
      messages: [
        { role: "user", content: "Thought about" },
        { role: "assistant", content: "<think>\nTwo and two.\n</think>\n\n4" },
      ],
    };
    await importFrom(await write("openai.json", JSON.stringify(file)));
    await untilShown("Thought-about.md");
    const lists = answers.offered.length;
    answers.pick("Without the model's thinking");
    await exportTo(place("plain.md"));
    assert.equal(answers.offered.length, lists + 1);
    answers.pick("With the model's thinking");
    await exportTo(place("whole.md"));
    const plain = await readFile(`${folder}/plain.md`);
    assert.ok(plain.includes("\n4\n") && !plain.includes("Two and two"), plain);
    assert.match(await readFile(`${folder}/whole.md`), /> \*Thinking\*\n>\n> Two and two/);
    await exportTo(place("given-up.md"));
    assert.ok(!(await names()).includes("given-up.md"));
  });

  it("leave no file when the export is canceled or fails", async () => {
    await show("Given up");
    await exportTo(place("talk.md"));
    assert.deepEqual(await names(), [], "without an answer about the pictures");
    await write("talk-pictures", "a file where the folder is to go");
    await failTo(place("talk.md"));
    assert.deepEqual(await names(), ["talk-pictures"]);
    assert.equal(await readFile(`${folder}/talk-pictures`), "a file where the folder is to go");
    await write("a-folder.md/kept.txt", "kept");
    await failTo(place("a-folder.md"));
    assert.deepEqual(await names(), ["a-folder.md", "talk-pictures"]);
    assert.equal(await readFile(`${folder}/a-folder.md/kept.txt`), "kept");
  });

  it("are restored completely from JSON", async () => {
    await show("There and back");
    await exportTo(place("talk.json"));
    const exported = await readFile(`${folder}/talk.json`);
    await vscode.commands.executeCommand(COMMANDS.newConversation);
    await poll(async () => {
      const proposed = answers.proposed.length;
      await vscode.commands.executeCommand(COMMANDS.exportConversation);
      return answers.proposed.length === proposed;
    }, "a new conversation");
    await importFrom(place("talk.json"));
    await untilShown("There-and-back.md");
    await exportTo(place("again.json"));
    const contents = (text: string) => {
      const { title, messages, pictures } = JSON.parse(text) as Record<string, unknown>;
      const parts = (messages as { parts?: unknown; text?: string }[]).map((one) => [
        one.parts,
        one.text,
      ]);
      return { title, parts, pictures };
    };
    assert.deepEqual(contents(await readFile(`${folder}/again.json`)), contents(exported));
  });

  it("are not imported from a damaged or unknown file, and nothing changes", async () => {
    await show("Still here");
    await exportTo(place("talk.json"));
    const exported = await readFile(`${folder}/talk.json`);
    for (const [text, sentence] of [
      [exported.slice(0, -40), /is incomplete or not JSON\. Nothing was imported\.$/],
      [exported.replace(/"role": "\w+"/, '"role": "king"'), /is damaged\. Nothing was imported\./],
      ['{"name": "core"}', /no conversation in a known format\./],
    ] as const) {
      const shown = answers.shown.length;
      await importFrom(await write("bad.json", text));
      const said = answers.shown.slice(shown);
      assert.equal(said.length, 1, JSON.stringify(said));
      assert.match(said[0]?.text ?? "", sentence);
      await vscode.commands.executeCommand(COMMANDS.exportConversation);
      assert.equal(answers.proposed.at(-1), "Still-here.md");
    }
  });

  it("are imported from an export of another tool once, and undone together", async () => {
    const message = (role: string, text: string) => ({
      author: { role },
      content: { content_type: "text", parts: [text] },
    });
    const chat = (title: string, answer: string) => ({
      title,
      create_time: 1_700_000_000,
      mapping: {
        a: { parent: null, message: message("user", `${title}?`) },
        b: { parent: "a", message: message("assistant", answer) },
        c: { parent: "b", message: message("tool", "…") },
      },
    });
    const exported = await write(
      "conversations.json",
      JSON.stringify([chat("Green tea", "70 °C"), chat("Black tea", "95 °C"), { broken: true }]),
    );
    const importAll = async (isListed = true) => {
      answers.pick("Choose Files…");
      if (isListed) answers.pick("only those that are checked");
      answers.chooseFile(exported);
      await vscode.commands.executeCommand(COMMANDS.importFrom);
    };
    answers.choose("Undo");
    await importAll();
    assert.deepEqual(answers.offered.at(-1), ["Green tea", "Black tea"]);
    assert.deepEqual(answers.details.slice(-2), Array(2).fill("Without 1 step of a tool"));
    const done = "2 conversations were imported. The list has them under All Workspaces.";
    assert.equal(answers.shown.at(-1)?.text, `${done} Left out: 2 steps of tools.`);

    await importAll();
    assert.deepEqual(answers.offered.at(-1), ["Green tea", "Black tea"], "after Undo");
    await importAll(false);
    assert.equal(answers.shown.at(-1)?.text, "All 2 conversations are here already.");

    answers.choose("Undo");
    const more = [chat("Green tea", "70 °C"), chat("White tea", "75 °C"), chat("Oolong", "85 °C")];
    await write("conversations.json", JSON.stringify(more));
    await importAll();
    assert.deepEqual(answers.offered.at(-1), ["White tea", "Oolong"], "only the new ones");
  });

  describe("the configuration of Continue", () => {
    const home = process.env["HOME"];
    const own = { prompts: { mine: "My prompt." } };
    const key = "of-0123456789abcdef";
    const entry = "Continue: services, prompts and rules";
    const write = async (name: string, text: string) =>
      vscode.workspace.fs.writeFile(place(`.continue/${name}`), new TextEncoder().encode(text));
    const settings = () => {
      const section = vscode.workspace.getConfiguration("coreChat");
      return ["profiles", "prompts", "systemPrompt"].map(
        (name): unknown => section.inspect(name)?.globalValue,
      );
    };

    beforeEach(async () => {
      process.env["HOME"] = place("").fsPath;
      await setUserSettings({ ...own, profiles: undefined, systemPrompt: undefined });
      await write(
        "config.yaml",
        [
          "models:",
          `  - { name: Office, provider: openai, model: m-1, apiBase: "https://llm.example/v1", apiKey: ${key} }`,
          "  - { name: Claude, provider: anthropic, model: c }",
          "rules: [Answer briefly.]",
        ].join("\n"),
      );
      await write("prompts/review.md", "---\nname: review\n---\nReview this.");
    });
    afterEach(async () => {
      process.env["HOME"] = home;
      await clearUserSettings("profiles", "prompts", "systemPrompt");
      usePolicyFiles();
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    });

    async function takeOver(): Promise<void> {
      answers.pick(entry);
      answers.pick("only those that are checked");
      await vscode.commands.executeCommand(COMMANDS.importFrom);
    }

    /** Texts of both sides of the difference that is shown. */
    async function shownDifference(): Promise<string[]> {
      const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      assert.ok(input instanceof vscode.TabInputTextDiff);
      const sides = [input.original, input.modified];
      return Promise.all(
        sides.map(async (uri) => (await vscode.workspace.openTextDocument(uri)).getText()),
      );
    }

    it("is shown as a difference and not written without an answer", async () => {
      const before = settings();
      await takeOver();
      assert.deepEqual(answers.offered.at(-1), ["Office", "/review", "Answer briefly."]);
      assert.equal(answers.shown.at(-1)?.text, "Write this change to your user settings?");
      assert.deepEqual(settings(), before);
    });

    it("is written once after the difference, without the key, and undone", async () => {
      const before = settings();
      let sides: string[] = [];
      answers.choose("Write to Settings", async () => {
        sides = await shownDifference();
        assert.deepEqual(settings(), before, "while the difference is shown");
      });
      await takeOver();
      const [profiles, prompts, systemPrompt] = settings();
      const baseUrl = "https://llm.example/v1/chat/completions";
      assert.deepEqual(profiles, [{ name: "Office", baseUrl, models: { llm: "m-1", vl: "m-1" } }]);
      assert.deepEqual(prompts, { ...own.prompts, review: "Review this." });
      assert.match(String(systemPrompt), /code editor[^]*\n\nAnswer briefly\.$/);
      assert.doesNotMatch(sides[0] ?? "", /Office/);
      assert.match(
        sides[1] ?? "",
        /"name": "Office"[^]*Left out: Claude \(its service has another/,
      );
      assert.ok(!sides.join().includes(key) && !JSON.stringify(settings()).includes(key));

      await takeOver();
      assert.equal(answers.shown.at(-1)?.text, "Your settings have all of it already.");

      await setUserSettings({ ...own, profiles: undefined, systemPrompt: undefined });
      answers.choose("Write to Settings");
      answers.choose("Undo");
      await takeOver();
      assert.deepEqual(settings(), before);
    });

    it("is not written over settings that changed while the difference was shown", async () => {
      answers.choose("Write to Settings", () => setUserSettings({ prompts: { other: "Other." } }));
      await takeOver();
      assert.match(answers.shown.at(-1)?.text ?? "", /changed meanwhile\. Nothing was written/);
      assert.deepEqual(settings(), [undefined, { other: "Other." }, undefined]);
    });

    it("adds no service where the organization sets them", async () => {
      const path = place("policy.json").fsPath;
      await vscode.workspace.fs.writeFile(
        place("policy.json"),
        new TextEncoder().encode(JSON.stringify({ settings: { baseUrl: "https://corp.example" } })),
      );
      usePolicyFiles({ paths: [path], ownerId: undefined });
      answers.choose("Write to Settings");
      answers.pick("only those that are checked");
      await importContinue(place(".continue/config.yaml"), silentLog);
      assert.deepEqual(answers.offered.at(-1), ["/review", "Answer briefly."]);
      assert.equal(settings()[0], undefined);
    });
  });
});
