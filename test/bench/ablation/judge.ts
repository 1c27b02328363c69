/** Prints the number of replies with each verdict, for the reader that this file is built with. */
import { readEdits } from "../../unit/edit/editCorpus";
import { outcomeOf, verdictOn } from "../../unit/edit/judge";

const counts = { exact: 0, asked: 0, wrong: 0 };
for (const edit of readEdits()) {
  const outcome = await outcomeOf(edit, [edit.reply]).catch(() => undefined);
  counts[outcome === undefined ? "wrong" : verdictOn(edit, outcome)]++;
}
console.log(JSON.stringify(counts));
process.exit();
