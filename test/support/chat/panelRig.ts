/**
 * Sets up a chat session for tests with the real client, the reference service over a socket and a
 * journal on an in-memory disk. Only the editor and the page are fakes.
 */
import assert from "node:assert/strict";
import { systemClock, type Clock } from "../../../src/base/clock";
import { Emitter } from "../../../src/base/event";
import type { Log } from "../../../src/base/log";
import { silentLog } from "../fakes/silentLog";
import { toViewSchema, type HostReply, type ToView } from "../../../src/protocol/toView";
import type { ToHost } from "../../../src/protocol/toHost";
import type {
  AsideView,
  AttachmentView,
  CoordinatesView,
  EditingView,
  NoticeView,
  PanelView,
  QueuedView,
  ReplyView,
  TokenTheme,
  UserView,
} from "../../../src/protocol/views";
import { Conversations } from "../../../src/chat/conversation/conversations";
import type { Part, Reply } from "../../../src/conversation/message";
import type {
  Choices,
  PrepareTurn,
  TurnSettings,
} from "../../../src/chat/conversation/prepareTurn";
import type { PictureHost } from "../../../src/chat/pictures/shownPictures";
import { ChatSession } from "../../../src/chat/session";
import type { ShownMemory } from "../../../src/chat/conversation/shownConversation";
import type { SessionHost } from "../../../src/chat/sessionHost";
import type { UnusedCode } from "../../../src/chat/view/viewUpdater";
import type { PictureLimits } from "../../../src/pictures/validateImage";
import { History } from "../../../src/history/history";
import { indexOfBytes } from "../../../src/host/node/indexOfBytes";
import { HistoryIndex } from "../../../src/search/historyIndex";
import type { Messages } from "../../../src/chat/view/messages";
import { createClient, type ServiceClient } from "../../../src/service/client";
import { ServiceKey } from "../../../src/service/serviceKey";
import { FakeEditorContext } from "./fakeEditorContext";
import { plainMessages } from "./plainMessages";
import { MemoryFileSystem } from "../fakes/memoryFileSystem";
import { PANEL_SETTINGS } from "../fakes/panelSettings";

type Asked = Omit<Extract<ToHost, { type: "question-asked" }>, "type" | "text">;
type Edited = Omit<
  Extract<ToHost, { type: "editing-changed" }>,
  "type" | "conversationId" | "messageId"
>;
type Action = Extract<ToHost, { type: "action-asked" }>["action"];

/** State of a page, computed from the messages of the host. */
export interface Shown {
  readonly messages: (UserView | ReplyView)[];
  draft: string;
  editing: EditingView | undefined;
  notices: readonly NoticeView[];
  isRunning: boolean;
  /** Selected model. */
  model: string;
  /** Parameters of the conversation. */
  parameters: PanelView["parameters"];
  conversationId: string;
  title: string;
  queued: readonly QueuedView[];
  attachments: readonly AttachmentView[];
  asides: AsideView[];
  history: Extract<ToView, { type: "history-shown" }> | undefined;
  recent: Extract<ToView, { type: "recent-shown" }> | undefined;
}

/** A clock whose timers end 50 times as soon: checkpoints are written without waiting. */
export const quickClock: Clock = {
  ...systemClock,
  after: (delayMs, run) => systemClock.after(delayMs / 50, run),
};

