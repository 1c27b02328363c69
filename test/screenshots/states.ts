/**
 * Defines the states of the panel for the screenshots. The host's own functions write its messages,
 * so that no screenshot shows a text that the product lacks. Texts of users and models are samples.
 */
import { l10n } from "vscode";
import { failureNotice } from "../../src/host/messages/failureMessages";
import { info } from "../../src/host/messages/notices";
import { panelMessages } from "../../src/host/messages/panelMessages";
import type {
  AttachmentView,
  ChipView,
  HistoryRow,
  MessageView,
  PanelView,
} from "../../src/protocol/views";
import {
  poll,
  question,
  reply,
  type FakeHost,
  type Shown,
  meterOf,
} from "../page/support/fakeHost";
import { showRows } from "../page/support/historyRow";
import type { SampleTexts } from "./sampleTexts";

export type Language = "en" | "zh-cn";

export interface State {
  readonly name: string;
  /** Called while `l10n` has the screenshot's language. */
  readonly shown: (texts: SampleTexts) => Shown;
  /** Changes the page from its snapshot to the state. */
  readonly reach?: (host: FakeHost, texts: SampleTexts, inLanguage: InLanguage) => Promise<void>;
}

/** Calls a function while `l10n` has the screenshot's language. */
export type InLanguage = <T>(read: () => T) => T;

const SHOT = { hash: "a".repeat(64), widthPx: 1600, heightPx: 1000 };

const FILE: ChipView = { kind: "file", label: "src/retry.ts", detail: "12-24" };
const AUTOMATIC = { ...FILE, id: "selection", isOn: true, tooltip: "src/retry.ts:12-24" };

const RULES = (): ChipView => ({
  kind: "rules",
  label: l10n.t("Project rules"),
  detail: `AGENTS.md · ${l10n.t("~{0} tokens", 312)}`,
});

const DEFINITIONS = (): ChipView => ({
  kind: "definitions",
  ...panelMessages.related("definitions", 6, 1_230),
});

/** Chips of every other source of context, as the host names them. */
function contextChips(): ChipView[] {
  return [
    RULES(),
    FILE,
    DEFINITIONS(),
    { kind: "callers", ...panelMessages.related("callers", 3, 640) },
    {
      kind: "terminal",
      label: l10n.t("Last command"),
      detail: l10n.t("{0}, exit code {1}", "npm test -- --grep retry", 1),
    },
    { kind: "terminal", label: l10n.t("Terminal"), detail: "" },
    { kind: "test", label: l10n.t("Test failure"), detail: "retries three times" },
    { kind: "notebook", label: l10n.t("Output of {0}", "sales.ipynb, cell 3"), detail: "" },
    { kind: "changes", label: l10n.t("Changes in {0}", "src/retry.ts"), detail: "" },
  ];
}

const METER = meterOf({ system: 40, history: 2100, files: 380, question: 24 });

const SERVICE = "https://maas.example.com";

const SPEED = () => [l10n.t("{0} s", "2.1"), l10n.t("{0} tokens", 148)].join(" · ");

function sentLine(model: string, tokens: number, pictures?: string): string {
  return [model, ...(pictures ? [pictures] : []), l10n.t("~{0} tokens", tokens)].join(" · ");
}

function conversation(texts: SampleTexts): MessageView[] {
  return [
    question("q1", texts.question, { chips: [FILE], sentLine: sentLine("core_llm", 620) }),
    reply("r1", texts.reply, { metaLine: SPEED() }),
    question("q2", texts.followUp, {
      sentLine: sentLine("core_llm", 1_240),
      version: { index: 2, count: 2 },
    }),
    reply("r2", texts.tableReply, { metaLine: SPEED() }),
  ];
}

function failures(texts: SampleTexts): MessageView[] {
  return [
    question("q1", texts.question, { sentLine: sentLine("core_llm", 620) }),
    reply("r1", texts.reply.slice(0, texts.reply.indexOf("if (attempt")), {
      notice: failureNotice({ kind: "truncated" }, true),
      metaLine: SPEED(),
    }),
    question("q2", texts.followUp),
    reply("r2", "", {
      metaLine: "",
      notice: {
        ...failureNotice({ kind: "unauthorized", host: "maas.example.com", message: "" }, false),
        serviceMessage: "invalid_api_key: no such key",
      },
    }),
  ];
}

