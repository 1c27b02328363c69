/** What the user left out or summarized, over random conversations with branches, models, pictures and reloads. */
import assert from "node:assert/strict";
import { wireMessages } from "../../../src/ask/wireMessages";
import {
  applySteps,
  emptyConversation,
  type Conversation,
  type Step,
} from "../../../src/conversation/conversation";
import { shownPath } from "../../../src/conversation/paths";
import { exportJson } from "../../../src/conversation/exportJson";
import { importExported } from "../../../src/conversation/importExported";
import { SLICE } from "../../support/conversation/slices";
import {
  partsOf,
  type Message,
  type ModelKind,
  type Part,
} from "../../../src/conversation/message";
import { pictureKey } from "../../../src/conversation/sendablePath";
import { sendingState } from "../../../src/conversation/sending";
import { summaryRequest } from "../../../src/ask/summaryRequest";
import { encodeRecord, readLines } from "../../../src/history/record";
import { encodeRequest } from "../../../src/service/chatCompletions";
import type { ServiceMessage } from "../../../src/service/types";
import { checkMessages } from "../../service/messageRules";
import { itWithRounds } from "../../support/depth";
import { firstSeed, randomOf, type Random } from "../../support/fakes/seeded";
import { excerpt } from "./longConversation";

const TREES = { quick: 80, all: 2_000 };

/** Notes of roles, which earlier versions added to questions. */
const ROLES = ["Be a keeper.", "Rhyme.", undefined].map((text) =>
  text === undefined ? undefined : ({ kind: "note", source: "role", label: "Role", text } as const),
);

interface Wanted {
  readonly kind: ModelKind;
  readonly budgetTokens: number;
  readonly describesPictures: boolean;
}

/** A conversation, and every step that a crash leaves on the disk. */
class Journal {
  state: Conversation = emptyConversation("c", 0);
  private readonly steps: Step[] = [];
  private count = 0;

  id(prefix = ""): string {
    return `${prefix}${this.count++}`;
  }

  apply(...steps: Step[]): void {
    this.steps.push(...steps);
    this.state = applySteps(this.state, steps);
  }

  /** Returns the state that another window, or the next one, reads; repeated records change nothing. */
  reread(): Conversation {
    const read = this.steps.flatMap((step, index) => {
      const [line] = readLines(encodeRecord(String(index), step));
      assert.ok(line?.record.kind === "step", step.kind);
      return [line.record.step];
    });
    return applySteps(emptyConversation("c", 0), [...read, ...read.filter(isOfSending)]);
  }
}

function isOfSending({ kind }: Step): boolean {
  return kind.startsWith("sending-") || kind.startsWith("summary-");
}

/** Returns the text that stands for a message in its request. */
function mark(id: string): string {
  return `<${id}>`;
}

/** A picture whose hash an import accepts. */
function anyPicture(number: number): Part {
  const size = { widthPx: 300, heightPx: 200, bytes: 1, mediaType: "image/png" };
  return { kind: "image", hash: String(number).padStart(64, "0"), name: `p${number}.png`, ...size };
}

function urlOf(name: string): string {
  return `https://pictures.test/${name}`;
}

function addTurn(journal: Journal, random: Random, parentId: string | null): void {
  const id = journal.id("q");
  const role = ROLES[random(ROLES.length)];
  const parts: Part[] = [
    ...(role ? [role] : []),
    { kind: "text", text: `${mark(id)} ${"why ".repeat(random(40))}` },
    ...(random(4) === 0 ? [anyPicture(random(4))] : []),
    ...(random(2) === 0 ? [excerpt(`f${random(2)}.ts`, random(2))] : []),
  ];
  journal.apply({
    kind: "message-added",
    message: { role: "user", id, parentId, parts, sentAtMs: 1 },
  });
  addReply(journal, random, id);
}

function addReply(journal: Journal, random: Random, parentId: string): void {
  const id = journal.id("r");
  const text = random(8) === 0 ? "" : `${mark(id)} ${"word ".repeat(random(80))}`;
  const model = { modelKind: "llm" as const, modelCode: "core_llm" };
  const message: Message = { role: "assistant", id, parentId, text, ...model, startedAtMs: 1 };
  journal.apply({
    kind: "message-added",
    message: { ...message, ending: text === "" ? { kind: "stopped" } : { kind: "complete" } },
  });
}

