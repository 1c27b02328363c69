/**
 * Highlighting worker: receives grammars and lines of code, returns token numbers. An entry point
 * of its own, started as a blob in the panel and as a module elsewhere.
 */
import { FALLBACK_THEME } from "./fallbackTheme";
import type { FromWorker, ToWorker } from "./protocol";
import { ScopeStyles } from "./scopeStyles";
import { Tokenizer, type BlockReader } from "./tokenizer";

/** Number of lines per message of tokens. */
const LINES_A_MESSAGE = 25;

/** The members of a worker's global scope in use; the project's DOM types are those of a window. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
}

/** Handles the messages of a worker scope. */
export function startWorker(scope: WorkerScope): void {
  const styles = new ScopeStyles(FALLBACK_THEME);
  const tokenizer = new Tokenizer(styles, () => performance.now());
  const blocks = new Map<number, BlockReader>();

  const refuse = (block: number) => {
    blocks.delete(block);
    scope.postMessage({ type: "block-refused", block });
  };

  const read = (block: number, lines: readonly string[]) => {
    for (let from = 0; from < lines.length; from += LINES_A_MESSAGE) {
      const reader = blocks.get(block);
      if (reader === undefined) return;
      const tokens = reader.read(lines.slice(from, from + LINES_A_MESSAGE));
      if (tokens === undefined) {
        refuse(block);
        return;
      }
      const rules = styles.takeNews();
      if (rules.length > 0) scope.postMessage({ type: "styles-set", isAll: false, rules });
      scope.postMessage({ type: "tokens-found", block, tokens }, [tokens.buffer]);
    }
  };

  scope.onmessage = ({ data: message }) => {
    switch (message.type) {
      case "grammars-added":
        tokenizer.add(message.grammars);
        return;
      case "theme-set":
        scope.postMessage({
          type: "styles-set",
          isAll: true,
          rules: styles.setTheme(message.theme),
        });
        return;
      case "block-opened": {
        const reader = tokenizer.open(message.scopeName);
        if (reader === undefined) refuse(message.block);
        else blocks.set(message.block, reader);
        return;
      }
      case "lines-added":
        read(message.block, message.lines);
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
  startWorker(globalThis as unknown as WorkerScope);
}