/** A window; the next window may reuse its disk and its state. */
export class PanelRig {
  readonly files: MemoryFileSystem;
  readonly copied: string[] = [];
  /** Log lines. */
  readonly logged: string[] = [];
  readonly actions: string[] = [];
  readonly conversations: Conversations;
  readonly history: History;
  settings: Partial<TurnSettings> = {};
  /** Settings that the context meter depends on. */
  meter = { systemPrompt: "", budgetTokens: 32_000 };
  /** Color themes by id. */
  readonly themes = new Map<string, TokenTheme>();
  readonly themeChanges = new Emitter<void>();
  readonly panelStatusChanges = new Emitter<void>();
  /** Returns the notice for a failure that can be retried now; a test may replace this. */
  /** Code of replies that a review does not use. */
  unused: UnusedCode | undefined;
  settledNotice: (reply: Reply) => NoticeView | undefined = () => undefined;
  prepare: PrepareTurn | undefined;
  /** Resolves when the settings of a question are read. */
  prepared: Promise<void> = Promise.resolve();
  /** Choices passed with each question. */
  readonly choicesAsked: Choices[] = [];
  /** Editor functions for pictures; a test may change them. */
  readonly pictureHost: PictureHost & { limit: PictureLimits } = {
    limit: { maxSidePx: 8000, maxBytes: 10_485_760 },
    limits: () => this.pictureHost.limit,
    fit: () => "tiles",
    takeScreenshot: () => Promise.resolve(undefined),
    openEditor: (conversationId, attachmentId, name) =>
      void this.actions.push(`open ${attachmentId} of ${conversationId}, ${name}`),
    copyContent: (content, reply) => {
      this.actions.push(`copy ${content} of ${reply}`);
      return Promise.resolve({ text: reply, isCopied: true, uncertainCount: 0 });
    },
    save: (name, mediaType, bytes) =>
      Promise.resolve(void this.actions.push(`save ${name} ${mediaType} ${bytes.length}`)),
  };
  /** Answers to the next questions whether a conversation in memory is saved. */
  readonly saveAnswers: ("save" | "discard" | "cancel")[] = [];
  /** Answer to the question before an aside is removed. */
  isRemovalConfirmed = true;
  /** Scale of the coordinates of the service. */
  coordinates: CoordinatesView | undefined;
  /** Conversation that the panel shows. */
  shownId: string | undefined;
  /** Fake editor; tests set its state. */
  readonly context = new FakeEditorContext();
  private readonly host: SessionHost;