/** Makes a choice, or uses a summary; returns the id of the entry. */
function choose(journal: Journal, random: Random): string | undefined {
  const path = shownPath(journal.state);
  const message = path[random(path.length)];
  if (message === undefined) return undefined;
  const id = journal.id("c");
  const { leafId: atId } = journal.state;
  if (random(4) === 0) {
    const turns = path.flatMap(({ role }, index) => (role === "user" && index > 0 ? [index] : []));
    const end = turns[random(turns.length)];
    if (end === undefined) return undefined;
    const { isLeftOut } = sendingState(path, journal.state.sending);
    const covers = path
      .slice(0, end)
      .filter((covered) => random(8) === 0 || !isLeftOut(covered.id))
      .map((covered) => ({ messageId: covered.id }));
    journal.apply({ kind: "summary-used", id, atId, covers, text: `${mark(id)} The user asked.` });
    return id;
  }
  // "kept" is a choice of earlier versions.
  const choice = ([null, "left-out", "left-out", "kept"] as const)[random(4)] ?? null;
  const part = partsOf(message).find((one) => one.kind === "image");
  const own = part && random(2) === 0 ? { picture: pictureKey(part) } : {};
  journal.apply({ kind: "sending-chosen", id, atId, messageId: message.id, ...own, choice });
  return id;
}

/** Returns the path with a next question. */
function nextPath(state: Conversation): Message[] {
  const parts: Part[] = [{ kind: "text", text: "next?" }];
  const { leafId: parentId } = state;
  return [...shownPath(state), { role: "user", id: "next", parentId, parts, sentAtMs: 2 }];
}

async function requestOf(
  state: Conversation,
  { kind, ...limits }: Wanted,
  path = nextPath(state),
  isContinuing = false,
): Promise<string[]> {
  const read = (image: { readonly name: string }) => Promise.resolve({ url: urlOf(image.name) });
  const own = { ...limits, sending: state.sending };
  const wired = await wireMessages("Be brief.", path, isContinuing, own, kind, read);
  return wired.messages.map((message) => JSON.stringify(message));
}

/** Returns the conversation that the import of its export creates. */
async function imported(state: Conversation): Promise<Conversation> {
  const file = await importExported(await exportJson(state, () => Promise.resolve(undefined)), {
    slice: SLICE,
    newId: () => "imported",
    cleanPicture: () => undefined,
    hashOf: () => Promise.resolve(""),
  });
  assert.ok(file.kind === "imported", file.kind);
  return applySteps(emptyConversation(file.id, 0), file.steps);
}

/** Checks that a request of any kind has no text and no picture that is left out. */
function checkLeftOut(
  state: Conversation,
  path: readonly Message[],
  request: readonly string[],
): void {
  const { isLeftOut } = sendingState(path, state.sending);
  const whole = request.join("\n");
  const pictures = new Set(path.flatMap(sentPictures));
  for (const message of path) {
    if (isLeftOut(message.id))
      assert.ok(!whole.includes(mark(message.id)), `${message.id} is sent`);
  }
  for (const url of [0, 1, 2, 3].map((number) => urlOf(`p${number}.png`)))
    if (!pictures.has(url)) assert.ok(!whole.includes(url), `${url} is sent`);
  for (const entry of state.sending?.entries ?? []) {
    const covered = entry.kind === "summary-used" ? entry.covers : [];
    const isOutdated = covered.some(({ messageId }) => isLeftOut(messageId));
    if (isOutdated) assert.ok(!whole.includes(mark(entry.id)), `${entry.id} has what is left out`);
  }

  function sentPictures({ id, ...message }: Message): string[] {
    if (message.role === "assistant") return [];
    return message.parts.flatMap((part) =>
      part.kind === "image" && !isLeftOut(id, pictureKey(part)) ? [urlOf(part.name)] : [],
    );
  }
}

