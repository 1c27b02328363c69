/** Judges the replies of the corpus with each rule forced to a value, in a build that calls `rule`. */
import { readEdits, type Edit } from "../../unit/edit/editCorpus";
import { outcomeOf, verdictOn, type Verdict } from "../../unit/edit/judge";

interface Rule {
  readonly name: string;
  /** Values that the condition is forced to; none for the condition of a loop. */
  readonly values: readonly boolean[];
}

/** Calls of conditions in a single reply beyond which the reader does not end. */
const MAX_CALLS = 20_000_000;

let calls = 0;
let forced: { readonly rule: number; readonly value: boolean } | undefined;
let seen = new Set<string>();

Object.assign(globalThis, {
  rule: (rule: number, value: unknown): unknown => {
    calls += 1;
    if (calls > MAX_CALLS) throw new Error("The reader does not end.");
    if (forced === undefined) seen.add(`${rule} ${Boolean(value)}`);
    return forced?.rule === rule ? forced.value : value;
  },
});

async function judge(edit: Edit): Promise<Verdict> {
  calls = 0;
  const outcome = await outcomeOf(edit, [edit.reply]).catch(() => undefined);
  return outcome === undefined ? "wrong" : verdictOn(edit, outcome);
}

/** Logs each rule with a reply that needs it. */
export async function judgeRules(
  rules: readonly Rule[],
  log: (line: string) => void,
): Promise<void> {
  const verdicts = new Map<Edit, Verdict>();
  const editsWith = new Map<string, Edit[]>();
  for (const edit of readEdits()) {
    seen = new Set();
    verdicts.set(edit, await judge(edit));
    for (const key of seen) editsWith.set(key, [...(editsWith.get(key) ?? []), edit]);
  }
  const count = (verdict: Verdict) =>
    [...verdicts.values()].filter((one) => one === verdict).length;
  log(`all rules: ${count("exact")} exact, ${count("asked")} asked, ${count("wrong")} wrong`);
  // A reply that needs a rule often needs others too.
  const recent = new Set<Edit>();
  for (const [rule, { name, values }] of rules.entries()) {
    for (const value of values) {
      forced = { rule, value };
      const edits = new Set(editsWith.get(`${rule} ${!value}`));
      const ordered = [...[...recent].reverse().filter((edit) => edits.has(edit)), ...edits];
      let needed = "no reply needs it";
      for (const edit of new Set(ordered)) {
        const [expected, verdict] = [verdicts.get(edit), await judge(edit)];
        if (verdict === expected) continue;
        needed = `${expected} → ${verdict}: ${edit.id}`;
        recent.delete(edit);
        recent.add(edit);
        break;
      }
      log(`${name} → ${value}\n    ${edits.size} replies; ${needed}`);
    }
  }
}