function picture(label: string, more: Partial<AttachmentView> = {}): AttachmentView {
  return {
    id: label,
    kind: "picture",
    label,
    picture: SHOT,
    fit: "whole",
    detail: l10n.t("{0}, original", "1600×1000 PNG, 184 KB"),
    ...more,
  };
}

function historyRows({ titles }: SampleTexts): HistoryRow[] {
  const row = (index: number, daysAgo: number, more: Partial<HistoryRow> = {}): HistoryRow => {
    const atMs = new Date().setHours(10, 24, 0, 0) - daysAgo * 24 * 60 * 60 * 1000;
    return {
      id: `c${index}`,
      title: titles[index] ?? "",
      titleRanges: [],
      snippets: [],
      when: panelMessages.when(atMs),
      period: panelMessages.period(atMs),
      detail: "",
      isPinned: false,
      isRunning: false,
      isShown: false,
      isDamaged: false,
      ...more,
    };
  };
  return [
    row(0, 40, { isPinned: true }),
    row(1, 0, { isShown: true }),
    row(2, 0, { isRunning: true, pictureCount: 1 }),
    row(3, 1),
    row(4, 4, { pictureCount: 2 }),
    row(5, 50),
  ];
}

function foundRows(texts: SampleTexts): HistoryRow[] {
  const rows = historyRows(texts);
  return [rows[1], rows[3], rows[5]].flatMap((row, index) => {
    const text = texts.excerpts[index] ?? "";
    const start = text.indexOf(texts.searched);
    const ranges = [{ start, end: start + texts.searched.length }];
    return row ? [{ ...row, snippets: [{ text, ranges }] }] : [];
  });
}

function sentPicture(label: string): ChipView {
  return { kind: "picture", label, detail: "1600×1000 PNG, 184 KB", picture: SHOT };
}

/** A question about a picture and a reply that points to two of its places. */
function pointing(texts: SampleTexts): Shown {
  const chip = sentPicture("checkout.png");
  return {
    messages: [
      question("q1", texts.pictureQuestion, {
        chips: [chip],
        sentLine: sentLine("core_vl", 1_600, `${l10n.t("1 picture")} (${chip.detail})`),
        sentPictures: [chip],
      }),
      reply("r1", texts.pointingReply, {
        modelKind: "vl",
        metaLine: SPEED(),
        seenPictures: [{ ...SHOT, name: chip.label, number: 1, isOfQuestion: true }],
      }),
    ],
  };
}

async function showHistory(
  host: FakeHost,
  texts: SampleTexts,
  inLanguage: InLanguage,
  text = "",
): Promise<void> {
  await host.send({ type: "history-opened" });
  const search = host.page.getByRole("searchbox");
  await search.waitFor();
  if (text !== "") {
    await search.fill(text);
    await host.waitFor("history-asked", 2);
  }
  const rows = inLanguage(() => (text === "" ? historyRows(texts) : foundRows(texts)));
  await showRows(host, rows, { text });
  await host.page.locator(".history-row").first().waitFor();
}

function running(texts: SampleTexts, text: string): Shown {
  return {
    messages: [
      question("q1", texts.question, {
        chips: [FILE],
        sentLine: text === "" ? "" : sentLine("core_llm", 620),
      }),
      reply("r1", text, { isStreaming: true, metaLine: "" }),
    ],
    panel: { isRunning: true },
  };
}

/** Options of the model picker, which every state has. */
export function models(): PanelView["models"] {
  return [
    { id: "auto", label: l10n.t("Auto") },
    { id: "llm", label: "core_llm" },
    { id: "vl", label: "core_vl" },
  ];
}

