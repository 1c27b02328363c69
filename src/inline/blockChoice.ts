/**
 * Chooses the code block of a reply to apply. Code for the document comes before commands and
 * output, and the document's language before others. A block with the lines to rewrite comes before
 * imports and examples.
 */
import { isUnbalanced, withoutBlankEnds, type Surroundings } from "./blockLines";
import type { Fence } from "./fences";

export interface ReplyBlock {
  fence: Fence | undefined;
  readonly lines: string[];
  /**
   * Class of the block, unknown until its first line. `side` is a terminal command, output or plain
   * text.
   */
  kind: "unknown" | "code" | "side" | "patch";
  isClosed: boolean;
  hasLeftOut: boolean;
  /** True for a block without a label, below words, whose first line is unlike the target. */
  isUnproven: boolean;
  /** True after a line with fence marks among other text: the block may have ended there. */
  hasInnerMarks: boolean;
  /**
   * True when only the whole block shows its kind, because the first line may belong to a diff, to
   * JSON or to tags around code.
   */
  isTagged: boolean;
}

const SHELL_LABELS = new Set(
  "sh bash shell zsh fish console terminal shellsession shell-session powershell ps1 pwsh cmd bat dos".split(
    " ",
  ),
);

export const TEXT_LABELS = new Set(
  "text txt plaintext plain output log none pycon traceback stacktrace error".split(" "),
);

/** Labels of data formats; such a block is rarely meant for a document of another language. */
const DATA_LABELS = new Set("json jsonc yaml yml toml ini env dotenv xml http csv".split(" "));

/** Labels of programming languages that VS Code knows by the same name. */
const LANGUAGE_LABELS = new Set(
  (
    "typescript typescriptreact javascript javascriptreact python ruby rust csharp cpp c kotlin go java " +
    "swift php perl lua r julia scala dart haskell elixir erlang clojure html css scss less sql " +
    "graphql groovy fsharp dockerfile makefile"
  ).split(" "),
);

/** Languages of files that hold several languages. */
const MIXED_LANGUAGES = /^(?:vue|svelte|astro|html|php|erb|blade|razor|handlebars|xml|mdx)$/;

/** VS Code language identifiers of labels that differ from them. */
const LANGUAGE_OF_LABEL: Readonly<Record<string, string>> = {
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "typescriptreact",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "javascriptreact",
  py: "python",
  python3: "python",
  rb: "ruby",
  rs: "rust",
  cs: "csharp",
  "c#": "csharp",
  "c++": "cpp",
  kt: "kotlin",
  golang: "go",
  yml: "yaml",
  docker: "dockerfile",
  make: "makefile",
  ...Object.fromEntries([...SHELL_LABELS].map((label) => [label, "shellscript"])),
};

/** Languages whose labels are interchangeable, because models use them loosely. */
const FAMILIES = [
  ["typescript", "typescriptreact", "javascript", "javascriptreact"],
  ["c", "cpp", "objective-c", "objective-cpp", "cuda-cpp"],
  ["css", "scss", "less"],
  ["html", "vue", "svelte", "xml", "php", "handlebars"],
  ["json", "jsonc"],
  ["powershell", "bat", "shellscript"],
];

/** Additional share of the target's words that a later block needs to be preferred. */
const CLEARLY_MORE = 0.25;

/** Chooses blocks for a single document. */
export class BlockChoice {
  private readonly target: readonly string[];
  private readonly file: string;

  constructor(
    { target, before, after }: Surroundings,
    private readonly languageId: string,
  ) {
    this.target = target;
    this.file = joined([...before, ...target, ...after]);
  }

  /** Returns the kind that a label implies; undefined where the block's lines decide. */
  kindOf(label: string): "code" | "side" | undefined {
    if (label === "") return undefined;
    const isSide = SHELL_LABELS.has(label) || TEXT_LABELS.has(label);
    return isSide && !this.isOwnLabel(label) ? "side" : "code";
  }

