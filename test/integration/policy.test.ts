/**
 * Attempts to get round the policy of an organization: by the user's settings, the workspace, profiles,
 * conversations, VS Code's chat, models for other extensions, files and links, exports and retention.
 */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { ask } from "../../src/ask/ask";
import { silentLog } from "../support/fakes/silentLog";
import type { Message } from "../../src/conversation/message";
import { mayListFolder, mayBeQuoted } from "../../src/host/access/readAccess";
import { maySendExcerpts, maySendOffered, readText } from "../../src/host/access/readAccess";
import { isNeverSent } from "../../src/host/access/exclusion";
import { isForbiddenFile } from "../../src/host/access/location";
import { readFound } from "../../src/host/access/foundFiles";
import { ModelProvider, type ModelProviderOptions } from "../../src/host/chatApi/provider";
import type { ServiceClient } from "../../src/service/client";
import { excerptIn } from "../../src/host/context/excerpts";
import { readPicture, readPictures } from "../../src/host/pictures/pictureFiles";
import { usePolicyFiles } from "../../src/host/policy/policy";
import {
  ServiceCommands,
  type ServiceCommandOptions,
} from "../../src/host/settings/serviceCommands";
import { KnownSecrets } from "../../src/host/settings/secrets";
import { createServices } from "../../src/host/settings/services";
import { readSettings } from "../../src/host/settings/settings";
import { acceptedRetention } from "../../src/host/storage/retention";
import { registerTransfer } from "../../src/host/storage/registerTransfer";
import { chatCompletions } from "../../src/service/chatCompletions";
import { prepareCall } from "../../src/service/prepareCall";
import { madePng } from "../support/pictures/madePng";
import { Answers, MapMemento, workspaceUri } from "./editing";
import { clearUserSettings, setUserSettings } from "./settings";

const OWN = "https://own.example";
const CORP = "https://maas.corp.example";
const TEAM = "https://team.corp.example";
const PICTURE = { type: "image", url: "data:image/png;base64,AAAA" } as const;

const POLICY = {
  settings: {
    baseUrl: CORP,
    path: "/v1/chat/completions",
    profiles: [{ name: "Team", baseUrl: TEAM, headers: { "X-Team": "1" } }],
    apiKeyCommand: [],
    "models.llm": "corp-text",
    "models.vl": "corp-vision",
    offerModels: false,
    "history.retentionDays": 30,
  },
  headers: { "X-Corp": "1" },
  export: false,
  pictures: false,
  neverSent: ["/private/", "*.secret-plan", "/Verträge/".normalize("NFC"), "οδοσ/", "/𠮷野 📁/"],
};

const USER = {
  baseUrl: OWN,
  path: "/own/chat/completions",
  profiles: [
    { name: "Evil", baseUrl: OWN, models: { llm: "own" } },
    { name: "Team", baseUrl: OWN, models: { llm: "own" }, headers: { "x-corp": "mine" } },
  ],
  apiKeyCommand: ["/usr/bin/own-key"],
  "models.llm": "own-text",
  "models.vl": "own-vision",
  offerModels: true,
  "history.retentionDays": 0,
};

const question: Message = {
  role: "user",
  id: "q",
  parentId: null,
  parts: [
    { kind: "text", text: "?" },
    {
      kind: "image",
      hash: "0".repeat(64),
      mediaType: "image/png",
      widthPx: 1,
      heightPx: 1,
      bytes: 1,
      name: "a",
    },
  ],
  sentAtMs: 1,
};

