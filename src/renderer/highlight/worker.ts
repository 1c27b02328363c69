/**
 * Highlighting worker: receives grammars and lines of code, returns token numbers. An entry point
 * of its own, started as a blob in the panel and as a module elsewhere.
 */
import { FALLBACK_THEME } from "./fallbackTheme";
import type { FromWorker, ToWorker } from "./protocol";
import { ScopeStyles } from "./scopeStyles";
import { Tokenizer, type BlockTokenizer } from "./tokenizer";

/** Number of lines per message of tokens. */
const LINES_A_MESSAGE = 25;

/** The members of a worker's global scope in use; the project's DOM types are those of a window. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
}

export function handleMessages(scope: WorkerScope): void {
  const styles = new ScopeStyles(FALLBACK_THEME);
  const tokenizer = new Tokenizer(styles, () => performance.now());
  const blocks = new Map<number, BlockTokenizer>();

  const refuse = (block: number) => {
    blocks.delete(block);
    scope.postMessage({ type: "block-refused", block });
  };

  const tokenize = (block: number, lines: readonly string[]) => {
    for (let from = 0; from < lines.length; from += LINES_A_MESSAGE) {
      const blockTokenizer = blocks.get(block);
      if (blockTokenizer === undefined) return;
      const tokens = blockTokenizer.tokenizeLines(lines.slice(from, from + LINES_A_MESSAGE));
      if (tokens === undefined) {
        refuse(block);
        return;
      }
      const rules = styles.newRules();
      if (rules.length > 0) scope.postMessage({ type: "styles-set", isAll: false, rules });
      scope.postMessage({ type: "tokens-found", block, tokens }, [tokens.buffer]);
    }
  };

  scope.onmessage = ({ data: message }) => {
    switch (message.type) {
      case "grammars-added":
        tokenizer.addGrammars(message.grammars);
        return;
      case "theme-set":
        scope.postMessage({
          type: "styles-set",
          isAll: true,
          rules: styles.setTheme(message.theme),
        });
        return;
      case "block-opened": {
        const blockTokenizer = tokenizer.openBlock(message.scopeName);
        if (blockTokenizer === undefined) refuse(message.block);
        else blocks.set(message.block, blockTokenizer);
        return;
      }
      case "lines-added":
        tokenize(message.block, message.lines);
        return;
      case "block-closed":
        blocks.delete(message.block);
        return;
      default:
        message satisfies never;
    }
  };
  scope.postMessage({ type: "ready" });
}

if (!("document" in globalThis) && "postMessage" in globalThis) {
  handleMessages(globalThis as unknown as WorkerScope);
}
