import { t } from "@vscode/l10n";
import { Disposables, type Disposable } from "../../base/disposables";
import type { createMarkdownStream, MarkdownOptions, MarkdownStream } from "../../renderer/stream";
import type { Host } from "../state/host";
import { FINAL_CLASS, type ReplyText, type ReplyTextChange } from "../state/replyText";
import { fillCodeActions } from "./codeActions";
import type { ReplyCache } from "./replyCache";
import { wrapTables } from "./wideTables";
import type { Follower } from "./viewportObserver";
import type { RenderQueue } from "./renderQueue";

/** `createMarkdownStream` of the renderer, which is loaded late. */
export type CreateMarkdownStream = typeof createMarkdownStream;

export interface RendererParts {
  readonly renderQueue: RenderQueue;
  readonly farReplies: ReplyCache;
  reportFailure(where: string): void;
  /** False for text whose code and file names have no actions; true if missing. */
  readonly hasActions?: boolean;
}

function restLabels(): NonNullable<MarkdownOptions["restLabels"]> {
  return {
    undrawnLines: (count) =>
      count === 1 ? t("1 more line is not shown.") : t("{0} more lines are not shown.", count),
    plain: t("The rest of this reply is shown without formatting."),
    open: t("Open as text"),
  };
}

/** Blocks that the user toggled or that are slow to draw; they stay rendered. */
const KEPT_BLOCKS = ".is-wrapped, .has-diagram";

/**
 * Renders a reply into its element: plain text until the reply is near the viewport and the
 * Markdown renderer is loaded, then Markdown. Plain text again when `ReplyCache` unloads the reply.
 */
export class ReplyRenderer implements Disposable, Follower {
  private readonly owned = new Disposables();
  private create: CreateMarkdownStream | undefined;
  private stream: MarkdownStream | undefined;
  private hasEnded = false;
  private isStreaming = false;
  private isNear = false;
  private queued: Disposable | undefined;
  private far: Disposable | undefined;

  constructor(
    private readonly container: HTMLElement,
    private readonly messageId: string,
    private readonly text: ReplyText,
    private readonly host: Host,
    private readonly parts: RendererParts,
  ) {
    this.showPlain();
    this.owned.add(text.onChanged((change) => this.applyChange(change)));
    this.owned.add({ dispose: () => this.cancelPending() });
  }

  useMarkdown(create: CreateMarkdownStream): void {
    if (this.create !== undefined) return;
    this.create = create;
    this.update();
  }

  comeNear(): void {
    this.isNear = true;
    this.far?.dispose();
    this.update();
  }

  goFar(): void {
    this.isNear = false;
    this.cancelPending();
    if (this.stream === undefined || this.isStreaming) return;
    const { length } = this.text.whole;
    this.far = this.parts.farReplies.add({ length, unload: () => this.unload() });
  }

  private cancelPending(): void {
    this.queued?.dispose();
    this.queued = undefined;
    this.far?.dispose();
  }

  /** Shows plain text; the browser keeps the height until the reply is near again. */
  private unload(): void {
    if (this.isStreaming || this.isInUse()) return;
    this.stream?.dispose();
    this.stream = undefined;
    this.showPlain();
  }

  /** Returns true while unloading would lose focus, a selection or a toggled block. */
  private isInUse(): boolean {
    const { container } = this;
    const document = container.ownerDocument;
    return (
      container.contains(document.activeElement) ||
      document.getSelection()?.containsNode(container, true) === true ||
      container.querySelector(KEPT_BLOCKS) !== null
    );
  }

  /** Renders a reply that waits for its turn, as the user jumps to a part of the reply. */
  renderNow(): void {
    if (this.stream === undefined && this.create !== undefined) this.showMarkdown();
  }

  setStreaming(isStreaming: boolean): void {
    this.isStreaming = isStreaming;
    if (!isStreaming) this.endStream();
    this.update();
  }

  dispose(): void {
    this.owned.dispose();
    this.stream = undefined;
  }

  private update(): void {
    if (this.stream !== undefined || this.create === undefined) return;
    if (this.isStreaming) this.showMarkdown();
    else if (this.isNear && this.queued === undefined) {
      this.queued = this.parts.renderQueue.add(() => this.showMarkdown());
    }
  }

  private applyChange(change: ReplyTextChange): void {
    const isWhole = change.kind === "replaced";
    if (this.stream === undefined) {
      if (isWhole) this.showPlain();
      else this.container.append(change.text);
    } else if (isWhole || this.hasEnded) {
      this.showMarkdown(); // A continued reply is rendered again.
    } else this.guard(() => this.stream?.append(change.text));
  }

  private showPlain(): void {
    this.container.classList.remove(FINAL_CLASS);
    this.container.classList.add("is-plain");
    this.container.replaceChildren(this.text.whole);
  }

  private showMarkdown(): void {
    const { create } = this;
    this.queued?.dispose();
    this.queued = undefined;
    if (create === undefined) return;
    this.guard(() => {
      // The old stream must not write into the new content.
      this.stream?.dispose();
      this.container.replaceChildren();
      this.container.classList.remove("is-plain", FINAL_CLASS);
      const stream = create(this.container, {
        ...(this.parts.hasActions !== false && { onCodeBlock: fillCodeActions }),
        firstHeadingLevel: 3, // Below the heading of the message.
        restLabels: restLabels(),
        onOpenText: () => this.host.send({ type: "reply-opened", messageId: this.messageId }),
        taskLabels: { open: t("Not completed"), done: t("Completed") },
        diagramLabels: {
          image: t("Diagram"),
          failed: t(
            "This diagram could not be drawn. Show its source, or ask for a corrected diagram.",
          ),
        },
      });
      this.stream = stream;
      this.hasEnded = false;
      if (this.text.whole !== "") stream.append(this.text.whole);
    });
    if (!this.isStreaming) this.endStream();
  }

  private endStream(): void {
    const { stream } = this;
    if (stream === undefined || this.hasEnded) return;
    this.hasEnded = true;
    this.guard(() => {
      void Promise.resolve(stream.end()).then(
        () => this.finish(stream),
        (error: unknown) => this.fail(error),
      );
    });
  }

  /** Wraps tables and links file names, unless the content was replaced since. */
  private finish(stream: MarkdownStream): void {
    if (this.stream !== stream || !this.hasEnded) return;
    this.container.classList.add(FINAL_CLASS);
    wrapTables(this.container, this.parts.hasActions !== false);
    if (this.parts.hasActions === false) return;
    // Without an answer the names stay plain text.
    this.linkFiles(stream).catch(() => undefined);
  }

  private async linkFiles(stream: MarkdownStream): Promise<void> {
    const { linkFiles } = await import("./fileLinks");
    if (this.stream !== stream || !this.hasEnded) return;
    await linkFiles(this.container, this.messageId, this.host);
  }

  private guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Falls back to plain text. */
  private fail(error: unknown): void {
    this.parts.reportFailure(`markdown: ${error instanceof Error ? error.name : "unknown"}`);
    this.create = undefined;
    this.stream?.dispose();
    this.stream = undefined;
    this.showPlain();
  }
}