describe("attempts to get round the policy of an organization", () => {
  let folder: string;
  const answers = new Answers();
  const memory = new MapMemento();
  const secrets = new Map<string, string>(
    [CORP, TEAM, OWN].map((origin) => [`coreChat.key:${origin}`, "key-of-the-user"]),
  );
  const context = {
    secrets: {
      get: (name: string) => Promise.resolve(secrets.get(name)),
      onDidChange: () => ({ dispose: () => undefined }),
    },
    globalState: memory,
  } as unknown as vscode.ExtensionContext;
  const stores = createServices(context, new KnownSecrets(), silentLog, isForbiddenFile);
  const { services } = stores;
  const write = (policy: unknown) =>
    fs.writeFile(join(folder, "policy.json"), JSON.stringify(policy), { mode: 0o644 });

  before(async () => {
    vscode.workspace.registerTextDocumentContentProvider("policy-test-git", {
      provideTextDocumentContent: () => "the plan\n",
    });
    folder = await fs.mkdtemp(join(tmpdir(), "core-chat-policy-"));
    await fs.chmod(folder, 0o755);
    await write(POLICY);
    usePolicyFiles({ paths: [join(folder, "policy.json")], ownerId: process.getuid?.() });
    await setUserSettings(USER);
    for (const name of ["private/plan.md", "private/deep/plan.md", "Q3.Secret-Plan", "plain.md"]) {
      await fs.mkdir(join(workspaceUri(name).fsPath, ".."), { recursive: true });
      await fs.writeFile(workspaceUri(name).fsPath, "the plan\n");
    }
    await fs.writeFile(workspaceUri("private/plan.png").fsPath, madePng(4, 4));
    const link = (name: string, target: string) =>
      fs.symlink(workspaceUri(target).fsPath, workspaceUri(name).fsPath);
    await link("linked.md", "private/plan.md");
    await link("linkedFolder", "private");
    await link("linked.png", "private/plan.png");
  });
  after(async () => {
    usePolicyFiles();
    await clearUserSettings(...Object.keys(USER));
    await fs.rm(folder, { recursive: true });
    for (const name of [
      "private",
      "Q3.Secret-Plan",
      "plain.md",
      "linked.md",
      "linkedFolder",
      "linked.png",
    ])
      await fs.rm(workspaceUri(name).fsPath, { recursive: true, force: true });
  });
  beforeEach(() => answers.install());
  afterEach(() => answers.restore());

  const settings = () => readSettings().settings;
  const prepare = async (...[path, choices]: Parameters<typeof services.prepareTurn>) => {
    const turn = await services.prepareTurn(path, choices);
    return "kind" in turn
      ? turn.kind
      : [turn.connection.baseUrl, turn.connection.path, turn.modelKind, turn.modelCode].join(" ");
  };
  /** Body of a request of the vision model with a picture, as any feature may send. */
  const bodyWithPicture = async () => {
    const connection = await services.connectionTo(services.active(settings()));
    assert.ok(!("kind" in connection));
    const parts = [{ type: "text", text: "?" } as const, PICTURE];
    const request = {
      kind: "vl",
      modelCode: "m",
      messages: [{ role: "user", parts }],
      sampling: {},
      stream: true,
    } as const;
    const call = prepareCall(chatCompletions, request, connection, "k");
    assert.ok(!("kind" in call));
    return { text: new TextDecoder().decode(call.body), headers: call.headers };
  };
  const chosen = async (name: string, choice: "chosen" | "picked" | "unasked" = "chosen") => {
    for (let count = 0; count < 3; count++) answers.choose("Add");
    return (await readText(workspaceUri(name), choice)).kind;
  };
  const commands = () =>
    new ServiceCommands({
      ...stores,
      nextService: () => services.next(),
      activeChat: { shownConversation: undefined, show: () => Promise.resolve() },
      panelState: { noteSet: () => undefined, refresh: () => undefined },
      showFirstSteps: () => Promise.resolve(),
      testService: () => Promise.resolve({ tone: "info", text: "" }),
      output: {} as ServiceCommandOptions["output"],
      log: silentLog,
    });
  const transfer = () =>
    registerTransfer({ secrets: new KnownSecrets(), log: silentLog } as Parameters<
      typeof registerTransfer
    >[0]);
  const provider = () => new ModelProvider({ services } as ModelProviderOptions);
  const excerptOf = async (name: string) => {
    answers.choose("Add");
    const document = await vscode.workspace.openTextDocument(workspaceUri(name));
    const { part } = excerptIn(document, { startLine: 1, endLine: 1 });
    return maySendExcerpts(document, [part], "add");
  };
  const inWorkspaceSettings = async (name: string, value: unknown) => {
    const file = workspaceUri(".vscode/settings.json");
    const before = await fs.readFile(file.fsPath, "utf8").catch(() => undefined);
    await fs.mkdir(join(file.fsPath, ".."), { recursive: true });
    await fs.writeFile(file.fsPath, JSON.stringify({ [`coreChat.${name}`]: value }));
    try {
      return settings()[name as keyof typeof POLICY.settings];
    } finally {
      if (before === undefined) await fs.rm(file.fsPath);
      else await fs.writeFile(file.fsPath, before);
    }
  };

  /** What is tried, how, and the result that the policy leaves. */
  const ATTEMPTS: readonly (readonly [string, () => unknown, unknown])[] = [
    [
      "the user sets the same settings",
      () => {
        const names = Object.keys(POLICY.settings) as (keyof typeof POLICY.settings)[];
        return Object.fromEntries(names.map((name) => [name, settings()[name]]));
      },
      {
        ...POLICY.settings,
        profiles: POLICY.settings.profiles.map((one) => ({ ...one, models: {} })),
      },
    ],
    [
      "the user gives a service of the policy another address and model",
      () => services.all(settings()).map((one) => [one.baseUrl, one.modelCodes.llm]),
      [
        [CORP, "corp-text"],
        [TEAM, "corp-text"],
      ],
    ],
    ["the user replaces a header", async () => (await bodyWithPicture()).headers["x-corp"], "1"],
    [
      "the workspace adds a service",
      () => inWorkspaceSettings("profiles", USER.profiles),
      POLICY.settings.profiles.map((one) => ({ ...one, models: {} })),
    ],
    [
      "the workspace sets a command for the key",
      () => inWorkspaceSettings("apiKeyCommand", ["/bin/evil"]),
      [],
    ],
    [
      "a service that was chosen before the policy stays active",
      async () => {
        await memory.update("coreChat.profile", "Evil");
        return services.active(settings()).baseUrl;
      },
      CORP,
    ],
    [
      "a conversation names a service of the user",
      () => prepare([], { profile: "Evil" }),
      "no-profile",
    ],
    [
      "an imported conversation names an address as its service",
      () => prepare([], { profile: OWN }),
      "no-profile",
    ],
    [
      "a conversation names a service that both have",
      () => prepare([], { profile: "Team" }),
      `${TEAM} /maas/v1/chat/completions llm corp-text`,
    ],
    [
      "a conversation chooses the vision model",
      () => prepare([], { model: "vl" }),
      `${CORP} /v1/chat/completions llm corp-text`,
    ],
    [
      "a question has a picture",
      () => prepare([question], {}),
      `${CORP} /v1/chat/completions llm corp-text`,
    ],
    [
      "a feature asks the vision model with a picture",
      async () => (await bodyWithPicture()).text.includes("image"),
      false,
    ],
    [
      "Set Address",
      async () => {
        answers.type(OWN);
        await commands().setBaseUrl();
        return [answers.asked, settings().baseUrl];
      },
      [[], CORP],
    ],
    [
      "the button of a failure for the address",
      async () => {
        answers.type(OWN);
        await commands().runAction("set-base-url");
        return answers.asked;
      },
      [],
    ],
    [
      "code of the panel writes the address",
      async () => {
        await services.writeBaseUrl("https://other.example");
        return vscode.workspace.getConfiguration("coreChat").get("baseUrl");
      },
      OWN,
    ],
    [
      "another extension lists the models",
      async () => provider().information({ silent: true }),
      [],
    ],
    [
      "another extension uses a model that was listed before",
      () =>
        provider()
          .respond(
            { id: "corp-text" } as vscode.LanguageModelChatInformation,
            [],
            {} as vscode.ProvideLanguageModelChatResponseOptions,
            { report: () => undefined },
            new vscode.CancellationTokenSource().token,
          )
          .then(
            () => "answered",
            (error: unknown) => (error as vscode.LanguageModelError).code,
          ),
      "NoPermissions",
    ],
    ["a file of a path that is never sent is named", () => chosen("private/plan.md"), "left-out"],
    ["it is picked in the system's dialog", () => chosen("private/plan.md", "picked"), "left-out"],
    ["it is found by a feature", () => readFound([workspaceUri("private/plan.md")]), [undefined]],
    ["it is deep in the folder", () => chosen("private/deep/plan.md"), "left-out"],
    ["its name has another case", () => chosen("Q3.Secret-Plan"), "left-out"],
    ["a link leads to it", () => chosen("linked.md"), "left-out"],
    ["a linked folder leads to it", () => chosen("linkedFolder/plan.md"), "left-out"],
    ["its path has dots", () => chosen("plain/../private/plan.md"), "left-out"],
    ["it is open and its lines are added", () => excerptOf("private/plan.md"), false],
    ["it is open by a link and its lines are added", () => excerptOf("linked.md"), false],
    ["its problems are added", () => mayBeQuoted(workspaceUri("private/plan.md")), false],
    [
      "it is dropped as a file without a path",
      () => maySendOffered("a.secret-plan", "the plan"),
      false,
    ],
    [
      "its version in Git is open and its lines are added",
      async () => {
        answers.choose("Add");
        const uri = workspaceUri("private/plan.md");
        const inGit = uri.with({ scheme: "policy-test-git", query: "HEAD" });
        const document = await vscode.workspace.openTextDocument(inGit);
        const { part } = excerptIn(document, { startLine: 1, endLine: 1 });
        return maySendExcerpts(document, [part], "add");
      },
      false,
    ],
    [
      "Move History",
      async () => {
        answers.pick("Move History");
        await transfer().commands.manageHistory();
        return answers.shown.at(-1)?.text;
      },
      "Move History: Set by your organization",
    ],
    [
      "its lines were attached before the policy, and the question waited",
      async () => {
        const { kind, ...named } = {
          kind: "excerpt" as const,
          path: "private/plan.md",
          uri: workspaceUri("linked.md").toString(),
          languageId: "markdown",
        };
        const waiting: Message = {
          ...question,
          parts: [
            { kind: "text", text: "What?" },
            { kind, ...named, text: "the plan" },
            { kind: "related", relation: "tests", items: [{ kind, ...named, text: "the plan" }] },
          ],
        };
        const turn = await services.prepareTurn([waiting]);
        assert.ok(!("kind" in turn));
        let sent = "";
        const client: ServiceClient = {
          complete(request) {
            sent = JSON.stringify(request.messages);
            throw new Error("no reply is needed");
          },
        };
        const events = ask(
          client,
          { ...turn, path: [waiting], isContinuing: false },
          () => Promise.reject(new Error("no pictures")),
          new AbortController().signal,
        );
        await events.next();
        assert.match(sent, /What\?.*private\/plan\.md/);
        return sent.includes("the plan");
      },
      false,
    ],
    ["its folder is listed", () => mayListFolder(workspaceUri("private")), false],
    [
      "it is a picture and named",
      async () => readPictures([workspaceUri("private/plan.png").toString()]),
      [],
    ],
    [
      "it is a picture and picked",
      async () => (await readPicture(workspaceUri("private/plan.png"))).bytes,
      "unreadable",
    ],
    [
      "it is a picture behind a link",
      async () => readPictures([workspaceUri("linked.png").toString()]),
      [],
    ],
    [
      "Export Conversation",
      async () => {
        await transfer().commands.exportConversation();
        return answers.shown.at(-1)?.text;
      },
      "Export Conversation: Set by your organization",
    ],
    [
      "the user does not answer the question about retention",
      () => acceptedRetention({ findUnchanged: () => Promise.resolve(["a"]) }, memory, silentLog),
      30,
    ],
  ];

  for (const [name, uri, isListed = true] of [
    ["with composed characters", workspaceUri("Verträge/a.md".normalize("NFC"))],
    ["with decomposed characters", workspaceUri("Verträge/a.md".normalize("NFD"))],
    ["with another form of a letter", workspaceUri("ΟΔΟΣ/a.md")],
    ["with a character of two units", workspaceUri("𠮷野 📁/a.md")],
    ["longer than any path", workspaceUri("a/".repeat(2100) + "b.secret-plan")],
    ["of its own folder", vscode.Uri.file("/elsewhere/private/deep/plan.md")],
    ["of a folder that only begins alike", vscode.Uri.file("/elsewhere/privateer/plan.md"), false],
    [
      "of another scheme, with dots",
      vscode.Uri.from({
        scheme: "policy-test",
        path: `${workspaceUri().path}/plain/..//./private/plan.md`,
      }),
    ],
  ] as const) {
    it(`find a name ${name}`, () => assert.equal(isNeverSent([uri]), isListed));
  }

  for (const [name, attempt, expected] of ATTEMPTS)
    it(`fail: ${name}`, async () => assert.deepEqual(await attempt(), expected));

  it("leave what the policy does not name to the user", async () => {
    assert.equal(await chosen("plain.md"), "text");
    await write({ neverSent: ["/private/"] });
    await clearUserSettings("apiKeyCommand");
    await memory.update("coreChat.profile", undefined);
    assert.equal(settings().baseUrl, OWN);
    assert.equal(await prepare([question], {}), `${OWN} /own/chat/completions vl own-vision`);
    await write(POLICY);
  });

  it("send nothing when the file is spoiled", async () => {
    await write({ ...POLICY, pictures: "no" });
    assert.equal(await prepare([], {}), "bad-policy");
    assert.equal(await chosen("plain.md"), "left-out");
    await write(POLICY);
    assert.equal(await prepare([], {}), `${CORP} /v1/chat/completions llm corp-text`);
  });

  it("need no policy for the lists of a repository", async () => {
    await write({});
    const list = workspaceUri(".aiexclude").fsPath;
    try {
      for (const name of [".aiexclude", ".cursorignore", ".copilotignore"]) {
        const path = workspaceUri(name).fsPath;
        await fs.writeFile(path, "private/\n");
        const unasked = await readText(workspaceUri("private/plan.md"), "unasked");
        assert.equal(unasked.kind, "left-out", name);
        assert.equal((await readText(workspaceUri("private/plan.md"), "chosen")).kind, "left-out");
        assert.ok(answers.shown.at(-1)?.text.includes(name));
        answers.choose("Add");
        assert.equal((await readText(workspaceUri("private/plan.md"), "chosen")).kind, "text");
        // Nobody knows what a list excludes that is too long to read.
        await fs.writeFile(path, `other/\n${"#".repeat(300_000)}\n`);
        const uri = workspaceUri("plain.md");
        assert.equal((await readText(uri, "unasked")).kind, "left-out", `${name}, too long`);
        answers.choose("Add");
        assert.equal((await readText(uri, "chosen")).kind, "text");
        await fs.rm(path);
        assert.equal((await readText(uri, "unasked")).kind, "text");
      }
    } finally {
      await fs.rm(list, { force: true });
      await write(POLICY);
    }
  });
});
