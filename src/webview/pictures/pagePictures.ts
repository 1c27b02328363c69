/**
 * Handles pictures in the webview: sends pasted and dropped files to the host, runs the host's drawing
 * jobs, and loads pictures and thumbnails of the conversation.
 */
import { t } from "@vscode/l10n";
import { computed, signal, type ReadonlySignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { PictureNote } from "../../pointing/pictureNote";
import type { AttachmentView, ChipView } from "../../protocol/views";
import type { Attaching } from "../state/draft";
import type { Host } from "../state/host";
import type { PanelStore, PictureJob } from "../state/store";
import { withAttempt, type Attempt, type Attempts } from "./attempts";
import type { ComparedSize } from "./comparedSize";
import { cropAround } from "./cropAround";
import type { DrawnPicture } from "./drawing";
import { ClipboardOffer } from "./clipboardPictures";
import { croppedArea, parseMarks, readMarks, type Area, type Mark, type MarkKind } from "./marks";
import { isNote, notesOf } from "./noteMarks";
import { LostPicture, type Difference, type PictureLoader } from "./pictureLoader";
import type { PictureTools } from "./pictureTools";
import type { ZoomArea } from "./zoomArea";

/** Longest side of thumbnails, in pixels; sharp on high-density screens too. */
const SMALL_SIDE_PX = 320;

/** Size of the thumbnail cache; about 50 KB each. */
const MAX_KEPT = 200;

/** Longest time until a picture of the conversation is attached again, in milliseconds. */
const MAX_ATTACH_MS = 10_000;

/** Width from which the page itself is large enough for the editor, in CSS pixels. */
const LARGE_WIDTH_PX = 700;

/** Screen pixels for a pixel of the picture below which letters of 12 pixels are less than 5 high. */
const MIN_EDITOR_ZOOM = 0.4;

/** A picture of this conversation. */
export interface ContentPicture {
  readonly hash: string;
  readonly name: string;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** A picture that is shown over the panel. */
export type ShownPicture =
  | {
      readonly kind: "looked-at";
      readonly chip: ChipView;
      readonly messageId: string;
      /** Returns a layer over the picture, e.g. the positions that a reply names. */
      readonly overlay?: (area: ZoomArea) => ComponentChildren;
      /** Shown below the picture. */
      readonly footer?: ComponentChildren;
    }
  | {
      readonly kind: "marked-up";
      readonly attachment: AttachmentView;
      /** Initial tool. */
      readonly tool?: MarkKind;
    }
  /** Choice of an area of a picture whose content is copied. */
  | {
      readonly kind: "content";
      readonly picture: ContentPicture;
      /** Shown again afterwards. */
      readonly back: ShownPicture | undefined;
    }
  /** A document whose pages can be attached. */
  | { readonly kind: "document"; readonly name: string; readonly bytes: Uint8Array }
  /** Preview of an attachment as it will be sent, compared with the picture before it. */
  | {
      readonly kind: "previewed";
      readonly attachmentId: string;
      readonly isCompared?: boolean;
    };

interface AttachingWork {
  readonly attached: Promise<boolean>;
  readonly isPicture: boolean;
}

export class PagePictures implements PictureLoader, Attaching {
  private tools: Promise<PictureTools> | undefined;
  private readonly underWay = signal<readonly AttachingWork[]>([]);
  private readonly small = new Map<string, Promise<Blob>>();

  /** Number of pictures that are being prepared. */
  readonly preparingCount: ReadonlySignal<number> = computed(
    () => this.underWay.value.filter(({ isPicture }) => isPicture).length,
  );
  /** True while something is being attached. */
  readonly isAttaching: ReadonlySignal<boolean> = computed(() => this.underWay.value.length > 0);

  readonly clipboard = new ClipboardOffer((files) => this.attach(files));

  constructor(
    private readonly host: Host,
    private readonly store: PanelStore,
    readonly scriptUrl: string,
    private readonly reportFailure: (where: string) => void,
  ) {
    store.on("picture-job", (job) => void this.track(this.runJob(job)));
    store.on("document-opened", ({ name, bytes }) => this.openDocument(name, bytes));
    store.on("pictures-compared", () => {
      const attachmentId = store.attachments.peek().findLast(({ picture }) => picture)?.id;
      if (attachmentId !== undefined) {
        this.shown.value = { kind: "previewed", attachmentId, isCompared: true };
      }
    });
    store.on("picture-editor-opened", ({ attachmentId }) => this.openEditor(attachmentId));
  }

  /** Sends files to the host in their order. */
  attach(files: readonly File[]): void {
    void this.attachAll(files);
  }

  /** Sends files to the host in their order; resolves when the host has answered. */
  async attachAll(files: readonly File[]): Promise<void> {
    let before: Promise<unknown> = Promise.resolve();
    const shownId = this.store.shownId();
    for (const file of files) {
      const offered = before.then(async () => this.offer(await shownId, file));
      before = offered;
      void this.track(offered);
    }
    await before;
  }

  /** Resolves when nothing is being attached; false if something was not attached. */
  async settled(): Promise<boolean> {
    let isAllWell = true;
    while (this.underWay.peek().length > 0) {
      const results = await Promise.all(this.underWay.peek().map(({ attached }) => attached));
      isAllWell &&= results.every((isAttached) => isAttached);
    }
    return isAllWell;
  }

  /** Picture in the viewer or the editor over the panel. */
  readonly shown = signal<ShownPicture | undefined>(undefined);

  /** Opens the choice of pages of a PDF. */
  openDocument(name: string, bytes: Uint8Array): void {
    this.shown.value = { kind: "document", name, bytes };
  }

  /**
   * Opens the editor of an attached picture: in a tab where the panel would show the picture too small to
   * be marked, else over the panel.
   */
  markUp(attachment: AttachmentView, tool?: MarkKind): void {
    const { widthPx = 1 } = attachment.picture ?? {};
    const zoom = (devicePixelRatio * innerWidth) / widthPx;
    const conversationId = this.store.conversationId.peek();
    const isTooSmall = innerWidth < LARGE_WIDTH_PX && zoom < MIN_EDITOR_ZOOM;
    if (isTooSmall && tool === undefined && conversationId !== undefined) {
      const attachmentId = attachment.id;
      this.host.send({ type: "picture-editor-asked", conversationId, attachmentId });
    } else this.shown.value = { kind: "marked-up", attachment, ...(tool && { tool }) };
  }

  private openEditor(attachmentId: string): void {
    const attachment = this.store.attachments.peek().find(({ id }) => id === attachmentId);
    if (attachment?.picture) this.shown.value = { kind: "marked-up", attachment };
  }

  /** Opens the choice of the area whose content is copied. */
  openContent(picture: ContentPicture): void {
    this.shown.value = { kind: "content", picture, back: this.shown.peek() };
  }

  /** Pictures that were compared with the same picture, by the hash of that picture. */
  readonly attempts = signal<Attempts>(new Map());

  /** Adds a picture that was compared, or replaces its share of equal pixels. */
  addAttempt(otherHash: string, attempt: Attempt): void {
    this.attempts.value = withAttempt(this.attempts.peek(), otherHash, attempt);
  }

  /** Marks of editors that were closed without applying them, by attachment id. */
  readonly unusedMarks = new Map<string, readonly Mark[]>();

  /** Applies the marks of the editor; returns the error text after a failure, else an empty string. */
  async applyEdited(attachment: AttachmentView, marks: readonly Mark[]): Promise<string> {
    const { widthPx = 1, heightPx = 1 } = attachment.picture ?? {};
    const drawn = marks.filter((mark) => !isNote(mark));
    const before = readMarks(attachment.marks);
    const isSame =
      attachment.sent?.length !== 0 && JSON.stringify(drawn) === JSON.stringify(before);
    const notes = notesOf(marks, widthPx, heightPx);
    if (JSON.stringify(notes) !== JSON.stringify(attachment.notes ?? [])) {
      this.changeNotes(attachment.id, notes);
    }
    return isSame ? "" : this.applyMarks(attachment, drawn);
  }

  /** Attaches pictures of this conversation again; false if one cannot be attached. */
  async attachAgain(
    pictures: readonly { readonly hash: string; readonly messageId: string }[],
  ): Promise<boolean> {
    const conversationId = this.store.conversationId.peek();
    if (conversationId === undefined) return false;
    for (const { hash, messageId } of pictures) {
      const isIt = ({ picture, sent }: AttachmentView) =>
        sent === undefined ? picture?.hash === hash : sent.length === 1 && sent[0]?.hash === hash;
      if (!this.store.attachments.peek().some(isIt)) {
        this.host.send({ type: "picture-put-back", conversationId, messageId, hash });
      }
      if ((await this.attachment(isIt)) === undefined) return false;
    }
    return true;
  }

  /** Resolves when a picture is attached; to undefined if the host has not attached it in time. */
  private attachment(isIt: (one: AttachmentView) => boolean): Promise<AttachmentView | undefined> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), MAX_ATTACH_MS);
      const stop = this.store.attachments.subscribe((all) => {
        const found = all.find(isIt);
        if (found === undefined) return;
        clearTimeout(timer);
        resolve(found);
        queueMicrotask(() => stop());
      });
    });
  }

  /** Replaces the notes on an attached picture. */
  changeNotes(attachmentId: string, notes: readonly PictureNote[]): void {
    const conversationId = this.store.conversationId.peek();
    if (conversationId === undefined) return;
    const named = { conversationId, attachmentId };
    this.host.send({ type: "picture-notes-changed", ...named, notes: [...notes] });
  }

  /**
   * Applies marks to an attached picture, or restores the original for no marks. Returns the error text
   * after a failure, else an empty string. The host does not send a picture with unapplied marks.
   * @param fit way to send a picture beyond the limits; absent for the setting's way
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
      marks: JSON.stringify(marks),
      x: area.x,
      y: area.y,
      widthPx: area.width,
      heightPx: area.height,
      ...(fit && { fit }),
    });
    // A question sent during this request waits for the result.
    void this.track(
      asked.then(
        ({ isAccepted }) => isAccepted,
        () => false,
      ),
    );
    const reply = await asked;
    return reply.isAccepted ? "" : (reply.notice?.text ?? "");
  }

  /** Applies the marks of an attachment again; rejects for damaged marks. */
  async reapplyMarks(attachment: AttachmentView, fit?: "tiles" | "scaled"): Promise<string> {
    const { marks } = attachment;
    return this.applyMarks(attachment, marks === undefined ? [] : parseMarks(marks), fit);
  }

  /** Attaches the region of a note in the picture's own pixels, with the marks in it. */
  attachNoteRegion({ picture, label, marks }: AttachmentView, note: PictureNote): Promise<string> {
    if (picture === undefined) return Promise.resolve("");
    const kept = marks === undefined ? [] : parseMarks(marks);
    const { hash, widthPx, heightPx } = picture;
    const cropped = croppedArea(kept, widthPx, heightPx);
    const region = common(cropAround(note, widthPx, heightPx), cropped);
    return this.attachRegion(hash, region, {
      marks: kept.filter(({ kind }) => kind !== "crop"),
      name: t("{0}, note {1}", label, note.number),
    });
  }

  /**
   * Attaches an area of a picture of this conversation; returns the error text after a failure.
   * @param marks marks that are drawn on the area
   * @param name name of the attachment; that of the picture without it
   */
  async attachRegion(
    hash: string,
    area: Area,
    { marks = [], name }: { readonly marks?: readonly Mark[]; readonly name?: string } = {},
  ): Promise<string> {
    const conversationId = this.store.conversationId.peek();
    if (conversationId === undefined) return "";
    const { x, y, width: widthPx, height: heightPx } = area;
    const asked = this.host.request({
      type: "picture-region-attached",
      conversationId,
      hash,
      marks: JSON.stringify([...marks, { kind: "crop", ...area }]),
      ...(name !== undefined && { name: name.slice(-255) }),
      x,
      y,
      widthPx,
      heightPx,
    });
    const accepted = asked.then(
      ({ isAccepted }) => isAccepted,
      () => false,
    );
    void this.track(accepted);
    const { isAccepted, notice } = await asked;
    return isAccepted ? "" : (notice?.text ?? "");
  }

  /**
   * Loads a picture of this conversation, scaled down so that the page can show it cheaply.
   */
  async loadScaled(hash: string, maxSidePx: number): Promise<Blob> {
    const [source, tools] = await Promise.all([this.load(hash), this.loadTools()]);
    const limits = { maxSidePx, maxBytes: Infinity };
    const [drawn] = await tools.run({
      task: "scaled",
      source,
      mediaType: source.type,
      limits,
      marks: [],
    });
    return new Blob([drawn?.bytes as Uint8Array<ArrayBuffer>], { type: source.type });
  }

  async difference(hash: string, otherHash: string, size: ComparedSize): Promise<Difference> {
    const pair = await Promise.all([this.load(hash), this.load(otherHash)]);
    return (await this.loadTools()).difference(...pair, size);
  }

  /** Copies a picture; false if the browser does not allow that. */
  async copy(picture: Blob): Promise<boolean> {
    try {
      const png = await this.asPng(picture);
      await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
    } catch {
      return false;
    }
    void this.clipboard.markSeen();
    return true;
  }

  /** Returns the picture as PNG, the only format that clipboards accept. */
  private async asPng(source: Blob): Promise<Blob> {
    if (source.type === "image/png") return source;
    const tools = await this.loadTools();
    return pngOf(await tools.run({ task: "draw", source, mediaType: "image/png" }));
  }

  /** Loads a picture of this conversation; rejects with an error for `lostText`. */
  async load(hash: string): Promise<Blob> {
    const { picture, notice } = await this.host.request({ type: "picture-asked", hash });
    if (picture === undefined) throw new LostPicture(notice?.text);
    return new Blob([picture.bytes as Uint8Array<ArrayBuffer>], { type: picture.mediaType });
  }

  /** Loads a thumbnail, from the cache if possible. */
  loadSmall(hash: string): Promise<Blob> {
    const known = this.small.get(hash);
    const loading = known ?? this.makeSmall(hash);
    // A map keeps insertion order, so the first entry is the least recently used.
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
    return pngOf(await tools.run({ task: "small", source, maxSidePx: SMALL_SIDE_PX }));
  }

  private async offer(conversationId: string, file: File): Promise<boolean> {
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const name = file.name.slice(-255);
      const isReadable = await this.isReadable(file);
      const { isAccepted } = await this.host.request({
        type: "picture-offered",
        conversationId,
        name,
        bytes,
        ...(!isReadable && { isReadable }),
      });
      return isAccepted;
    } catch {
      this.reportFailure("picture offered");
      return false;
    }
  }

  /** False for files that the browser cannot decode. The host knows the formats that need another way. */
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
      for (const [index, picture] of pictures.entries()) {
        const { jobId } = job;
        await this.host.request({ type: "picture-drawn", jobId, index, count, ...picture });
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
  }: PictureJob): Promise<readonly DrawnPicture[]> {
    const tools = await this.loadTools();
    const file = new Blob([bytes as Uint8Array<ArrayBuffer>], { type: mediaType });
    if (fit === "check") {
      await tools.run({ task: "check", source: file });
      return [{ bytes: new Uint8Array(), x: 0, y: 0 }];
    }
    if (fit !== "draw") {
      const drawn = { marks: marks === undefined ? [] : parseMarks(marks) };
      const limits = { maxSidePx, maxBytes };
      return tools.run({ task: fit, source: file, mediaType, limits, ...drawn });
    }
    const source = mediaType === "image/svg+xml" ? await tools.rasterize(file) : file;
    return tools.run({ task: "draw", source, mediaType, maxBytes });
  }

  private loadTools(): Promise<PictureTools> {
    this.tools ??= import("./pictureTools").then(({ PictureTools: Tools }) =>
      Tools.nextTo(this.scriptUrl),
    );
    this.tools.catch(() => (this.tools = undefined));
    return this.tools;
  }

  /**
   * Lets a question that is sent meanwhile wait.
   * @param attached resolves to false if nothing was attached; never rejects
   */
  async track(attached: Promise<boolean>, isPicture = true): Promise<void> {
    const work = { attached, isPicture };
    this.underWay.value = [...this.underWay.peek(), work];
    await attached;
    this.underWay.value = this.underWay.peek().filter((one) => one !== work);
  }
}

/** Returns the common area of two that overlap. */
function common(one: Area, other: Area): Area {
  const x = Math.max(one.x, other.x);
  const y = Math.max(one.y, other.y);
  const width = Math.min(one.x + one.width, other.x + other.width) - x;
  const height = Math.min(one.y + one.height, other.y + other.height) - y;
  return { x, y, width, height };
}

function pngOf([drawn]: readonly DrawnPicture[]): Blob {
  return new Blob([drawn?.bytes as Uint8Array<ArrayBuffer>], { type: "image/png" });
}