  constructor(
    private readonly baseUrl: string,
    before?: Pick<PanelRig, "files"> & Partial<Pick<PanelRig, "shownId">>,
    /** Replacements of the default client, of the plain messages, and of the clocks. */
    private readonly overrides: {
      readonly client?: ServiceClient;
      readonly messages?: Messages;
      readonly clock?: Clock;
      /** Clock of replies alone. */
      readonly turnClock?: Clock;
    } = {},
  ) {
    this.files = before?.files ?? new MemoryFileSystem();
    this.shownId = before?.shownId;
    const { clock = systemClock, turnClock = clock } = overrides;
    const addLine = (line: string) => void this.logged.push(line);
    const log: Log = { info: addLine, warn: addLine, error: addLine };
    this.history = new History(this.files, clock, log);
    this.conversations = new Conversations(
      this.history,
      new HistoryIndex(this.history, clock, log, indexOfBytes),
      {
        client: overrides.client ?? createClient({ fetch: globalThis.fetch }),
        prepareTurn: (path, choices = {}) => {
          this.choicesAsked.push(choices);
          return this.prepareTurn(path, choices);
        },
        rulesFor: () => {
          const rules = this.context.rules();
          return Promise.resolve(rules?.isOn === true ? rules.part : undefined);
        },
        clock: turnClock,
        log,
      },
      clock,
      log,
      () => "sample",
    );
    this.host = {
      context: this.context,
      meterSettings: () => this.meter,
      panelStatus: () => ({
        setup: [],
        models: [],
        model: "auto",
        hasWorkspace: true,
        settings: PANEL_SETTINGS,
        notices: [],
      }),
      settledNotice: (reply) => this.settledNotice(reply),
      onPanelStatusChanged: this.panelStatusChanges.event,
      chooseModel: (model, profile) =>
        this.actions.push(`model ${model}${profile === undefined ? "" : ` of ${profile}`}`),
      copy: (text) => Promise.resolve(this.copied.push(text) > 0),
      useCode: (action, _text, block) =>
        Promise.resolve(this.actions.push(`${action} ${block}`) > 0),
      openText: (text) => Promise.resolve(void this.actions.push(`open ${text}`)),
      useTable: (action, _text, table) =>
        Promise.resolve(void this.actions.push(`${action} of table ${table}`)),
      previewCode: ({ reply, block }) =>
        Promise.resolve(void this.actions.push(`preview ${block} of ${reply.id}`)),
      countNamedFiles: () => Promise.resolve(2),
      applyAll: (text) => {
        this.actions.push(`apply all of ${text}`);
        return Promise.resolve(this.unused);
      },
      askToSave: () => Promise.resolve(this.saveAnswers.shift() ?? "cancel"),
      deletePermanently: (id, title) => {
        this.actions.push(`delete “${title}”`);
        return this.conversations.removeForever([id]);
      },
      confirmAsideRemoval: () => Promise.resolve(this.isRemovalConfirmed),
      exportConversations: (ids) =>
        Promise.resolve(void this.actions.push(`export ${ids.join(", ")}`)),
      connect: () => Promise.resolve(undefined),
      emptyBin: async () =>
        this.conversations.removeForever(await this.conversations.index.binnedIds()),
      openLink: (url) => this.actions.push(`open ${url}`),
      composerFocusMoved: () => undefined,
      dismissNotice: (text) => this.actions.push(`dismiss ${text}`),
      findFiles: (mentions) =>
        Promise.resolve(mentions.map((text, at) => (text.endsWith(".ts") ? at + 1 : null))),
      openFile: (file) => this.actions.push(`open file ${file}`),
      placeMarks: () => Promise.resolve({}),
      clearMarks: () => undefined,
      runAction: (action) => Promise.resolve(void this.actions.push(action)),
      pictures: this.pictureHost,
      pointing: {
        coordinates: () => this.coordinates,
        saveCoordinates: (_profile, scale) => this.actions.push(`coordinates ${scale}`),
        hasWorkspace: () => true,
      },
      tokenTheme: (themeId) => Promise.resolve(this.themes.get(themeId)),
      onTokenThemeChanged: this.themeChanges.event,
      viewFailed: (where) => this.actions.push(`failed ${where}`),
    };
  }

  /** Opens a page for the panel, or for an editor tab with its own conversation. */
  async openPage(isTab = false): Promise<Page> {
    const panel = { load: () => this.shownId, save: (id: string) => (this.shownId = id) };
    const memory = isTab ? { load: () => undefined, save: () => undefined } : panel;
    const page = new Page((send) => this.openSession(memory, send));
    await page.post({ type: "view-ready" });
    return page;
  }

  /** Opens the session of a view that stores its conversation in `memory`. */
  openSession(memory: ShownMemory, send: (message: ToView) => void): ChatSession {
    return new ChatSession(
      memory,
      this.conversations,
      this.host,
      this.overrides.messages ?? plainMessages,
      systemClock,
      silentLog,
      send,
    );
  }

  private prepareTurn(...[path, choices = {}]: Parameters<PrepareTurn>): ReturnType<PrepareTurn> {
    if (this.prepare) return this.prepare(path, choices);
    const { model, profile = "" } = choices;
    const modelKind = model === undefined || model === "auto" ? "llm" : model;
    return this.prepared.then(() => ({
      modelKind,
      modelCode: `core_${modelKind}`,
      profile,
      systemPrompt: this.meter.systemPrompt,
      sampling: {},
      isStreamed: true,
      budgetTokens: this.meter.budgetTokens,
      contentFilter: "withdraw",
      connection: connectionTo(this.baseUrl),
      ...this.settings,
    }));
  }
}

export function connectionTo(baseUrl: string, retries = 0): TurnSettings["connection"] {
  const limits = { connectTimeoutMs: 5_000, firstByteTimeoutMs: 5_000, silenceTimeoutMs: 5_000 };
  return { baseUrl, key: new ServiceKey("local"), ...limits, retries };
}