  /** Returns true for a label of the document's own language. */
  isLabelOfDocument(label: string): boolean {
    const name = label.toLowerCase();
    if (!/^[a-z][\w+#-]*$/.test(name) || TEXT_LABELS.has(name)) return false;
    const { languageId } = this;
    return languageId !== "" && (LANGUAGE_OF_LABEL[name] ?? name) === languageId;
  }

  /** Returns true for code or data of another language: used only if no other block follows. */
  isForeign(block: ReplyBlock): boolean {
    const { label = "" } = block.fence ?? {};
    const isNamed =
      DATA_LABELS.has(label) || LANGUAGE_LABELS.has(LANGUAGE_OF_LABEL[label] ?? label);
    if (!isNamed || this.isOwnBlock(block)) return false;
    return DATA_LABELS.has(label) || !MIXED_LANGUAGES.test(this.languageId);
  }

  /** Returns true for a block that may be output: unproven, and with few words of the target. */
  isOutput({ isUnproven, kind, lines }: ReplyBlock): boolean {
    const isClear = !isUnproven || kind === "patch" || wordsOf(lines).size === 0;
    return !isClear && this.share(lines) < CLEARLY_MORE;
  }

  /** Returns the blocks, best match first. */
  ranked(blocks: readonly ReplyBlock[]): readonly ReplyBlock[] {
    let best = blocks[0];
    for (const block of blocks) {
      if (best !== undefined && block !== best && this.isBetter(block, best)) best = block;
    }
    const others = blocks.filter((block) => block !== best);
    const first = best === undefined ? [] : [best];
    return [...first, ...others.filter(isMain), ...others.filter((block) => !isMain(block))];
  }

  private isBetter(later: ReplyBlock, earlier: ReplyBlock): boolean {
    if (isMain(earlier) !== isMain(later)) return isMain(later);
    if (!isMain(later)) return false;
    const [own, other] = [this.isOwnBlock(later), this.isOwnBlock(earlier)];
    if (own !== other) return own;
    const [isNamed, isOtherNamed] = [this.hasOwnLabel(later), this.hasOwnLabel(earlier)];
    if (later.kind === "patch" || earlier.kind === "patch") return false;
    // "Before" and "after" blocks: lines that the document already has are not the answer.
    const [isOld, isOldAgain] = [this.isCopy(earlier), this.isCopy(later)];
    const [isAlike, isAlikeAgain] = [
      this.share(later.lines) >= this.share(earlier.lines) / 2,
      this.share(earlier.lines) >= this.share(later.lines) / 2,
    ];
    if (isOld && !isOldAgain && (isAlike || this.isTarget(earlier))) return true;
    if (!isOld && isOldAgain && (isAlikeAgain || this.isTarget(later))) return false;
    if (this.target.every((line) => line.trim() === "")) {
      const isExcerpt = isUnbalanced(earlier.lines, later.lines);
      return isExcerpt || (isNamed && !isOtherNamed);
    }
    return this.share(later.lines) >= this.share(earlier.lines) + CLEARLY_MORE;
  }

  /** Returns true for a block that repeats all lines to rewrite, as in "before" and "after". */
  private isTarget({ lines }: ReplyBlock): boolean {
    return joined(withoutBlankEnds(lines)) === joined(withoutBlankEnds(this.target));
  }

  /** Returns true for a block that is a run of the file's own lines. */
  private isCopy({ lines }: ReplyBlock): boolean {
    const own = joined(withoutBlankEnds(lines));
    return /[\p{L}\p{N}].*[\p{L}\p{N}]/su.test(own) && this.file.includes(own);
  }

  private hasOwnLabel({ fence }: ReplyBlock): boolean {
    return fence !== undefined && this.isLabelOfDocument(fence.label);
  }

  /** Returns the share of the target's words in the block, from 0 to 1. */
  private share(lines: readonly string[]): number {
    const words = wordsOf(this.target);
    const own = wordsOf(lines);
    let common = 0;
    for (const word of words) if (own.has(word)) common++;
    return words.size === 0 ? 0 : common / words.size;
  }

  private isOwnBlock({ fence, kind }: ReplyBlock): boolean {
    return kind === "patch" || fence === undefined || this.isOwnLabel(fence.label);
  }

  private isOwnLabel(label: string): boolean {
    if (label === "" || this.languageId === "") return true;
    const language = LANGUAGE_OF_LABEL[label] ?? label;
    if (language === this.languageId) return true;
    return FAMILIES.some((one) => one.includes(language) && one.includes(this.languageId));
  }
}

export function isPatch({ kind }: ReplyBlock): boolean {
  return kind === "patch";
}

/** Returns true for code for the document rather than for a terminal. */
export function isMain({ kind }: ReplyBlock): boolean {
  return kind === "code" || kind === "patch";
}

function joined(lines: readonly string[]): string {
  return `\n${lines.map((line) => line.trim()).join("\n")}\n`;
}

function wordsOf(lines: readonly string[]): Set<string> {
  return new Set(lines.join("\n").match(/[\p{L}\p{N}_$]{2,}/gu));
}
