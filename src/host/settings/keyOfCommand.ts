/**
 * Key that a command of the user prints, for tokens that expire. Lazy-loaded. Neither the key nor any
 * output is logged.
 */
import { readApiKey } from "../../service/apiKey";
import { runCommand } from "../node/runCommand";

/** Time for which a key is used again, in milliseconds; tokens are usually valid for minutes. */
const REUSE_MS = 60_000;

export type KeyOfCommand =
  { readonly ok: true; readonly key: string } | { readonly ok: false; readonly problem: string };

interface Run {
  readonly command: string;
  readonly atMs: number;
  readonly reading: Promise<KeyOfCommand>;
}

let last: Run | undefined;

/** Runs the command, or returns the key of a run in the last minute. Never rejects. */
export async function keyOfCommand(words: readonly string[], nowMs: number): Promise<KeyOfCommand> {
  const command = JSON.stringify(words);
  const ageMs = nowMs - (last?.atMs ?? 0);
  // A negative age: the clock was set back.
  const isFresh = last?.command === command && ageMs >= 0 && ageMs < REUSE_MS;
  const run: Run = isFresh && last ? last : { command, atMs: nowMs, reading: readKey(words) };
  last = run;
  const reading = await run.reading;
  // A failure is tried again with the next question.
  if (!reading.ok && last === run) last = undefined;
  return reading;
}

/** Returns the key after the service refused one: runs the command again, unless a newer key is held. */
export async function keyAfter(
  refused: string,
  words: readonly string[],
  nowMs: number,
): Promise<KeyOfCommand> {
  const held = last;
  const reading = await held?.reading;
  if (last === held && reading?.ok === true && reading.key === refused) last = undefined;
  return keyOfCommand(words, nowMs);
}

async function readKey(words: readonly string[]): Promise<KeyOfCommand> {
  const run = await runCommand(words);
  if (!run.ok) return run;
  const reading = readApiKey(run.output);
  return reading.ok ? reading : { ok: false, problem: "no-key" };
}