/** Opens a window with a page for its panel. */
export async function openChat(...window: ConstructorParameters<typeof PanelRig>) {
  const rig = new PanelRig(...window);
  const page = await rig.openPage();
  return { rig, page, conversationId: page.conversationId };
}

/** Fake page that records the received messages. */
export class Page {
  readonly received: ToView[] = [];
  readonly shown: Shown = {
    messages: [],
    draft: "",
    editing: undefined,
    notices: [],
    isRunning: false,
    model: "",
    parameters: undefined,
    conversationId: "",
    title: "",
    queued: [],
    attachments: [],
    asides: [],
    history: undefined,
    recent: undefined,
  };
  readonly session: ChatSession;
  /** Receives each message too, for example to send it to a real page. */
  forward: ((message: ToView) => void) | undefined;
  private waiters: { test: () => boolean; resolve: () => void }[] = [];

  constructor(open: (send: (message: ToView) => void) => ChatSession) {
    this.session = open((message) => this.receive(message));
  }

  post(message: ToHost): Promise<HostReply | undefined> {
    return this.session.handle(message);
  }

  ask(text: string, more: Asked = {}): Promise<HostReply | undefined> {
    return this.post({ type: "question-asked", text, ...more });
  }

  get conversationId(): string {
    return this.shown.conversationId;
  }

  get texts(): string[] {
    return this.shown.messages.map(({ text }) => text);
  }

  get labels(): string[] {
    return this.shown.attachments.map(({ label }) => label);
  }

  /** Attaches parts to the draft, as commands of the editor do. */
  attach(...parts: Part[]): Promise<unknown> {
    return this.session.live!.draft.attach(parts);
  }

  type(text: string, edit?: number): Promise<HostReply | undefined> {
    const { conversationId } = this;
    return this.post({
      type: "draft-changed",
      conversationId,
      text,
      ...(edit !== undefined && { edit }),
    });
  }

  open(conversationId: string): Promise<HostReply | undefined> {
    return this.post({ type: "conversation-opened", conversationId });
  }

  /** Edits an earlier question; without its id, ends editing. */
  edit(messageId?: string, more: Edited = {}): Promise<HostReply | undefined> {
    const { conversationId } = this;
    const question = { conversationId, ...(messageId !== undefined && { messageId }) };
    return this.post({ type: "editing-changed", ...question, ...more });
  }

  /** Presses the button of a notice, below the last reply by default. */
  act(action: Action, messageId = this.lastReply?.id): Promise<HostReply | undefined> {
    return this.post({ type: "action-asked", action, ...(messageId && { messageId }) });
  }

  regenerate(messageId = this.lastReply?.id ?? ""): Promise<HostReply | undefined> {
    return this.post({ type: "regenerate-asked", messageId });
  }

  /** Waits for the end of the last reply, with a text if it is given. */
  untilEnded(text?: string): Promise<void> {
    return this.until(
      () =>
        this.lastReply?.isStreaming === false &&
        (text === undefined || this.lastReply.text === text),
    );
  }

  /** Asks and waits for the end of the reply. */
  async askToEnd(text: string, more: Asked = {}): Promise<ReplyView> {
    await this.ask(text, more);
    await this.untilEnded();
    const reply = this.lastReply;
    if (reply === undefined) throw new Error("no reply is shown");
    return reply;
  }

  get lastReply(): ReplyView | undefined {
    return this.shown.messages.findLast((message) => message.role === "assistant");
  }

  /** Returns the last received message of a type. */
  last<T extends ToView["type"]>(type: T): Extract<ToView, { type: T }> | undefined {
    return this.received.findLast(
      (message): message is Extract<ToView, { type: T }> => message.type === type,
    );
  }

  /** Resolves as soon as `test` returns true after a message of the host. */
  until(test: () => boolean): Promise<void> {
    if (test()) return Promise.resolve();
    return new Promise((resolve) => this.waiters.push({ test, resolve }));
  }

