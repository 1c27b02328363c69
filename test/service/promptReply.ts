/**
 * Writes replies to Core Chat's own prompts: edits in the editor, commit messages, and the built-in
 * prompts about code. Each reply has the form that its prompt requests and is derived from the
 * prompt alone. If the form allows, the reply states that there is no model.
 */
const MARK = "Local reference service, no model";

/** Maximum length of a commit subject, in characters; Git's own convention. */
const MAX_SUBJECT = 72;

/** Code in a prompt, with its path and language. */
interface Excerpt {
  readonly path: string;
  readonly languageId: string;
  readonly code: string;
  /** Offset of the excerpt in the prompt. */
  readonly at: number;
}

/**
 * Returns the reply to Core Chat's own prompts; undefined for any other question.
 * @param previousReply text of the last assistant message, for prompts that refine that message
 */
export function promptReply(question: string, previousReply: string): string | undefined {
  if (/\bfenced code block\b[^.\n]*\bnothing else\b/.test(question)) {
    return editReply(question, previousReply);
  }
  if (/\bgit commit\b[\s\S]*\bnothing else\b/.test(question)) return commitReply(question);
  const excerpt = excerptsIn(question)[0];
  return excerpt === undefined ? undefined : codeReply(question.slice(0, excerpt.at), excerpt);
}

/** Returns a single fenced block: the target's lines with a comment, or new lines. */
function editReply(question: string, previousReply: string): string {
  const excerpts = excerptsIn(question);
  const previous = fencedBlock(previousReply);
  if (/^Revise your last answer\b/m.test(question) && previous !== undefined) {
    const code = excerpts.at(-1)?.code ?? previous.code;
    const { languageId } = excerpts.at(-1) ?? previous;
    const note = comment(languageId, `Changed again: ${instructionIn(question)}`, indentOf(code));
    return fenced(languageId, `${note}\n${code}`);
  }
  const marker = /^(?:Lines to rewrite|Line at the cursor):$/m.exec(question);
  const target = excerpts.find(({ at }) => at > (marker?.index ?? 0)) ?? excerpts.at(-1);
  const languageId = target?.languageId ?? "";
  const instruction = instructionIn(question);
  if (/^Write new lines\b/m.test(question))
    return fenced(languageId, sample(languageId, instruction));
  const code = target?.code ?? "";
  const note = comment(languageId, `${MARK}. Asked: ${instruction}`, indentOf(code));
  return fenced(languageId, `${note}\n${code}`);
}

/** Returns a subject of a single line, with the names of the changed files. */
function commitReply(question: string): string {
  // Git quotes paths with other letters than ASCII.
  const changed = [...question.matchAll(/^diff --git "?a\/.+ "?b\/(.+?)"?$/gm)];
  const added = [...question.matchAll(/^New files:\n([^\n:]+):?$/gm)];
  const paths = [...changed, ...added].map(([, path]) => path!);
  const names = [...new Set(paths)].map((path) => path.split("/").at(-1)!);
  const isGone = /^deleted file mode /m.test(question) && changed.length === 1;
  const isNew = changed.length === 0 || /^new file mode /m.test(question);
  const verb = isGone ? "Remove" : isNew && names.length === 1 ? "Add" : "Update";
  const [first = "files"] = names;
  const rest = names.length - 1;
  const others = rest <= 0 ? "" : rest === 1 ? ` and ${names[1]}` : ` and ${rest} other files`;
  return Array.from(`${verb} ${first}${others}`).slice(0, MAX_SUBJECT).join("");
}

/**
 * Returns the reply to "explain", "fix", "tests" and "document", in either language; undefined for other
 * questions.
 */
function codeReply(prompt: string, { path, languageId, code }: Excerpt): string | undefined {
  const demonstrate = (kind: string, block: string) =>
    `This is the **local reference service**. It has no model, so this only shows the form of ${kind} for \`${path}\`.\n\n${block}\n`;
  const indent = indentOf(code);
  if (/^Explain\b|^解释/m.test(prompt)) {
    return demonstrate("an explanation", fenced(languageId, code));
  }
  if (/^Find and fix\b|^找出并修复/m.test(prompt)) {
    const note = comment(languageId, `${MARK}: a fix would be here`, indent);
    return demonstrate("a fix", fenced(languageId, `${note}\n${code}`));
  }
  if (/^Write tests\b|编写测试/m.test(prompt)) {
    return demonstrate(
      "tests",
      fenced(languageId, comment(languageId, `${MARK}: a test would be here`, "")),
    );
  }
  if (/\bdocumentation comments?\b|文档注释/.test(prompt)) {
    const note = documentation(languageId, `${MARK}: a description would be here.`, indent);
    return demonstrate("documentation", fenced(languageId, `${note}\n${code}`));
  }
  return undefined;
}

/** Returns every fenced block in the prompt that has a line with a path before. */
function excerptsIn(question: string): Excerpt[] {
  const found = question.matchAll(
    /^([^\n`]+?)(?: \(lines \d+-\d+\))?:\n(`{3,})([^\n`]*)\n(?:([\s\S]*?)\n)?\2$/gm,
  );
  return [...found].map((match) => ({
    path: match[1]!,
    languageId: match[3]!.trim(),
    code: match[4] ?? "",
    at: match.index,
  }));
}

function instructionIn(question: string): string {
  const found = /(?:^|\. )Instruction:\n(.*)$/m.exec(question);
  return (found?.[1] ?? "").trim();
}

function fencedBlock(text: string): { languageId: string; code: string } | undefined {
  const found = /^(`{3,})([^\n`]*)\n(?:([\s\S]*?)\n)?\1$/m.exec(text);
  return found === null ? undefined : { languageId: found[2]!.trim(), code: found[3] ?? "" };
}

/** Wraps code in a fence longer than any fence inside. */
function fenced(languageId: string, code: string): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${languageId}\n${code}\n${fence}`;
}

function indentOf(code: string): string {
  const lines = code.split("\n").filter((line) => line.trim() !== "");
  return /^[ \t]*/.exec(lines[0] ?? "")![0];
}

function documentation(languageId: string, text: string, indent: string): string {
  const isLikeScript = /^(?:typescript|javascript)(?:react)?$|^(?:java|php|c|cpp)$/.test(
    languageId,
  );
  return isLikeScript ? `${indent}/** ${text} */` : comment(languageId, text, indent);
}

/** Returns a small function in a script, or a comment alone in another language. */
function sample(languageId: string, instruction: string): string {
  const note = comment(languageId, `${MARK}. Asked: ${instruction}`, "");
  const isScript = /^(?:typescript|javascript)(?:react)?$/.test(languageId);
  return isScript
    ? `${note}\nfunction sampleReply() {\n  return "Hello from the reference service";\n}`
    : note;
}

/** Delimiters of a comment in a line of its own, and the languages that use them; "//" in others. */
const COMMENTS: readonly (readonly [start: string, end: string, languages: RegExp])[] = [
  [
    "# ",
    "",
    /^(?:python|ruby|shellscript|bash|sh|perl|r|yaml|toml|makefile|dockerfile|powershell)$/,
  ],
  ["<!-- ", " -->", /^(?:html|xml|markdown|vue|svelte)$/],
  ["-- ", "", /^(?:sql|lua|haskell)$/],
  ["/* ", " */", /^(?:css|c)$/],
];

function comment(languageId: string, text: string, indent: string): string {
  const [start, end] = COMMENTS.find(([, , languages]) => languages.test(languageId)) ?? [
    "// ",
    "",
  ];
  const safe = end === "" ? text : text.replaceAll(/--|\*\//g, " ");
  return `${indent}${start}${safe}${end}`;
}