/** States in the order of a first day with the product. */
export const STATES: readonly State[] = [
  {
    name: "01-setup",
    shown: () => ({
      panel: {
        setup: [
          {
            id: "service",
            isDone: true,
            title: l10n.t("Service"),
            detail: SERVICE,
          },
          {
            id: "key",
            isDone: false,
            title: l10n.t("API key"),
            detail: l10n.t("Stored in VS Code's secret storage and sent only to this service."),
          },
        ],
      },
    }),
  },
  {
    name: "02-empty",
    shown: () => ({ panel: { automatic: AUTOMATIC } }),
    reach: async (host, texts, inLanguage) => {
      await host.waitFor("recent-asked");
      const rows = inLanguage(() => historyRows(texts).slice(2, 5));
      await host.send({ type: "recent-shown", rows });
    },
  },
  {
    name: "04-streaming",
    shown: (texts) => ({
      ...running(texts, texts.reply.slice(0, texts.reply.indexOf("if (attempt"))),
      queued: [
        { id: "w1", text: texts.followUp },
        { id: "w2", text: texts.titles[4] ?? "" },
      ],
    }),
  },
  {
    name: "05-reply",
    shown: (texts) => ({ messages: conversation(texts), panel: { automatic: AUTOMATIC } }),
    reach: (host) => host.send({ type: "meter-changed", meter: METER }),
  },
  {
    name: "06-failure",
    shown: (texts) => ({
      messages: failures(texts),
      panel: {
        notices: [
          info(
            l10n.t("Restricted Mode: the workspace's settings and prompts are ignored."),
            "manage-trust",
          ),
          info(l10n.t("This workspace sets the system prompt."), "show-system-prompt"),
        ],
      },
    }),
  },
  {
    name: "07-pictures",
    shown: (texts) => ({
      messages: [
        question("q1", texts.pictureQuestion, {
          chips: [1, 2, 3].map((number) => ({
            kind: "picture" as const,
            label: `checkout-${number}.png`,
            detail: "1600×1000 PNG, 184 KB",
            picture: SHOT,
          })),
          sentLine: sentLine("core_vl", 4_080, l10n.t("{0} pictures", 3)),
        }),
        reply("r1", texts.pictureReply, { modelKind: "vl", metaLine: SPEED() }),
      ],
      attachments: [picture("checkout.png"), picture("cart.png", { fit: "marked", sent: [SHOT] })],
      draft: texts.pictureFollowUp,
    }),
  },
  {
    name: "08-picture-editor",
    // A larger picture is marked up in a tab of its own.
    shown: () => ({
      attachments: [picture("checkout.png", { picture: { ...SHOT, widthPx: 480, heightPx: 300 } })],
    }),
    reach: async (host) => {
      await host.page.locator(".picture-tile").click();
      const canvas = host.page.getByRole("application");
      await canvas.waitFor();
      const box = await canvas.boundingBox();
      if (box === null) throw new Error("the picture is not visible");
      const { mouse } = host.page;
      await mouse.move(box.x + box.width * 0.62, box.y + box.height * 0.24);
      await mouse.down();
      await mouse.move(box.x + box.width * 0.97, box.y + box.height * 0.6, { steps: 4 });
      await mouse.up();
    },
  },
  {
    name: "09-history",
    shown: (texts) => ({ messages: conversation(texts) }),
    reach: (host, texts, inLanguage) => showHistory(host, texts, inLanguage),
  },
  {
    name: "10-search",
    shown: (texts) => ({ messages: conversation(texts) }),
    reach: (host, texts, inLanguage) => showHistory(host, texts, inLanguage, texts.searched),
  },
  {
    name: "11-parameters",
    shown: (texts) => ({
      messages: conversation(texts),
      panel: { parameters: { temperature: 0.2 } },
    }),
    reach: async (host) => {
      await host.page.locator(".parameters-button button").click();
      await host.page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "12-completion",
    shown: (texts) => ({
      messages: conversation(texts),
      panel: { automatic: AUTOMATIC },
    }),
    reach: async (host) => {
      const box = host.page.getByRole("textbox").last();
      await box.focus();
      await host.page.keyboard.type("#ret");
      // A slow machine asks for the first letters before.
      const last = () => host.receivedOf("references-asked").at(-1);
      await poll(() => Promise.resolve(last()?.text === "ret"), "the search");
      const query = last()?.query ?? 0;
      await host.send({
        type: "references-found",
        query,
        isComplete: true,
        items: [
          { kind: "file", label: "retry.ts", detail: "src" },
          { kind: "file", label: "retry.test.ts", detail: "test" },
          { kind: "symbol", label: "withRetry", detail: "src/retry.ts" },
          { kind: "folder", label: "retries", detail: "src" },
        ],
      });
      await host.page.locator(".completion-item").first().waitFor();
    },
  },
  {
    name: "13-context",
    shown: (texts) => ({
      messages: [
        question("q1", texts.question, {
          chips: contextChips(),
          sentLine: sentLine("core_llm", 4_180),
        }),
        reply("r1", texts.tableReply, { metaLine: SPEED() }),
      ],
      panel: {
        automatic: AUTOMATIC,
        rules: { ...RULES(), isOn: true },
        definitions: { ...DEFINITIONS(), id: "d1", isOn: true },
      },
      attachments: contextChips()
        .filter(({ kind }) => kind !== "rules" && kind !== "definitions")
        .map((chip) => ({ ...chip, id: chip.label })),
      draft: texts.followUp,
    }),
    reach: (host) => host.send({ type: "meter-changed", meter: METER }),
  },
  {
    name: "14-pointing",
    shown: pointing,
    reach: async ({ page }) => {
      await page.locator(".pointed-picture img[src]").waitFor();
      await page.locator(".pointed-picture button").first().hover();
    },
  },
  {
    name: "15-viewer",
    shown: pointing,
    reach: async ({ page }) => {
      await page.locator(".pointed-picture img[src]").waitFor();
      await page.locator(".pointed-picture button").nth(1).click();
      await page.getByRole("dialog").locator(".picture-area img[src]").waitFor();
    },
  },
  {
    name: "17-thinking",
    shown: (texts) => ({
      messages: [
        question("q1", texts.question),
        reply("r1", texts.reply, {
          thinking: { text: texts.followUp, durationMs: 12_000, isOngoing: false },
          metaLine: SPEED(),
        }),
        question("q2", texts.followUp),
        reply("r2", "", {
          thinking: { text: texts.tableReply, durationMs: 3_000, isOngoing: true },
          isStreaming: true,
          metaLine: "",
        }),
      ],
      panel: { isRunning: true },
    }),
  },
  {
    name: "21-copy-from-picture",
    shown: (texts) => ({
      messages: [
        question("q1", texts.pictureQuestion, { chips: [sentPicture("checkout.png")] }),
        reply("r1", texts.pictureReply, { modelKind: "vl", metaLine: SPEED() }),
      ],
    }),
    reach: async (host, _texts, inLanguage) => {
      const { page } = host;
      await page.locator(".sent-picture .thumbnail-button").click();
      const copier = inLanguage(() => l10n.t("Copy from the picture"));
      await page.locator("dialog [aria-haspopup]").click();
      await page.getByRole("menuitem", { name: copier }).click();
      const canvas = page.getByRole("application");
      await canvas.focus();
      // A frame by keyboard around the middle of the picture.
      for (const key of ["Enter", ...Array<string>(9).fill("ArrowRight"), "Enter"]) {
        await page.keyboard.press(key);
        if (key === "ArrowRight") await page.keyboard.press("ArrowDown");
      }
      if (typeof host.answer === "string") throw new Error("no answer");
      const rows = ["Item | Price", "--- | ---", "Keyboard | 49.00", "Cable ⟦1.8⟧ m | 7.⟦5⟧"];
      const text = rows.map((row) => `| ${row} |`).join("\n");
      const content = { conversationId: "c2", text, isCopied: true, uncertainCount: 2 };
      host.answer = { ...host.answer, content };
      const asked = inLanguage(() => l10n.t("Copy as table"));
      await page.getByRole("button", { name: asked }).click();
      await page.locator(".content-result pre").waitFor();
    },
  },
  {
    name: "22-aside-and-fork",
    shown: (texts) => ({
      messages: [
        question("q1", texts.question),
        reply("r1", texts.reply, { metaLine: SPEED() }),
        question("q2", texts.followUp),
        reply("r2", texts.tableReply, { metaLine: SPEED() }),
      ],
    }),
    reach: async (host, texts) => {
      const quoted = { messageId: "r2", start: 0, end: 20, isThinking: false };
      const aside = (id: string, text: string) => ({
        id,
        messageId: "r2",
        text: texts.question,
        chips: [],
        quoted,
        reply: reply(`${id}-reply`, text),
      });
      await host.send({
        type: "forks-shown",
        from: { conversationId: "c0", title: texts.question },
        forks: [{ conversationId: "c2", messageId: "r2", title: texts.followUp }],
      });
      await host.send({ type: "asides-shown", asides: [aside("a1", texts.pictureReply)] });
      await host.page.locator(".aside-mark").click();
      await host.page.locator(".aside-box").scrollIntoViewIfNeeded();
    },
  },
];

/** Additional states for the README's screenshots. */
export const README_STATES: readonly State[] = [
  {
    name: "readme-conversation",
    shown: (texts) => ({
      messages: conversation(texts),
      attachments: [picture("checkout.png")],
      draft: texts.pictureQuestion,
    }),
  },
  {
    name: "readme-failure",
    shown: (texts) => ({ messages: failures(texts) }),
  },
];
