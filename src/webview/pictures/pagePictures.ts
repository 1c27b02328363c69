/**
 * Pictures as the page handles them: offers what was pasted or dropped to the host, draws what the
 * host asks to have drawn, and shows small likenesses of what the host keeps.
 */
import { t } from "@vscode/l10n";
import { computed, signal, type ReadonlySignal } from "@preact/signals";
import type { AttachmentView, ChipView } from "../../protocol/views";
import type { Host } from "../state/host";
import type { PanelStore, PictureJob } from "../state/store";
import { croppedArea, parseMarks, writeMarks, type Mark, type MarkKind } from "./marks";
import type { PictureTools } from "./pictureTools";

/** Side of the likenesses in the panel, in pixels; sharp on dense screens too. */
const SMALL_SIDE_PX = 320;

/** Likenesses kept for when their place is shown again; some 50 KB each. */
const MAX_KEPT = 200;

/** A picture that is shown over the panel. */
export type ShownPicture =
  | { readonly kind: "looked-at"; readonly chip: ChipView; readonly messageId: string }
  | {
      readonly kind: "marked-up";
      readonly attachment: AttachmentView;
      /** Tool that is chosen at first. */
      readonly tool?: MarkKind;
    }
  /** What is sent for an attachment, before it is sent. */
  | { readonly kind: "previewed"; readonly attachmentId: string };

/** A picture that the host cannot give; with its sentence about that, if it has one. */
class LostPicture extends Error {
  override readonly name = "LostPicture";
}

/** What is said where a picture cannot be shown. */
export function lostWords(error: unknown): string {
  const known = error instanceof LostPicture ? error.message : "";
  return known || t("The picture could not be shown. Open the conversation anew to try again.");
}

/** One per page. */
export class PagePictures {
  private tools: Promise<PictureTools> | undefined;
  private readonly underWay = signal<readonly Promise<boolean>[]>([]);
  private readonly small = new Map<string, Promise<Blob>>();

  /** How many pictures are being prepared just now. */
  readonly preparingCount: ReadonlySignal<number> = computed(() => this.underWay.value.length);

  constructor(
    private readonly host: Host,
    private readonly store: PanelStore,
    private readonly scriptUrl: string,
    private readonly reportFailure: (where: string) => void,
  ) {
    store.onEvent((event) => {
      if (event.type === "picture-job") void this.track(this.runJob(event));
    });
  }

  /** Offers files to the host, in their order. */
  attach(files: readonly File[]): void {
    const conversationId = this.store.conversationId.peek();
    if (conversationId === undefined) return;
    let before: Promise<unknown> = Promise.resolve();
    for (const file of files) {
      const offered = before.then(() => this.offer(conversationId, file));
      before = offered;
      void this.track(offered);
    }
  }

  /** Resolves when nothing is being prepared any more; false when something was not attached. */
  async settled(): Promise<boolean> {
    let isAllWell = true;
    while (this.underWay.peek().length > 0) {
      const results = await Promise.all(this.underWay.peek());
      isAllWell &&= results.every((isAttached) => isAttached);
    }
    return isAllWell;
  }

  /** What is shown over the panel: a picture to look at, or one to mark up. */
  readonly shown = signal<ShownPicture | undefined>(undefined);

  /** Marks of attachments whose editor was closed without using them, by the attachments' ids. */
  readonly unusedMarks = new Map<string, readonly Mark[]>();

  /**
   * Has an attached picture sent with these marks, or as it was without any. Returns the sentence about
   * it where that failed; the host then does not send the picture until it is tried again.
   * @param fit how it is sent beyond the limits; absent for the usual way
   */
  async applyMarks(
    { id: attachmentId, picture }: AttachmentView,
    marks: readonly Mark[],
    fit?: "tiles" | "scaled",
  ): Promise<string> {
    const conversationId = this.store.conversationId.peek();
    if (conversationId === undefined || picture === undefined) return "";
    const named = { conversationId, attachmentId };
    if (marks.length === 0) {
      this.host.send({ type: "picture-fit-chosen", ...named, fit: fit ?? "whole" });
      return "";
    }
    const area = croppedArea(marks, picture.widthPx, picture.heightPx);
    const asked = this.host.request({
      type: "picture-marked",
      ...named,
      change: marks.every(({ kind }) => kind === "crop") ? "crop" : "marked",
      marks: writeMarks(marks),
      ...{ widthPx: area.width, heightPx: area.height },
      ...(fit && { fit }),
    });
    // A question that is sent meanwhile waits for it.
    void this.track(
      asked.then(
        ({ isAccepted }) => isAccepted,
        () => false,
      ),
    );
    const reply = await asked;
    return reply.isAccepted ? "" : (reply.notice?.text ?? "");
  }

