/** Reads the replies of test/fixtures/replies/edits; README.md there describes the format. */
import { readdirSync, readFileSync } from "node:fs";
import * as z from "zod/mini";

const FOLDER = "test/fixtures/replies/edits";

const filled = z.string().check(z.minLength(1));
const lines = z.readonly(z.array(z.string()));

/** The text is the whole file; `asks` and `unchanged` do not use it. */
const expectation = z.object({
  kind: z.enum(["result", "result-or-asks", "asks", "unchanged"]),
  text: filled,
});

const file = z.object({
  path: filled,
  languageId: filled,
  label: filled,
  indent: z.enum(["1", "2", "3", "4", "tab"]),
  comment: z.string(),
  isCrlf: z.boolean(),
  before: lines,
  selected: z.readonly(z.array(z.string()).check(z.minLength(1))),
  /** Selected columns, if only a part of the first or last line is selected. */
  columns: z.array(z.number()),
  after: lines,
});

const edit = z.object({
  id: z.string().check(z.regex(/^[\w-]+(?:\/[\w-]+)?$/)),
  kind: z.string().check(z.regex(/^[a-z0-9-]+$/)),
  /** Address of the description of the format. */
  source: z.url(),
  file,
  reply: filled,
  expected: expectation,
});

export type EditedFile = z.infer<typeof file>;
export type Edit = z.infer<typeof edit>;

interface Section {
  readonly name: string;
  readonly words: readonly string[];
  readonly lines: readonly string[];
}

/** Files of the folder that hold no edited files. */
const SHARED = ["shapes", "sources", "asked", "wrong"];

/** Sections after a reply that say what it should result in. */
const VERDICTS = new Set(["becomes", "whole", "asks", "unchanged", "may-ask"]);

/** Returns all replies, each with its file and its expected outcome. */
export function readEdits(): Edit[] {
  const sources = new Map(sectionsIn("sources").map(({ words: [key, url] }) => [key, url]));
  const shared = sectionsIn("shapes");
  const named = (kind: string) => shared.filter(({ name }) => name === kind);
  const groups = new Map(named("group").map(({ words: [id, ...ids] }) => [id, ids]));
  const shapes = new Map(
    named("shape").map((shape) => [shape.words[0], [shape, ...after(shared, shape)]]),
  );
  const names = readdirSync(FOLDER).flatMap((name) => /^(\w+)\.txt$/.exec(name)?.[1] ?? []);
  const edits = names
    .sort()
    .filter((name) => !SHARED.includes(name))
    .flatMap((name) => {
      const sections = withWholeFiles(sectionsIn(name));
      const heads = sections.filter((section) => section.name === "file");
      return heads.flatMap((head, at) => {
        const next = heads[at + 1];
        const own = sections.slice(sections.indexOf(head), next && sections.indexOf(next));
        const prefix = head.words[0]?.replaceAll(/\W+/g, "-").replace(/^-/, "");
        const ids = own.filter((one) => one.name === "shapes").flatMap(({ words }) => words);
        const shaped = [...new Set(ids.flatMap((id) => groups.get(id) ?? [id]))].map((id) =>
          editOf(`${prefix}/${id}`, shapes.get(id) ?? [], own, sources),
        );
        const replies = own.filter((one) => one.name === "reply");
        return [
          ...shaped,
          ...replies.map((one) =>
            editOf(one.words[0] ?? "", [one, ...after(own, one)], own, sources),
          ),
        ];
      });
    });
  return z.array(edit).parse(edits);
}

/**
 * Returns ids with the reason why the user is asked although the code is there, or why the resulting file
 * is wrong.
 */
export function readListed(file: "asked" | "wrong"): Map<string, string> {
  const listed = sectionsIn(file).flatMap(({ words, lines: ids }) =>
    ids.flatMap((line) => line.split(" ")).map((id) => [id, words.join(" ")] as const),
  );
  return new Map(listed);
}

function sectionsIn(file: string): Section[] {
  const text = readFileSync(`${FOLDER}/${file}.txt`, "utf8");
  return text
    .split(/^§ /m)
    .slice(1)
    .map((section) => {
      const [head = "", ...rest] = section.replace(/\n$/, "").split("\n");
      const [name = "", ...words] = head.split(" ");
      return { name, words, lines: rest };
    });
}

