/**
 * Gathers the state of a paused debugger: stack, local variables to depth 2 and the exception.
 * Requests of the Debug Adapter Protocol that take too long are left out.
 * Source: https://microsoft.github.io/debug-adapter-protocol/specification
 */
import * as vscode from "vscode";
import * as z from "zod/mini";
import type { Clock } from "../../base/clock";
import { endOf } from "../../context/programText";
import { withoutSecrets } from "../../secrets/secretText";
import { maySendText } from "../access/readAccess";
import { pathOf } from "../platform/sourceText";
import { refused, type Gathered } from "./gather";
import { sentText } from "./sentText";

/** Time limit of all requests, in milliseconds. */
const TIME_LIMIT_MS = 300;

/** Upper limits of frames, variables of a scope, expanded variables and their members. */
const MAX_FRAMES = 20;
const MAX_VARIABLES = 40;
const MAX_EXPANDED = 15;
const MAX_MEMBERS = 15;

/** Upper limits of a value and of the whole text, in UTF-16 units. */
const MAX_VALUE = 200;
const MAX_TEXT = 16_000;

const stackSchema = z.object({
  stackFrames: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      line: z.number(),
      source: z.optional(z.object({ path: z.optional(z.string()), name: z.optional(z.string()) })),
    }),
  ),
});
const scopesSchema = z.object({
  scopes: z.array(
    z.object({
      name: z.string(),
      variablesReference: z.number(),
      expensive: z.optional(z.boolean()),
    }),
  ),
});
const variablesSchema = z.object({
  variables: z.array(
    z.object({ name: z.string(), value: z.string(), variablesReference: z.number() }),
  ),
});
const exceptionSchema = z.object({
  exceptionId: z.string(),
  description: z.optional(z.string()),
  details: z.optional(
    z.object({ message: z.optional(z.string()), stackTrace: z.optional(z.string()) }),
  ),
});

/** True while a debugger is paused. */
export function isStopped(): boolean {
  return vscode.debug.activeStackItem !== undefined;
}

/** A paused thread, or the chosen frame of its stack. */
type StackItem = Pick<vscode.DebugThread, "threadId"> & {
  readonly session: Pick<vscode.DebugSession, "customRequest">;
  readonly frameId?: number;
};

/** Gathers the state of a paused thread, by default of the one that VS Code shows. */
export async function gatherStoppedHere(
  clock: Clock,
  item: StackItem | undefined = vscode.debug.activeStackItem,
): Promise<Gathered> {
  if (item === undefined) {
    return refused(
      vscode.l10n.t("The debugger is not paused. Set a breakpoint and start debugging."),
    );
  }
  const { session, threadId, frameId } = item;
  const state: StoppedState = { stack: [], locals: [], exception: "" };
  // Each part appears in the state when its request has an answer.
  await Promise.race([
    Promise.allSettled([
      readStack(session, threadId, frameId, state),
      readException(session, threadId, state),
    ]),
    new Promise<void>((resolve) => void clock.after(TIME_LIMIT_MS, resolve)),
  ]);
  const { stack, locals, exception } = state;
  if (stack.length === 0) {
    return refused(vscode.l10n.t("The debugger did not report where it is paused. Try again."));
  }
  const sections = [
    ...(exception === "" ? [] : [`Exception:\n${exception}`]),
    `Stack, innermost first:\n${stack.join("\n")}`,
    ...(locals.length === 0 ? [] : [`Variables:\n${locals.join("\n")}`]),
  ];
  const text = `The debugger is paused here.\n${(await sentText(sections.join("\n\n"))).slice(0, MAX_TEXT)}`;
  const label = vscode.l10n.t("Paused debugger");
  if (!(await maySendText(label, text))) return refused();
  const [detail = ""] = stack;
  return { ok: true, parts: [{ kind: "note", source: "debugger", label, detail, text }] };
}

interface StoppedState {
  stack: string[];
  locals: string[];
  exception: string;
}

async function readStack(
  session: StackItem["session"],
  threadId: number,
  chosenFrame: number | undefined,
  state: StoppedState,
): Promise<void> {
  const levels = { threadId, startFrame: 0, levels: MAX_FRAMES };
  const { stackFrames } = stackSchema.parse(await session.customRequest("stackTrace", levels));
  state.stack = stackFrames.slice(0, MAX_FRAMES).map(({ name, line, source }) => {
    const path = source?.path;
    const file = path === undefined ? (source?.name ?? "") : pathOf(vscode.Uri.file(path));
    return file === "" ? name : `${name} (${file}:${line})`;
  });
  const frameId = chosenFrame ?? stackFrames[0]?.id;
  if (frameId === undefined) return;
  const { scopes } = scopesSchema.parse(await session.customRequest("scopes", { frameId }));
  for (const { name, variablesReference, expensive = false } of scopes) {
    if (expensive) continue;
    const lines = await readVariables(session, variablesReference);
    if (lines.length > 0) state.locals.push(`${name}:`, ...lines);
  }
}

/** Returns a line for each variable, and for each member of the first variables that have some. */
async function readVariables(
  session: StackItem["session"],
  variablesReference: number,
): Promise<string[]> {
  const read = async (reference: number) =>
    variablesSchema.parse(
      await session.customRequest("variables", { variablesReference: reference }),
    ).variables;
  const variables = (await read(variablesReference)).slice(0, MAX_VARIABLES);
  const expanded = variables.filter((one) => one.variablesReference > 0).slice(0, MAX_EXPANDED);
  const members = new Map(
    await Promise.all(
      expanded.map(async (variable) => {
        const found = await read(variable.variablesReference).catch(() => []);
        return [variable, found.slice(0, MAX_MEMBERS)] as const;
      }),
    ),
  );
  return variables.flatMap((variable) => [
    line("  ", variable),
    ...(members.get(variable) ?? []).map((member) => line("    ", member)),
  ]);
}

/** Secrets are removed first: a part of a secret is not recognized. */
function line(indent: string, { name, value }: { name: string; value: string }): string {
  const assigned = `${name} = `;
  const safe = withoutSecrets(assigned + value).slice(assigned.length);
  const plain = safe.replaceAll(/\s+/g, " ");
  const shown = plain.length > MAX_VALUE ? `${plain.slice(0, MAX_VALUE)}…` : plain;
  return `${indent}${name} = ${shown}`;
}

/** Most pauses are no exceptions; adapters then refuse the request. */
async function readException(
  session: StackItem["session"],
  threadId: number,
  state: StoppedState,
): Promise<void> {
  const answer: unknown = await session.customRequest("exceptionInfo", { threadId });
  const { exceptionId, description = "", details } = exceptionSchema.parse(answer);
  const texts = [exceptionId, description, details?.message ?? "", details?.stackTrace ?? ""];
  const lines = [...new Set(texts.filter((one) => one !== ""))];
  state.exception = endOf(withoutSecrets(lines.join("\n")), 4_000);
}
