/**
 * Distinguishes code from prose, line by line, for replies without a fence. Only clear code is
 * classified as code; the user decides on unclear lines.
 */

/** `neutral`: blank, brackets only, or a comment; belongs to the adjacent code. */
export type LineKind = "code" | "neutral" | "prose" | "unclear";

/** Properties of the document that the reply is for. */
export interface LineContext {
  readonly languageId: string;
  /** Trimmed lines of the document; they count as code unless they hold only brackets or marks. */
  readonly known: ReadonlySet<string>;
}

const HASH_COMMENTS = new Set(
  (
    "python ruby shellscript bash zsh fish perl r yaml dockercompose toml dockerfile makefile powershell " +
    "elixir julia coffeescript ini properties dotenv nix cmake terraform hcl graphql ignore gdscript tcl " +
    "awk crystal nim starlark starlark-bazel github-actions-workflow"
  ).split(" "),
);

const DASH_COMMENTS = new Set(["sql", "lua", "haskell", "ada", "elm", "plsql", "pgsql", "mysql"]);

const MARKUP = new Set(
  (
    "html xml xsl svg vue svelte astro handlebars razor php javascriptreact typescriptreact javascript " +
    "jsx tsx erb blade"
  ).split(" "),
);

const LISTS_ARE_CODE = new Set(["yaml", "dockercompose", "github-actions-workflow"]);

const ASSIGNMENTS_ARE_CODE = new Set(["properties", "ini", "dotenv", "toml"]);

/** Words used as headings in replies; a YAML key looks the same. */
const REPLY_HEADING =
  /^(?:answer|assistant|output|result|response|code|here|note|solution|updated|explanation|changes?|summary|before|after|original|new|old|becomes|yaml|toml|final)\b.{0,20}:$/i;

const SQL_LANGUAGES = new Set(["sql", "plsql", "pgsql", "mysql"]);