  private messageOf(messageId: string): UserView | ReplyView | undefined {
    const replies = this.shown.asides.flatMap(({ reply }) => reply ?? []);
    return [...this.shown.messages, ...replies].find(({ id }) => id === messageId);
  }

  private receive(raw: ToView): void {
    const message = toViewSchema.parse(structuredClone(raw));
    const { shown } = this;
    this.received.push(message);
    this.forward?.(raw);
    switch (message.type) {
      case "snapshot":
        shown.messages.splice(0, Infinity, ...message.messages);
        if (shown.conversationId !== message.conversationId) shown.asides = [];
        shown.draft = message.draft;
        shown.editing = message.editing;
        shown.isRunning = message.panel.isRunning;
        shown.model = message.panel.model;
        shown.parameters = message.panel.parameters;
        shown.notices = message.panel.notices;
        shown.conversationId = message.conversationId;
        shown.title = message.title;
        shown.queued = message.queued;
        shown.attachments = message.attachments;
        if (message.earlierCount > 0) void this.post({ type: "earlier-asked" });
        break;
      case "earlier-shown":
        assert.equal(message.beforeId, shown.messages[0]?.id);
        shown.messages.unshift(...message.messages);
        void this.post({ type: "earlier-asked" });
        break;
      case "messages-shown": {
        const at = shown.messages.findIndex(({ id }) => id === message.removedFromId);
        shown.messages.splice(
          at === -1 ? shown.messages.length : at,
          Infinity,
          ...message.messages,
        );
        break;
      }
      case "turn-delta": {
        const reply = this.messageOf(message.messageId);
        if (reply === undefined || reply.text.length !== message.offset)
          throw new Error("misplaced");
        reply.text += message.text;
        break;
      }
      case "thinking-delta": {
        const reply = this.messageOf(message.messageId);
        if (reply?.role !== "assistant" || !reply.thinking) throw new Error("misplaced");
        reply.thinking.text += message.text;
        break;
      }
      case "message-changed": {
        const at = shown.messages.findIndex(({ id }) => id === message.message.id);
        const aside = shown.asides.find(({ reply }) => reply?.id === message.message.id);
        const before = shown.messages[at] ?? aside?.reply;
        const changed = { ...message.message, text: before?.text ?? "" };
        if (changed.role === "assistant" && before?.role === "assistant" && changed.thinking) {
          changed.thinking = { ...changed.thinking, text: before.thinking?.text ?? "" };
        }
        if (at !== -1) shown.messages[at] = changed;
        if (aside && changed.role === "assistant") aside.reply = changed;
        break;
      }
      case "panel-changed":
        shown.isRunning = message.panel.isRunning;
        shown.model = message.panel.model;
        shown.parameters = message.panel.parameters;
        shown.notices = message.panel.notices;
        break;
      case "attachments-changed":
        shown.attachments = message.attachments;
        break;
      case "draft-restored":
        shown.draft = message.text;
        break;
      case "draft-shown":
        shown.draft = message.text;
        shown.editing = message.editing;
        break;
      case "queue-changed":
        shown.queued = message.queued;
        break;
      case "asides-shown":
        shown.asides = message.asides;
        break;
      case "title-changed":
        shown.title = message.title;
        break;
      case "history-shown":
        shown.history = message;
        break;
      case "recent-shown":
        shown.recent = message;
        break;
      case "history-opened":
      case "draft-saved":
      case "meter-changed":
      case "sending-shown":
      case "forks-shown":
      case "turn-status":
      case "theme-read":
      case "references-found":
      case "focus-asked":
      case "composer-command":
      case "navigation-asked":
      case "picture-job":
      case "picture-editor-opened":
      case "clipboard-picture-asked":
      case "screenshot-wanted":
      case "notice-shown":
      case "toast-shown":
        break;
      default:
        message satisfies never;
    }
    for (const waiter of this.waiters.filter(({ test }) => test())) {
      this.waiters = this.waiters.filter((other) => other !== waiter);
      waiter.resolve();
    }
  }
}
