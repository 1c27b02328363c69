/**
 * Chooses the code block of a reply to apply. Code for the document comes before commands and
 * output, and the document's language before others. A block with the lines to rewrite comes before
 * imports and examples.
 */
import { withoutBlankEnds } from "./blockLines";
import type { Fence } from "./fences";
import { isImport } from "./lineKind";

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
  /**
   * True when the first line may carry a diff tag: only the whole block shows whether the block is
   * a diff.
   */
  isTagged: boolean;
  /** Opened by a fence after code, which may close a block without an opening fence. */
  readonly isSuspect: boolean;
}

const SHELL_LABELS = new Set(
  "sh bash shell zsh fish console terminal shellsession shell-session powershell ps1 pwsh cmd bat dos".split(
    " ",
  ),
);

export const TEXT_LABELS = new Set("text txt plaintext plain output log none".split(" "));

/** Labels of data formats; such a block is rarely meant for a document of another language. */
const DATA_LABELS = new Set("json jsonc yaml yml toml ini env dotenv xml http csv".split(" "));

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
  constructor(
    private readonly target: readonly string[],
    private readonly languageId: string,
  ) {}

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

  /**
   * Returns true for settings and data of another language: used only if no other block follows.
   */
  isOtherData(block: ReplyBlock): boolean {
    return DATA_LABELS.has(block.fence?.label ?? "") && !this.isOwnBlock(block);
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
    if (later.kind === "patch" || earlier.kind === "patch") return false;
    if (earlier.lines.every((line) => line.trim() === "" || isImport(line))) {
      if (!this.target.some(isImport)) return true;
    }
    const { target } = this;
    if (target.every((line) => line.trim() === "")) return false;
    // "Before" and "after" blocks: lines that the document already has are not the answer.
    const [isOld, isNew] = [this.isCopy(earlier), !this.isCopy(later)];
    if (isOld && isNew && this.share(later) >= this.share(earlier) / 2) return true;
    return this.share(later) >= this.share(earlier) + CLEARLY_MORE;
  }

  /** Returns true for a block that is a run of the target's own lines. */
  private isCopy({ lines }: ReplyBlock): boolean {
    const text = (of: readonly string[]) => `\n${of.map((line) => line.trim()).join("\n")}\n`;
    return text(this.target).includes(text(withoutBlankEnds(lines)));
  }

  /** Returns the share of the target's words in the block, from 0 to 1. */
  private share({ lines }: ReplyBlock): number {
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

function wordsOf(lines: readonly string[]): Set<string> {
  return new Set(lines.join("\n").match(/[\p{L}\p{N}_$]{2,}/gu));
}
