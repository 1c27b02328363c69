/**
 * Judges the replies of the corpus, and runs the tests of reading replies, with each rule forced to a
 * value, in a build that calls `rule`.
 */
import { readEdits, type Edit } from "../../unit/edit/editCorpus";
import { outcomeOf, verdictOn } from "../../unit/edit/judge";
import { cases } from "./cases";
import "../../unit/edit/widerEdit.test";
import "../../unit/replyCode/changeSet.test";
import "../../unit/replyCode/commitReply.test";
import "../../unit/replyCode/findTarget.test";
import "../../unit/replyCode/hunks.test";
import "../../unit/replyCode/indentation.test";
import "../../unit/replyCode/insertedText.test";
import "../../unit/replyCode/labels.test";
import "../../unit/replyCode/readReply.test";
import "../../unit/replyCode/replies.test";

interface Rule {
  readonly name: string;
  /** Values that the condition is forced to; none for the condition of a loop. */
  readonly values: readonly boolean[];
}

/** Calls of conditions in a single reply beyond which the reader does not end. */
const MAX_CALLS = 20_000_000;

let calls = 0;
let forced: { readonly rule: number; readonly value: boolean } | undefined;
let seen = new Set<number>();

Object.assign(globalThis, {
  rule: (rule: number, value: unknown): unknown => {
    calls += 1;
    if (calls > MAX_CALLS) throw new Error("The reader does not end.");
    if (forced === undefined) seen.add(keyOf(rule, Boolean(value)));
    return forced?.rule === rule ? forced.value : value;
  },
});

// A promise that nothing waits for may fail; the sample then has another verdict.
process.on("unhandledRejection", () => undefined);

function keyOf(rule: number, value: boolean): number {
  return 2 * rule + Number(value);
}

/** A reply of the corpus or a test. */
interface Sample {
  readonly id: string;
  /** Returns the verdict on the reply, or whether the test passed. */
  readonly judge: () => Promise<string>;
}

/** Tests that read a reply at every length take longer, in ms. */
const MAX_SAMPLE_MS = 500;

function samples(): readonly Sample[] {
  const verdictOf = async (edit: Edit) => {
    const outcome = await outcomeOf(edit, [edit.reply]).catch(() => undefined);
    return outcome === undefined ? "wrong" : verdictOn(edit, outcome);
  };
  const resultOf = async (run: () => unknown) => {
    try {
      await run();
      return "passed";
    } catch {
      return "failed";
    }
  };
  return [
    ...readEdits().map((edit) => ({ id: edit.id, judge: () => verdictOf(edit) })),
    ...cases.map(({ id, run }) => ({ id, judge: () => resultOf(run) })),
  ];
}

/** Logs each rule with a sample that needs it. */
export async function judgeRules(
  rules: readonly Rule[],
  log: (line: string) => void,
): Promise<void> {
  const verdicts = new Map<Sample, string>();
  const samplesWith = new Map<number, Sample[]>();
  const slow: string[] = [];
  for (const sample of samples()) {
    seen = new Set();
    calls = 0;
    const start = performance.now();
    const verdict = await sample.judge();
    if (performance.now() - start > MAX_SAMPLE_MS) {
      slow.push(sample.id);
      continue;
    }
    verdicts.set(sample, verdict);
    for (const key of seen) samplesWith.set(key, [...(samplesWith.get(key) ?? []), sample]);
  }
  const counts = new Map<string, number>();
  for (const verdict of verdicts.values()) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  log(`all rules: ${[...counts].map(([verdict, count]) => `${count} ${verdict}`).join(", ")}`);
  log(`left out, because they take long: ${slow.length}`);
  for (const id of slow) log(`    ${id}`);
  // A sample that needs a rule often needs others too.
  const recent = new Set<Sample>();
  for (const [rule, { name, values }] of rules.entries()) {
    for (const value of values) {
      forced = { rule, value };
      const covering = new Set(samplesWith.get(keyOf(rule, !value)));
      const ordered = [...[...recent].reverse().filter((one) => covering.has(one)), ...covering];
      let needed = "no sample needs it";
      for (const sample of new Set(ordered)) {
        calls = 0;
        const [expected, verdict] = [verdicts.get(sample), await sample.judge()];
        if (verdict === expected) continue;
        needed = `${expected} → ${verdict}: ${sample.id}`;
        recent.delete(sample);
        recent.add(sample);
        break;
      }
      log(`${name} → ${value}\n    ${covering.size} samples; ${needed}`);
    }
  }
}
