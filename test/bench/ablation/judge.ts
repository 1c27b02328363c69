/**
 * Judges the replies with the reader that this file is built with. The first run writes its verdicts to
 * the given file; each later run ends at the first reply with another verdict, prints that reply, and
 * moves it to the front, because a reply that needs one rule often needs others too.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readEdits } from "../../unit/edit/editCorpus";
import { outcomeOf, verdictOn, type Verdict } from "../../unit/edit/judge";

const [, , file = ""] = process.argv;
const edits = readEdits();
const known: [number, Verdict][] = existsSync(file)
  ? (JSON.parse(readFileSync(file, "utf8")) as [number, Verdict][])
  : [];

async function judge(index: number): Promise<Verdict> {
  const edit = edits[index]!;
  const outcome = await outcomeOf(edit, [edit.reply]).catch(() => undefined);
  return outcome === undefined ? "wrong" : verdictOn(edit, outcome);
}

if (known.length === 0) {
  const verdicts: [number, Verdict][] = [];
  for (const index of edits.keys()) verdicts.push([index, await judge(index)]);
  writeFileSync(file, JSON.stringify(verdicts));
  const count = (verdict: Verdict) => verdicts.filter(([, one]) => one === verdict).length;
  console.log(`${count("exact")} exact, ${count("asked")} asked, ${count("wrong")} wrong`);
  process.exit();
}

for (const [at, [index, expected]] of known.entries()) {
  const verdict = await judge(index);
  if (verdict === expected) continue;
  console.log(`${expected} → ${verdict}: ${edits[index]!.id}`);
  known.unshift(...known.splice(at, 1));
  writeFileSync(file, JSON.stringify(known));
  process.exit();
}
console.log("no reply needs it");
process.exit();