/** Patterns of lines that are code in a single family of languages. */
const CODE_OF_LANGUAGE: readonly (readonly [languages: RegExp, line: RegExp])[] = [
  [
    /^dockerfile$/,
    /^(?:FROM|RUN|COPY|ADD|CMD|ENTRYPOINT|ENV|ARG|WORKDIR|EXPOSE|USER|LABEL|VOLUME|HEALTHCHECK|SHELL|ONBUILD|STOPSIGNAL) \S/,
  ],
  [
    /^python$/,
    /^(?:if|elif|while) (?:not )?\w[\w.]*(?: (?:is|is not|in|not in|and|or|and not|or not) \w[\w.]*)*:$|^except\b.*:$|^(?:class|def) \w+ ?\(.*:$/,
  ],
  [/^(?:la)?tex$/, /^\\[A-Za-z@]+\*?(?:$|[\s{[\\])/],
  [
    /^(?:haskell|elm|purescript|idris)$/,
    /^[a-z][\w']*(?:, [a-z][\w']*)* :{1,2} [\w([{]|^(?:[a-z][\w']*|\([^)]*\))(?: (?:_|[\w'.]+|\[[^\]]*\]|\([^)]*\)))* = \S|^(?:data|newtype|instance|class|type) [A-Z]|^module [A-Z].* where$|^import (?:qualified )?[A-Z]/,
  ],
  [
    /^shellscript$/,
    /^(?:rm|mkdir|cp|mv|ls|echo|cat|grep|sed|awk|find|tar|touch|ln|kill|test|printf|cd|chmod|chown|head|tail|sort|tee|sleep|eval|unset|alias|set) (?:[-$"'./~*]|[\w-]+[/.=*])/,
  ],
  [
    /^shellscript$/,
    /^(?:for|while|until|if|elif|select) .*; ?(?:do|then)$|^for \w+ in \S|^case .* in$|^\[\[? .* \]\]?(?: (?:\|\||&&) .*)?$|^[\w-]+\(\) ?\{$|^(?:export|local|readonly|set|source|exec|trap|shift|exit)\b [-\w$"=/.]+$/,
  ],
];

/** Tags that models put around a reply. */
const REPLY_TAG =
  /^<\/?(?:details|summary|answer|output|result|response|reply|code|file|edit|br|pre|tool_call|function_calls?|invoke|parameter|explanation|search|replace)\b/i;

/** Tags around a whole answer; none of them belongs to HTML. */
const WRAPPER_TAG =
  "(?:answer|final_answer|response|reply|solution|replacement|rewritten|new_code|updated_code|" +
  "newcode|code_block|artifact|antartifact|antArtifact|assistant|edit|file|result)";

/** Further tags around an answer, in languages where tags are not code. */
const HTML_WRAPPER_TAG = `(?:${WRAPPER_TAG}|code|output|pre)`;

const TAG_AT_START = [WRAPPER_TAG, HTML_WRAPPER_TAG].map(
  (name) => new RegExp(`^\\s*(?:</?${name}(?:\\s[^<>]*)?>|<!\\[CDATA\\[|\\]\\]>)`),
);
const TAG_AT_END = [WRAPPER_TAG, HTML_WRAPPER_TAG].map(
  (name) => new RegExp(`(?:</${name}>|\\]\\]>)\\s*$`),
);

/** Tag around the words that explain an answer. */
const EXPLANATION_TAG =
  /^\s*<(explanation|explanations|reasoning|analysis|rationale|description|thought_process|notes?|plan)>/;

/** Tool call written as text. */
const TOOL_CALL =
  /^(?:to=)?(?:functions?|tools?|multi_tool_use)\.\w+(?:\(\{|\b.*\{\s*")|^\{"(?:name|tool|function|code|action)":/;

/** Words that occur next to another word only in sentences. */
const SENTENCE_WORD = new Set(
  "the an you your we it its that which was were are been has have now instead because also".split(
    " ",
  ),
);

/** Words that occur next to a keyword only in sentences: "then the function returns". */
const PLAIN_WORD = new Set(
  "the an your you we are was were been should would could which because already also".split(" "),
);

/** Lower-case keywords of programming languages; they do not indicate prose. */
const KEYWORDS = new Set(
  (
    "abstract as assert async await auto begin bool boolean break byte case catch char class const " +
    "constexpr continue declare def default defer del delete do double dynamic elif else elsif end endif " +
    "enum ensure except explicit export extends extern external false final finally fixed float fn for " +
    "foreach friend from fun func function get global go goto if impl implements import in include inline " +
    "inout instanceof int interface internal is lambda lazy let local long loop match mod module mut " +
    "mutable namespace native new nil none not null number object open operator or out override package " +
    "params partial pass private protected protocol pub public raise readonly record ref register repeat " +
    "required require rescue return sealed select self set short signed sizeof static string struct sub " +
    "super suspend switch synchronized template then this throw throws trait transient true try type " +
    "typedef typename typeof typeset undefined union unless unsafe unsigned until use using val var " +
    "virtual void volatile when where while with xor yield and"
  ).split(" "),
);

const MODIFIERS =
  "(?:(?:export|default|declare|async|public|private|protected|internal|static|final|override|" +
  "abstract|open|suspend|inline|sealed|data|readonly|virtual|pub(?:\\(\\w+\\))?) )*";

/** Patterns that do not occur in sentences; strings are replaced by `_`. */
const CODE: readonly RegExp[] = [
  new RegExp(`^${MODIFIERS}(?:const|let|var|val) (?:mut )?[\\w$[{(][^=]*=(?!=)`),
  new RegExp(`^${MODIFIERS}(?:function|def|func|fn|fun|sub|proc)\\b\\*? ?[\\w$.:?!]*[(<]`),
  new RegExp(`^${MODIFIERS}(?:function|def|func|fn|fun) [\\w$.:]+[?!]?$`),
  new RegExp(
    `^${MODIFIERS}(?:class|interface|struct|enum|trait|record|impl|namespace|module|object|protocol|extension|type) ?[\\w<].*[{=]$`,
  ),
  /^(?:(?:public|private|protected|internal|static|virtual|override|async|sealed|abstract|final|partial|unsafe|extern|synchronized) )+[\w<>[\],.?]+(?: [\w<>[\],.?]+)* ?\(.*\)(?: throws [\w, .]+)?$/,
  /^class [A-Z_]\w*(?:\(.*\))?:$/,
  /^class [A-Z]\w*(?: < [A-Z]\w*)?$/,
  /^#(?:include|define|ifdef|ifndef|if|endif|pragma|undef|region|endregion)\b/,
  /^(?:#!\/|<\?(?:php|xml)\b|<!DOCTYPE\b)/i,
  /^@[A-Za-z_][\w.]*(?:\(.*\)?)?$/,
  /^#!?\[.*\]$/,
  /^package [\w.]+;?$/,
  /^(?:global )?using (?:static |namespace )?[\w.= ]+;$/,
  /^(?:pub )?use [\w:{}\\, *]+;$/,
  /^(?:\}? ?else )?(?:if|for|while|switch|catch|foreach|until|unless) ?\(.*[){;,(&|]$/,
  /^(?:async )?for .+ in .+:$/,
  /^(?:if|elif|while) (?=[^()._=<>\d[\]]*[()._=<>\d[\]]).*:$/,
  /^(?:if|elif|while) not \w+:$/,
  /^with [^(]*\(.*:$/,
  /^except(?: [A-Z][\w.]*(?: as \w+)?)?:$/,
  /^(?:return|throw|raise|yield|await|delete|goto|del|assert|echo|print|puts)\b.*;$/,
  /^return(?: (?:[-+!~({[]|_|\d|[\w$]+[.([]|[\w$]+ ?(?:[-+*/%<>=!&|?]{1,3}) |(?:true|false|null|None|nil|True|False|self|this)\b).*)?$/,
  /^return [\w$]+$/,
  /^[\w$.\->[\]@*&]+(?: ?: ?[\w<>[\]|., ]+)? ?(?:[-+*/%|&^]|\?\?|\|\||&&|<<|>>|:)?= ?[^\s=>]/,
  /^(?:await |yield |void |go |defer )?[\w$]+(?:(?:\.|::|->|\?\.)[\w$]+)*!?\(.*\)?[;,{]$/,
  /^(?:await |yield |go |defer )?[\w$]+(?:(?:\.|::|->|\?\.)[\w$]+)*!?\(.*[()[{]$/,
  /^(?:\?\.|\.)[\w$]+\(/,
  /^_(?:;| ?: ?\S.*)$/,
  /^[}\])]+[;,]*$|^\} ?(?:else|catch|finally|while|as|satisfies|from)\b.*[{;]$/,
  /^(?:package|end|pass|break|continue|else:|try:|finally:|default:|else|done|fi|esac|endif|begin|do|then)$/,
];

/** Line of HTML that starts with a tag. */
const TAGS = /^<\/?[A-Za-z][\w.:-]*(?: [^<>]*)?(?:\/?>?|\/?>.*<\/[A-Za-z][\w.:-]*>)$/;

/** Capitalized verb and an expression: "Use items.map(f);" */
const SPOKEN_CALL = /^\p{Lu}[\p{L}]+ [\w$]+(?:\.[\w$]+)+\(/u;

const IMPORTS: readonly RegExp[] = [
  /^import (?:.+ from )?_;?$/,
  /^import (?:static )?\w+(?:\.[\w*]+)+;?$/,
  /^from [\w.]+ import \(?[\w*]/,
  /^import (?:[a-z_]\w*)(?: as \w+)?$/,
  /^(?:const|let|var) .*= require\(_\);?$/,
  /^require(?:_relative)? _$/,
  /^#include\b/,
  /^(?:pub )?use [\w:{}\\, *]+;$/,
  /^using [\w.= ]+;$/,
];

const SQL =
  /^(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|WITH|FROM|WHERE|(?:LEFT |RIGHT |INNER |OUTER |CROSS )*JOIN|GROUP BY|ORDER BY|HAVING|LIMIT|VALUES|SET|RETURNING|UNION|GRANT|BEGIN|COMMIT|AND|OR|ON)\b(?![:,.!])/i;

/** Letters of scripts in which code is not written. */
const OTHER_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Thai}\p{Script=Greek}]{2}/u;

const SENTENCE_END = /[.!?:。！？：…،؟][\s"')”’*_]*$/;

/** Minimum run of words that makes a sentence. */
const SENTENCE_WORDS = 3;

/** Upper limit of checked characters per line, in UTF-16 units. */
const MAX_LOOK = 400;

/**
 * Upper limit of characters per line in which strings and comments are tracked, in UTF-16 units.
 */
const MAX_FOLLOWED = 2_000;

/** Tracks strings and comments across lines, so that their content is not classified as code. */
export class OpenLiterals {
  private closing: string | undefined;

  constructor(private readonly languageId: string) {}

  /** True inside a string or comment that previous lines left open. */
  get isInside(): boolean {
    return this.closing !== undefined;
  }

  /** True inside a string, where blanks are content. */
  get isInString(): boolean {
    return this.closing !== undefined && /^[`"']/.test(this.closing);
  }

  follow(line: string): void {
    const hasTemplates = /script|vue|svelte/.test(this.languageId);
    const mark = /"""|'''|\/\*|<!--|\/\/|`|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;
    let at = 0;
    for (;;) {
      if (this.closing !== undefined) {
        const end = line.indexOf(this.closing, at);
        if (end === -1) return;
        at = end + this.closing.length;
        this.closing = undefined;
      }
      mark.lastIndex = at;
      const found = mark.exec(line)?.[0];
      if (found === undefined || found === "//") return;
      at = mark.lastIndex;
      if (found === "/*") this.closing = "*/";
      else if (found === "<!--") this.closing = "-->";
      else if (found === '"""' || found === "'''") this.closing = found;
      else if (found === "`" && hasTemplates) this.closing = "`";
    }
  }
}

/**
 * Classifies the lines of one text; a line inside an open comment or string belongs to that
 * literal.
 */
export class LineClassifier {
  private readonly literals: OpenLiterals;

  constructor(private readonly context: LineContext) {
    this.literals = new OpenLiterals(context.languageId);
  }

  /** True inside a string or comment that previous lines left open. */
  get isInLiteral(): boolean {
    return this.literals.isInside;
  }

  classify(line: string): LineKind {
    const kind = this.literals.isInside ? "neutral" : kindOf(line, this.context);
    if (kind === "code" || kind === "neutral") this.literals.follow(line.slice(0, MAX_FOLLOWED));
    return kind;
  }
}

/** Returns true for a line that only imports names. */
export function isImport(line: string): boolean {
  const text = withoutStrings(line.trim().slice(0, MAX_LOOK));
  return IMPORTS.some((pattern) => pattern.test(text));
}

/** Returns true for a language in which tags are code. */
export function isMarkup(languageId: string): boolean {
  return MARKUP.has(languageId);
}

/** Returns a line without the tags around the model's whole answer, at both ends. */
export function withoutWrapperTags(line: string, languageId: string): string {
  if (line.length > MAX_LOOK || !/[<\]]/.test(line) || /^x(?:ml|sl)$/.test(languageId)) return line;
  const at = MARKUP.has(languageId) ? 0 : 1;
  let rest = line;
  for (let before = ""; before !== rest;) {
    before = rest;
    rest = rest.replace(TAG_AT_START[at] ?? "", "").replace(TAG_AT_END[at] ?? "", "");
  }
  return rest;
}

/** Returns true for a line that only contains tags around the model's whole answer. */
export function isWrapperTag(line: string, languageId: string): boolean {
  return line.trim() !== "" && withoutWrapperTags(line, languageId).trim() === "";
}

/** Returns the name of a tag that opens an explanation of the answer. */
export function explanationTag(line: string, languageId: string): string | undefined {
  return /^x(?:ml|sl)$/.test(languageId) ? undefined : EXPLANATION_TAG.exec(line)?.[1];
}

/** Returns true for a terminal command that cannot be a line of a source file. */
export function isShellCommand(line: string): boolean {
  return /^(?:\$ \S|(?:sudo )?(?:npm|npx|pnpm|yarn|bun|pip3?|pipx|poetry|uv|conda|cargo|rustup|brew|apt|apt-get|dnf|gem|bundle|composer|dotnet|nuget|go (?:get|install|mod|run|test)|git|docker|kubectl|curl|wget|cd|mkdir|chmod|python3?|node|deno) [\w@./-])/.test(
    line.trim(),
  );
}

function kindOf(line: string, { languageId, known }: LineContext): LineKind {
  const text = line.trim().slice(0, MAX_LOOK);
  if (text === "") return "neutral";
  if (known.has(line.trim()) && /[\p{L}\p{N}]{2}/u.test(text)) return "code";
  if (/^(?:\/\/|\/\*|\*\/|<!--|\{\/\*)/.test(text)) return "neutral";
  if (/^[bfru]{0,2}(?:"""|''')/i.test(text)) return "neutral";
  if (/^#(?!#|!|\[)/.test(text) && HASH_COMMENTS.has(languageId)) return "neutral";
  if (/^--(?!-)/.test(text) && DASH_COMMENTS.has(languageId)) return "neutral";
  if (/^([-*_=~#])\1{2,}$/.test(text)) return "prose";
  if (!/[\p{L}\p{N}]/u.test(text)) return /^[>|]/.test(text) ? "prose" : "neutral";
  const bare = withoutStrings(text)
    .replace(/(?<=\S)\s+(?:\/\/|#).*$/, "")
    .replaceAll(/\s+/g, " ");
  if (/^(?:#{1,6} |\*\*|__(?!\w+__[\s=(.:[])|> |\|)/.test(text)) return "prose";
  if (TOOL_CALL.test(text)) return "unclear";
  if (LISTS_ARE_CODE.has(languageId) || ASSIGNMENTS_ARE_CODE.has(languageId)) {
    if (REPLY_HEADING.test(text) || /^(?:Note|Hint|Warning|Explanation|Summary): /.test(text)) {
      return "prose";
    }
    const separator = ASSIGNMENTS_ARE_CODE.has(languageId) ? "[:=]" : ":";
    const pair = new RegExp(`^(- )?(["'\\w./-]+) ?${separator}(?: (.*))?$`).exec(text);
    if (pair !== null) {
      const [, item, key = "", value = ""] = pair;
      const isSentence = wordsInARow(withoutStrings(value)) >= SENTENCE_WORDS;
      const isAside = item === undefined && (/^\p{Lu}/u.test(key) || languageId !== "yaml");
      if (!isSentence || !isAside) return "code";
    }
  }
  if (languageId === "shellscript" && isShellCommand(text)) return "code";
  if (REPLY_TAG.test(text)) return "unclear";
  const isItem = /^(?:[-*+•]|\d{1,3}[.)]) /.test(text);
  if (isItem) return LISTS_ARE_CODE.has(languageId) ? "unclear" : "prose";
  if (OTHER_SCRIPT.test(bare)) return "prose";
  if (IMPORTS.some((pattern) => pattern.test(bare))) return "code";
  const isSentence = wordsInARow(bare) >= SENTENCE_WORDS;
  const isOwnCode = CODE_OF_LANGUAGE.some(([own, code]) => own.test(languageId) && code.test(text));
  if (isOwnCode && (!isSentence || /^(?:\\|\p{Lu}{2})|[()[\]]/u.test(text))) return "code";
  if (SQL_LANGUAGES.has(languageId) && SQL.test(text)) {
    return isSentence && !/^\p{Lu}{2}/u.test(text) ? "prose" : "code";
  }
  if (/^SELECT .* FROM /.test(text)) return "code";
  if (isSentence) return "prose";
  if (SPOKEN_CALL.test(bare)) return "unclear";
  if (CODE.some((pattern) => pattern.test(bare))) return "code";
  if (MARKUP.has(languageId) && TAGS.test(bare)) return "code";
  if (/^\p{Lu}[\p{L}'’]*[!.:;]?$/u.test(bare)) return SENTENCE_END.test(bare) ? "prose" : "unclear";
  if (/[;{]$/.test(bare) && /^[\w$}\])*.&!~+@_<]/.test(bare)) {
    const [word = ""] = /^\w+/.exec(bare) ?? [];
    if (/[=()[\]{}.<>*&]/.test(bare.slice(0, -1)) || bare.endsWith("{") || KEYWORDS.has(word)) {
      return /^\p{Lu}\p{Ll}+(?: \p{Ll}+)*[:,]? /u.test(bare) && !/[=(]/.test(bare)
        ? "unclear"
        : "code";
    }
    return "unclear";
  }
  if (SENTENCE_END.test(bare) && !/^(?:case|default|public|private|protected)\b.*:$/.test(bare)) {
    return /^[\p{L}"'“(*_]/u.test(bare) ? "prose" : "unclear";
  }
  return "unclear";
}

/**
 * Returns the longest run of words without code between them; keywords do not count. Typical pairs
 * of sentence words return at least the length of a sentence.
 */
function wordsInARow(text: string): number {
  let longest = 0;
  let run = 0;
  let isAfterWord = false;
  let isAfterLetters = false;
  let isAfterPlainWord = false;
  let isAfterSentenceWord = false;
  let isAfterComma = false;
  for (const token of text.split(" ")) {
    const word = token.replaceAll(/[^\p{L}]/gu, "").toLowerCase();
    const isWord = /^\p{L}+[,.;:!?]*$/u.test(token) && !KEYWORDS.has(word);
    const isSentenceWord = isWord && SENTENCE_WORD.has(word);
    if (isWord && (isAfterSentenceWord || (isSentenceWord && isAfterWord))) return SENTENCE_WORDS;
    const isLetters = /^\p{L}+[,.;:!?]*$/u.test(token);
    const isPlainWord = isLetters && PLAIN_WORD.has(word);
    if (isLetters && (isAfterPlainWord || (isPlainWord && isAfterLetters))) return SENTENCE_WORDS;
    isAfterLetters = isLetters;
    isAfterPlainWord = isPlainWord;
    isAfterWord = isWord;
    isAfterSentenceWord = isSentenceWord;
    if (!/^["“(]?\p{L}[\p{L}'’-]*["”)]?[,.;:!?…]*$/u.test(token)) run = 0;
    else if (
      !KEYWORDS.has(token.replaceAll(/[^\p{L}]/gu, "")) &&
      !/^\p{Lu}{2,}[,.;:!?]*$/u.test(token)
    ) {
      // "width, height, depth" are names, and a name before a colon has a type or a value.
      if (!isAfterComma) run++;
    }
    longest = Math.max(longest, run);
    if (token.endsWith(":")) run = 0;
    isAfterComma = token.endsWith(",");
  }
  return longest;
}

/** Characters that HTML escapes in text. */
const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&#39;": "'",
};

/** Returns lines without the line numbers that a model copied from the question. */
export function withoutLineNumbers(
  lines: readonly string[],
  target: readonly string[],
): readonly string[] {
  const filled = lines.filter((line) => line.trim() !== "");
  const numbers = filled.map((line) => Number(LINE_NUMBER.exec(line)?.[1] ?? NaN));
  const first = numbers[0] ?? NaN;
  if (filled.length < 2 || !numbers.every((number, at) => number === first + at)) return lines;
  if (target.some(hasLineNumber)) return lines;
  return lines.map((line) => line.replace(LINE_NUMBER, ""));
}

export function hasLineNumber(line: string): boolean {
  return LINE_NUMBER.test(line);
}

const LINE_NUMBER = /^\s*(\d{1,6})(?: ?[|│→]|:(?=\s|$)|\t)(?: |$)?/;

/** Decodes code that was escaped as a whole for HTML; returns any other code unchanged. */
export function withoutEntities(lines: readonly string[], languageId: string): readonly string[] {
  const text = lines.join("\n");
  if (MARKUP.has(languageId) || !/&[lg]t;/.test(lines.map(withoutStrings).join("\n"))) return lines;
  if (/[<>]|&(?!lt;|gt;|amp;|quot;|#39;)/.test(text)) return lines;
  return text
    .replaceAll(/&(?:lt|gt|amp|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .split("\n");
}

function withoutStrings(text: string): string {
  return text.replaceAll(/`[^`]*`|"[^"]*"|(?<![\p{L}\p{N}])'[^']*'/gu, "_");
}
