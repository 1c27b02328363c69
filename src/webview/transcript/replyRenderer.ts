/**
 * Owns the element that holds one reply's text: plain until it is near the viewport and the
 * Markdown driver is there, then Markdown, and plain again once it is far away and others are
 * nearer. Text that arrives goes straight to the driver; no component is rendered for it.
 */
import { t } from "@vscode/l10n";
import { Disposables, type Disposable } from "../../base/disposables";
import type { Host } from "../boot/hostClient";
import type { ReplyText, ReplyTextChange } from "../state/replyText";
import { fillCodeActions } from "./codeActions";
import type { ReplyCache } from "./replyCache";
import { linkFiles } from "./fileLinks";
import type { Follower } from "./viewportObserver";
import type { RenderQueue } from "./renderQueue";

/** What the Markdown driver is to this page; `markdown/stream.ts` is one. */
export interface ReplyMarkdown {
  append(text: string): void;
  end(): void | Promise<void>;
  dispose(): void;
}

export type CreateMarkdownStream = (
  container: HTMLElement,
  options?: {
    readonly onCodeBlock?: (
      element: HTMLElement,
      info: { index: number; language: string },
    ) => void;
    readonly idPrefix?: string;
    readonly taskLabels?: { readonly open: string; readonly done: string };
    readonly diagramLabels?: { readonly image: string; readonly failed: string };
  },
) => ReplyMarkdown;

/** What a renderer needs of the page around it. */
export interface RendererParts {
  readonly renderQueue: RenderQueue;
  readonly farReplies: ReplyCache;
  readonly host: Host;
  reportFailure(where: string): void;
}

/** What the person changed in a reply, and what took long to draw: it is not rendered anew. */
const LASTING = ".is-wrapped, .has-diagram";

/** One per reply on the page. */
export class ReplyRenderer implements Disposable, Follower {
  private readonly owned = new Disposables();
  private create: CreateMarkdownStream | undefined;
  private stream: ReplyMarkdown | undefined;
  private hasEnded = false;
  private isStreaming = false;
  private isNear = false;
  private queued: Disposable | undefined;
  private far: Disposable | undefined;

  constructor(
    private readonly container: HTMLElement,
    private readonly messageId: string,
    private readonly text: ReplyText,
    private readonly parts: RendererParts,
  ) {
    this.showPlain();
    this.owned.add(text.onChanged((change) => this.take(change)));
    this.owned.add({ dispose: () => this.goNowhere() });
  }

  /** The driver has been loaded. */
  useMarkdown(create: CreateMarkdownStream): void {
    if (this.create !== undefined) return;
    this.create = create;
    this.update();
  }

  /** The reply is near the viewport: it will be looked at. */
  comeNear(): void {
    this.isNear = true;
    this.far?.dispose();
    this.update();
  }

  /** The reply is far away from the viewport; what was not rendered yet need not be. */
  goFar(): void {
    this.isNear = false;
    this.goNowhere();
    if (this.stream === undefined || this.isStreaming) return;
    const { length } = this.text.whole;
    this.far = this.parts.farReplies.add({ length, unload: () => this.unload() });
  }

  private goNowhere(): void {
    this.queued?.dispose();
    this.queued = undefined;
    this.far?.dispose();
  }

  /** Only the text stays; the browser keeps the height until the reply comes near again. */
  private unload(): void {
    if (this.isStreaming || this.isHeld()) return;
    this.stream?.dispose();
    this.stream = undefined;
    this.showPlain();
  }

  /** True while something in it would be lost. */
  private isHeld(): boolean {
    const { container } = this;
    const page = container.ownerDocument;
    return (
      container.contains(page.activeElement) ||
      page.getSelection()?.containsNode(container, true) === true ||
      container.querySelector(LASTING) !== null
    );
  }

  /** More text may come (true), or this was all of it. */
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

  private take(change: ReplyTextChange): void {
    const isWhole = change.kind === "replaced";
    if (this.stream === undefined) {
      if (isWhole) this.showPlain();
      else this.container.append(change.text);
    } else if (isWhole || this.hasEnded) {
      this.showMarkdown(); // A reply that goes on after its end is rendered anew.
    } else this.guard(() => this.stream?.append(change.text));
  }

  private showPlain(): void {
    this.container.classList.add("is-plain");
    this.container.replaceChildren(this.text.whole);
  }

  private showMarkdown(): void {
    const { create } = this;
    this.queued?.dispose();
    this.queued = undefined;
    if (create === undefined) return;
    this.guard(() => {
      // What it has not shown yet must not be shown in the next one's place.
      this.stream?.dispose();
      this.container.replaceChildren();
      this.container.classList.remove("is-plain");
      const stream = create(this.container, {
        onCodeBlock: fillCodeActions,
        idPrefix: `${this.messageId}-`,
        taskLabels: { open: t("Not done"), done: t("Done") },
        diagramLabels: {
          image: t("Diagram"),
          failed: t(
            "This diagram could not be drawn. Read its source, or ask for a corrected one.",
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
        () => this.linkFiles(stream),
        (error: unknown) => this.fail(error),
      );
    });
  }

  /** Once the reply is final; what came after it took its place is left alone. */
  private linkFiles(stream: ReplyMarkdown): void {
    if (this.stream !== stream || !this.hasEnded) return;
    // The host may be gone, or refuse: then the names stay words.
    linkFiles(this.container, this.messageId, this.parts.host).catch(() => undefined);
  }

  private guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.fail(error);
    }
  }

  /** A driver that fails costs the reply its looks, never its text. */
  private fail(error: unknown): void {
    this.parts.reportFailure(`markdown: ${error instanceof Error ? error.name : "unknown"}`);
    this.create = undefined;
    this.stream?.dispose();
    this.stream = undefined;
    this.showPlain();
  }
}