/** Checks one request against every choice on its path. */
function checkRequest(state: Conversation, request: readonly string[], wanted: Wanted): void {
  const path = nextPath(state);
  const { summary, coveredCount } = sendingState(path, state.sending);
  const parsed = request.map((text) => JSON.parse(text) as ServiceMessage);
  const { kind } = wanted;
  const modelCode = `core_${kind}`;
  const asked = { kind, modelCode, messages: parsed, sampling: {}, stream: true };
  const encoded = encodeRequest(asked);
  assert.ok(encoded.ok, "the request can be encoded");
  const { messages } = JSON.parse(encoded.json) as { messages: unknown };
  assert.deepEqual(checkMessages(messages, modelCode), []);
  for (const [index, { role }] of parsed.entries()) {
    const expected = index === 0 ? "system" : index % 2 === 1 ? "user" : "assistant";
    assert.equal(role, expected, `role of message ${index}`);
  }
  assert.equal(parsed.at(-1)?.role, "user");
  checkLeftOut(state, path, request);
  const whole = request.join("\n");
  for (const { id } of path.slice(0, -1))
    assert.ok(request.filter((text) => text.includes(mark(id))).length <= 1, `${id} is sent once`);
  if (summary) {
    const at = request.findIndex((text) => text.includes(mark(summary.id)));
    assert.ok(at > 0, "the summary is sent");
    for (const { id } of path.slice(0, coveredCount))
      assert.ok(!whole.includes(mark(id)), `${id} is in the summary`);
  }
  assert.equal(request.filter((text) => text.includes("<summary>")).length, summary ? 1 : 0);
}

/** Checks the requests of every other kind on the shown path: aside, Regenerate, Continue and summary. */
async function checkOtherKinds(journal: Journal, random: Random, wanted: Wanted): Promise<void> {
  const { state } = journal;
  const path = shownPath(state);
  const about = path[random(path.length)];
  if (about === undefined) return;
  const upTo = path.slice(0, path.indexOf(about) + 1);
  const [next] = nextPath(state).slice(-1);
  const aside = next ? [...upTo, next] : upTo;
  checkLeftOut(state, aside, await requestOf(state, wanted, aside));
  const isContinuing = about.role === "assistant";
  checkLeftOut(state, upTo, await requestOf(state, wanted, upTo, isContinuing));
  const turns = path.flatMap(({ role }, index) => (role === "user" && index > 0 ? [index] : []));
  const count = turns[random(turns.length)] ?? 0;
  const summary = summaryRequest(path, count, state.sending);
  const asked = summary.sending ? { ...state, sending: summary.sending } : state;
  checkLeftOut(state, path, await requestOf(asked, wanted, [...summary.path]));
}

async function checkTree(random: Random): Promise<void> {
  const journal = new Journal();
  const steps = 3 + random(8);
  const wanted: Wanted = {
    kind: random(2) === 0 ? "llm" : "vl",
    budgetTokens: 150 + random(900),
    describesPictures: random(2) === 0,
  };
  for (let step = 0; step < steps; step++) {
    const messages = [...journal.state.messages.values()];
    const any = messages[random(messages.length)];
    const action = step < 2 ? 0 : random(8);
    if (action <= 1) addTurn(journal, random, journal.state.leafId);
    else if (action === 2 && any?.role === "user") addTurn(journal, random, any.parentId);
    else if (action === 3 && any?.role === "user") addReply(journal, random, any.id);
    else if (action === 4 && any) journal.apply({ kind: "path-chosen", leafId: any.id });
    else {
      const before = await requestOf(journal.state, wanted);
      const id = choose(journal, random);
      if (id !== undefined && random(3) === 0) {
        journal.apply({ kind: "sending-undone", id });
        const after = await requestOf(journal.state, wanted);
        assert.deepEqual(after, before, "undo restores the bytes of the request");
      }
    }
    const { leafId } = journal.state;
    if (journal.state.messages.get(leafId ?? "")?.role !== "assistant") continue;
    const request = await requestOf(journal.state, wanted);
    checkRequest(journal.state, request, wanted);
    await checkOtherKinds(journal, random, wanted);
    const isLast = step === steps - 1;
    if (!isLast && random(4) > 0) continue;
    assert.deepEqual(await requestOf(journal.reread(), wanted), request, "after a crash");
    if (isLast) {
      assert.deepEqual(await requestOf(await imported(journal.state), wanted), request, "imported");
    }
  }
}

describe("what the user left out", () => {
  itWithRounds("is in no request of any kind, in random conversations", TREES, async (count) => {
    const first = firstSeed();
    for (let seed = first; seed < first + count; seed++) {
      try {
        await checkTree(randomOf(seed));
      } catch (error) {
        throw new Error(`CORE_CHAT_SEED=${seed}: ${String(error)}`, { cause: error });
      }
    }
  });
});