  /** Draws the marks of an attachment once more; rejects where they are damaged. */
  async reapplyMarks(attachment: AttachmentView, fit?: "tiles" | "scaled"): Promise<string> {
    const { marks } = attachment;
    return this.applyMarks(attachment, marks === undefined ? [] : parseMarks(marks), fit);
  }

  /** The picture as PNG, which is all that clipboards take. */
  async asPng(source: Blob): Promise<Blob> {
    if (source.type === "image/png") return source;
    const tools = await this.loadTools();
    const [bytes] = await tools.run({ task: "draw", source, mediaType: "image/png" });
    return new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "image/png" });
  }

  /** A picture of this conversation; rejects with what `lostWords` makes a sentence of. */
  async load(hash: string): Promise<Blob> {
    const { picture, notice } = await this.host.request({ type: "picture-asked", hash });
    if (picture === undefined) throw new LostPicture(notice?.text);
    return new Blob([picture.bytes as Uint8Array<ArrayBuffer>], { type: picture.mediaType });
  }

  /** A small likeness of it. */
  loadSmall(hash: string): Promise<Blob> {
    const known = this.small.get(hash);
    const loading = known ?? this.makeSmall(hash);
    // The newest stands last; the first is the one that was not shown for longest.
    this.small.delete(hash);
    this.small.set(hash, loading);
    if (this.small.size > MAX_KEPT) {
      const [oldest] = this.small.keys();
      if (oldest !== undefined) this.small.delete(oldest);
    }
    if (known === undefined) loading.catch(() => this.small.delete(hash));
    return loading;
  }

  private async makeSmall(hash: string): Promise<Blob> {
    const [source, tools] = await Promise.all([this.load(hash), this.loadTools()]);
    const [bytes] = await tools.run({ task: "small", source, maxSidePx: SMALL_SIDE_PX });
    return new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "image/png" });
  }

  private async offer(conversationId: string, file: File): Promise<boolean> {
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const name = file.name.slice(-255);
      const isReadable = await this.isReadable(file);
      const { isAccepted } = await this.host.request({
        type: "picture-offered",
        ...{ conversationId, name, bytes },
        ...(!isReadable && { isReadable }),
      });
      return isAccepted;
    } catch {
      this.reportFailure("picture offered");
      return false;
    }
  }

  /** False for what the browser cannot decode; the host knows which formats are drawn another way. */
  private async isReadable(file: File): Promise<boolean> {
    const tools = await this.loadTools();
    return tools.run({ task: "check", source: file }).then(
      () => true,
      () => false,
    );
  }

  private async runJob(job: PictureJob): Promise<boolean> {
    try {
      const pictures = await this.draw(job);
      const count = pictures.length;
      for (const [index, bytes] of pictures.entries()) {
        await this.host.request({ type: "picture-drawn", jobId: job.jobId, index, count, bytes });
      }
      return true;
    } catch {
      this.host.send({ type: "picture-not-drawn", jobId: job.jobId });
      return false;
    }
  }

  private async draw({
    fit,
    mediaType,
    maxSidePx,
    maxBytes,
    bytes,
    marks,
    orientation,
  }: PictureJob): Promise<Uint8Array[]> {
    const tools = await this.loadTools();
    const file = new Blob([bytes as Uint8Array<ArrayBuffer>], { type: mediaType });
    if (fit === "check") {
      await tools.run({ task: "check", source: file });
      return [new Uint8Array()];
    }
    if (fit !== "draw") {
      const drawn = { marks: marks === undefined ? [] : parseMarks(marks) };
      const limits = { maxSidePx, maxBytes };
      return tools.run({ task: fit, source: file, mediaType, limits, ...drawn });
    }
    const source = mediaType === "image/svg+xml" ? await tools.rasterize(file) : file;
    return tools.run({ task: "draw", source, mediaType, orientation, maxBytes });
  }

  private loadTools(): Promise<PictureTools> {
    this.tools ??= import("./pictureTools").then(
      ({ PictureTools: Tools }) => new Tools(this.scriptUrl),
    );
    this.tools.catch(() => (this.tools = undefined));
    return this.tools;
  }

  private async track(work: Promise<boolean>): Promise<void> {
    this.underWay.value = [...this.underWay.peek(), work];
    await work;
    this.underWay.value = this.underWay.peek().filter((one) => one !== work);
  }
}