/** Replaces each `same` by the file above it, with other lines selected. */
function withWholeFiles(sections: readonly Section[]): Section[] {
  let fileWords: readonly string[] = [];
  let lines: readonly string[] = [];
  return sections.flatMap((section, at) => {
    if (section.name === "file") {
      fileWords = section.words;
      lines = sections.slice(at, at + 3).flatMap((one) => one.lines);
    }
    if (section.name !== "same") return [section];
    const [first, last, ...columns] = section.words;
    const [start, end] = [Number(first) - 1, Number(last)];
    return [
      { name: "file", words: fileWords, lines: lines.slice(0, start) },
      { name: "selected", words: columns, lines: lines.slice(start, end) },
      { name: "after", words: [], lines: lines.slice(end) },
    ];
  });
}

/** Returns the verdicts that stand directly after a reply. */
function after(sections: readonly Section[], reply: Section): Section[] {
  const following = sections.slice(sections.indexOf(reply) + 1);
  const end = following.findIndex(({ name }) => !VERDICTS.has(name));
  return end === -1 ? following : following.slice(0, end);
}

/** @param reply the reply or shape, and its verdicts */
function editOf(
  id: string,
  [reply, ...verdicts]: readonly Section[],
  [head, ...sections]: readonly Section[],
  sources: ReadonlyMap<string | undefined, string | undefined>,
): unknown {
  const linesOf = (name: string) => sections.find((one) => one.name === name)?.lines ?? [];
  const [path = "", languageId, label = "", indent, comment = "", eol] = head?.words ?? [];
  const before = head?.lines ?? [];
  const [selected, below] = [linesOf("selected"), linesOf("after")];
  const isCrlf = eol === "crlf";
  const verdict = (...names: string[]) => verdicts.find(({ name }) => names.includes(name));
  const becomes = verdict("becomes")?.lines ?? linesOf("becomes");
  const whole = verdict("whole")?.lines ?? [...before, ...becomes, ...below];
  const text = [...whole, ""].join(isCrlf ? "\r\n" : "\n");
  const [, kind, source] = reply?.words ?? [];
  const target = {
    path,
    languageId,
    label,
    indent,
    comment,
    isCrlf,
    before,
    selected,
    columns: sections.find(({ name }) => name === "selected")?.words.map(Number) ?? [],
    after: below,
  };
  return {
    id,
    kind,
    source: sources.get(source),
    file: target,
    reply: filledIn(reply?.lines ?? [], target, becomes).join(kind === "crlf" ? "\r\n" : "\n"),
    expected: {
      kind:
        verdict("asks", "unchanged")?.name ?? (verdict("may-ask") ? "result-or-asks" : "result"),
      text,
    },
  };
}

/** Replaces the marks of a reply by the lines and names of a file. */
function filledIn(
  reply: readonly string[],
  file: Pick<EditedFile, "path" | "label" | "comment" | "before" | "selected" | "after">,
  becomes: readonly string[],
): string[] {
  const { path, label, comment, before, selected, after: below } = file;
  const end = { "/*": " */", "<!--": " -->" }[comment] ?? "";
  const start = before.length + 1;
  const named: Record<string, readonly string[]> = {
    new: becomes,
    old: selected,
    above: before,
    below,
    file: [...before, ...becomes, ...below],
  };
  return reply.flatMap((line) => {
    const match = /^(.*)§(new|old|above|below|file)(0?)$/.exec(line);
    const [, prefix = "", name = "", zero] = match ?? [];
    const text = zero === "0" ? dedented(named[name] ?? []) : named[name];
    const first = name === "file" ? 1 : start;
    const numbered = (at: number) =>
      prefix.replace(/N+/, (marks) => `${first + at}`.padStart(marks.length));
    if (text !== undefined) return text.map((one, at) => numbered(at) + one);
    return line
      .replaceAll("§label", label)
      .replaceAll("§path", path)
      .replaceAll("§name", path.replace(/.*\//, ""))
      .replaceAll("§hunk", `@@ -${start},${selected.length} +${start},${becomes.length} @@`)
      .replaceAll("§oldjson", () => JSON.stringify(selected.join("\n")))
      .replaceAll("§json", () => JSON.stringify(becomes.join("\n")))
      .replaceAll(/§c\((.*?)\)/g, (_, words: string) => `${comment} ${words}${end}`);
  });
}

function dedented(text: readonly string[]): string[] {
  const indents = text.filter((line) => line !== "").map((line) => line.search(/\S/));
  return text.map((line) => line.slice(Math.min(...indents)));
}
