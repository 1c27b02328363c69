/**
 * One view's desk for pictures: judges what is to be attached, has the page draw what cannot go as
 * it is, stores what comes of it by its hash and attaches that. What is not taken is said; nothing
 * is ever put in a picture's place.
 */
import type { Clock } from "../base/clock";
import type { HostReply, ToHost, ToView } from "../protocol/messages";
import type { PictureFit } from "../protocol/views";
import type { ImageValidation, PictureLimits, ReadyPicture } from "../context/validateImage";
import { MAX_REQUEST_PICTURE_BYTES } from "../context/budget";
import type { ImagePart, Part } from "../conversation/message";
import { sentParts, type PictureOrigin, type PicturePlan } from "../history/draft";
import { lossOf, type Pictures, type ReadPicture } from "../history/pictures";
import type { Attachments } from "./attachments";
import type { LiveConversation } from "./liveConversation";
import { PictureJobs, plainBytes, type DrawnPiece } from "./pictureJobs";
import { retriedQuestion } from "./retryPictures";
import type { PictureRefusal, Messages } from "./messages";

/** A file with a picture in it, or in what way it could not be read. */
export interface PictureFile {
  readonly name: string;
  readonly bytes: Uint8Array | "too-many-bytes" | "unreadable";
}

/** What the desk asks of the editor around it. */
export interface PictureHost {
  limits(): PictureLimits;
  /** Setting of how a picture beyond the limits is sent; a choice for one picture leaves it alone. */
  fit(): "tiles" | "scaled";
  /** Lets the person choose files; none when they think better of it. */
  pick(): Promise<PictureFile[]>;
  /** Reads files by their addresses, those outside the workspace only when the person agrees. */
  read(uris: readonly string[]): Promise<PictureFile[]>;
  save(name: string, mediaType: string, bytes: Uint8Array): Promise<void>;
}

type PictureMessage = Extract<
  ToHost,
  { type: `picture-${string}` | "files-asked" | "files-dropped" }
>;
/** True for what is handled here. */
export function isAboutPictures(message: ToHost): message is PictureMessage {
  return /^(?:picture-|files-asked$|files-dropped$)/.test(message.type);
}

type JobMessage = Extract<ToView, { type: "picture-job" }>;

/** A picture the page or a file brings. */
interface OfferedPicture {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** False where the browser could not decode it. */
  readonly isReadable?: boolean | undefined;
}

/** One for each view; what it has the page draw is asked again when the page is another one. */
export class ImageAttachments {
  private readonly jobs: PictureJobs;

  constructor(
    private readonly pictures: Pictures,
    private readonly attachments: Attachments,
    private readonly host: PictureHost,
    private readonly words: Messages,
    clock: Clock,
    private readonly live: () => LiveConversation | undefined,
    private readonly post: (
      message: Omit<JobMessage, "seq"> | Omit<Extract<ToView, { type: "notice-shown" }>, "seq">,
    ) => void,
  ) {
    this.jobs = new PictureJobs(clock, post, (name, problem) => this.refuse(name, problem));
  }

  /** Takes one message of the view. */
  async handle(message: PictureMessage): Promise<HostReply | undefined> {
    switch (message.type) {
      case "picture-offered":
        return { isAccepted: await this.offer(message.conversationId, message) };
      case "picture-drawn":
        await this.jobs.acceptPiece(message);
        return { isAccepted: true };
      case "picture-not-drawn":
        this.jobs.fail(message.jobId);
        return undefined;
      case "picture-asked":
        return this.give(message.hash);
      case "picture-fit-chosen":
        await this.chooseFit(message.conversationId, message.attachmentId, message.fit);
        return undefined;
      case "picture-marked":
        return this.mark(message);
      case "files-asked":
        await this.attachFiles(message.conversationId, await this.host.pick());
        return undefined;
      case "files-dropped":
        await this.attachFiles(message.conversationId, await this.host.read(message.uris));
        return undefined;
      case "picture-address-attached": {
        const part: Part = { kind: "image-address", url: message.url };
        await this.attachments.add(message.conversationId, [part]);
        return undefined;
      }
      case "picture-put-back": {
        const part = this.find(message.hash);
        if (part) await this.attachments.add(message.conversationId, [part]);
        return undefined;
      }
      case "picture-retry-asked":
        return this.retry(message);
      case "picture-save-asked": {
        const part = this.find(message.hash);
        const read = part && (await this.pictures.read(message.hash));
        if (read?.kind !== "found") this.tellLost(message.name, read);
        else await this.host.save(message.name, part?.mediaType ?? "", read.bytes);
        return undefined;
      }
      default:
        return message satisfies never;
    }
  }

  /** Attaches files one after the other, in their order. */
  async attachFiles(conversationId: string, files: readonly PictureFile[]): Promise<void> {
    for (const { name, bytes } of files) {
      if (typeof bytes === "string") this.refuse(name, bytes);
      else if (await this.isDecodable(name, bytes)) {
        await this.offer(conversationId, { name, bytes });
      }
    }
  }

  /** The page is another one: it is asked again for what the one before has not drawn. */
  resend(): void {
    this.jobs.resend();
  }

  /** True when the picture is attached; else it was refused with words. */
  private async offer(
    conversationId: string,
    { name, bytes, isReadable = true }: OfferedPicture,
    origin?: PictureOrigin,
  ): Promise<boolean> {
    const judgement = await this.judge(bytes);
    if (judgement.kind === "refused") return this.refuse(name, judgement.problem);
    if (judgement.kind === "to-draw") {
      const { mediaType, orientation, frames } = judgement;
      const job = { name, fit: "draw" as const, mediaType, bytes: judgement.bytes, orientation };
      return this.jobs.draw(job, this.host.limits(), "not-drawn", async ([drawn]) => {
        const made = drawn && (await this.judge(drawn.bytes));
        if (drawn === undefined || made?.kind !== "ready") return this.refuse(name, "damaged");
        return this.offer(
          conversationId,
          { name, bytes: drawn.bytes },
          {
            ...(made.picture.mediaType !== mediaType && { mediaType }),
            ...(orientation !== 1 && { isTurned: true }),
            ...(frames > 1 && { frames }),
          },
        );
      });
    }
    if (!isReadable) return this.refuse(name, "not-drawn");
    const { picture, isTooLarge, frames } = judgement;
    const attached = this.attachments.list(conversationId).flatMap(sentParts);
    const attachedBytes = attached.reduce(
      (sum, part) => sum + (part.kind === "image" ? part.bytes : 0),
      0,
    );
    if (attachedBytes + picture.bytes.length > MAX_REQUEST_PICTURE_BYTES) {
      return this.refuse(name, "too-many-together");
    }
    const part = await this.store(name, picture);
    const from = frames > 1 ? { ...origin, frames } : origin;
    if (isTooLarge) return this.fitNew(conversationId, part, picture.bytes, from);
    await this.attachments.addPicture(conversationId, part, undefined, from);
    return true;
  }

  /** Judges a picture; the code for it is loaded when the first one comes. See esbuild.mjs. */
  private async judge(bytes: Uint8Array): Promise<ImageValidation> {
    const { validateImage } = await import("../context/validateImage");
    return validateImage(bytes, this.host.limits());
  }

  /** Has the page decode a PNG or JPEG of a file; false, and said, where the browser cannot. */
  private async isDecodable(name: string, bytes: Uint8Array): Promise<boolean> {
    const judgement = await this.judge(bytes);
    if (judgement.kind !== "ready") return true; // Refused or drawn by `offer`.
    const { mediaType, bytes: cleaned } = judgement.picture;
    const job = { name, fit: "check" as const, mediaType, bytes: cleaned };
    return this.jobs.draw(job, this.host.limits(), "not-drawn", () => Promise.resolve(true));
  }

  /** Attaches a picture beyond the limits, drawn as the user prefers. */
  private fitNew(
    conversationId: string,
    original: ImagePart,
    bytes: Uint8Array,
    origin: PictureOrigin | undefined,
  ): Promise<boolean> {
    const { name, mediaType } = original;
    const fit = this.host.fit();
    return this.jobs.draw(
      { name, fit, mediaType, bytes },
      this.host.limits(),
      "not-drawn",
      async (pieces) => {
        const sent = await this.storePieces(name, pieces);
        if (sent === undefined) return this.refuse(name, "too-many-pixels");
        await this.attachments.addPicture(conversationId, original, { fit, sent }, origin);
        return true;
      },
    );
  }

  /** Undefined when one of them is still too large. */
  private async storePieces(
    name: string,
    pieces: readonly DrawnPiece[],
  ): Promise<ImagePart[] | undefined> {
    const stored: ImagePart[] = [];
    for (const [index, { bytes }] of pieces.entries()) {
      const judgement = await this.judge(bytes);
      if (judgement.kind !== "ready" || judgement.isTooLarge) return undefined;
      const numbered = pieces.length === 1 ? name : `${name} (${index + 1}/${pieces.length})`;
      stored.push(await this.store(numbered, judgement.picture));
    }
    return pieces.length === 1 ? stored : withTilePositions(stored, pieces);
  }

  /** Asks the question of a refused reply again, with smaller pictures, fewer, or none. */
  private async retry({
    messageId,
    how,
    index,
  }: Extract<PictureMessage, { type: "picture-retry-asked" }>): Promise<HostReply | undefined> {
    const live = this.live();
    const reply = live?.message(messageId);
    const question = reply?.parentId ? live?.message(reply.parentId) : undefined;
    if (live === undefined || question?.role !== "user") return undefined;
    if (reply?.role !== "assistant") return undefined;
    const again = retriedQuestion(live.conversation, reply, question, how, index);
    const parts: readonly (Part | undefined)[] =
      how === "smaller"
        ? await Promise.all(again.parts.map((part) => this.smaller(part)))
        : again.parts;
    if (parts.includes(undefined)) return undefined; // One could not be drawn; it was said.
    const asked = parts.filter((part) => part !== undefined);
    if (asked.length === 0) {
      this.post({ type: "notice-shown", notice: this.words.nothingLeft() });
      return undefined;
    }
    const result = await live.askQuestion(asked, question.id, again.options);
    if (!result.isTaken) {
      const { failure } = result;
      const notice = failure === "busy" ? this.words.busy() : this.words.failure(failure, false);
      this.post({ type: "notice-shown", notice });
    }
    return undefined;
  }

  /** A picture at half its size; undefined when it cannot be drawn. */
  private async smaller(part: Part): Promise<Part | undefined> {
    if (part.kind !== "image") return part;
    const { name, mediaType, widthPx, heightPx } = part;
    const read = await this.pictures.read(part.hash);
    if (read.kind !== "found") {
      this.tellLost(name, read);
      return undefined;
    }
    let made: Part | undefined;
    const maxSidePx = Math.max(1, Math.ceil(Math.max(widthPx, heightPx) / 2));
    await this.jobs.draw(
      { name, fit: "scaled", mediaType, bytes: read.bytes },
      { maxSidePx, maxBytes: this.host.limits().maxBytes },
      "not-drawn",
      async (pieces) => {
        made = (await this.storePieces(name, pieces))?.[0];
        return made !== undefined;
      },
    );
    return made;
  }

  private async chooseFit(
    conversationId: string,
    attachmentId: string,
    fit: Exclude<PictureFit, "crop" | "marked">,
  ): Promise<void> {
    const part = this.attachments.list(conversationId).find(({ id }) => id === attachmentId)?.part;
    if (part?.kind !== "image") return;
    const before = this.attachments.planOf(conversationId, attachmentId);
    const read = await this.pictures.read(part.hash);
    if (read.kind !== "found") {
      this.tellLost(part.name, read);
      return;
    }
    const judgement = await this.judge(read.bytes);
    const isTooLarge = judgement.kind === "ready" && judgement.isTooLarge;
    if (!isTooLarge) {
      await this.attachments.plan(conversationId, attachmentId, undefined, before);
      return;
    }
    const { name, mediaType } = part;
    const chosen = fit === "whole" ? this.host.fit() : fit;
    const job = { name, fit: chosen, mediaType, bytes: read.bytes };
    await this.jobs.draw(job, this.host.limits(), "not-drawn", async (pieces) => {
      const sent = await this.storePieces(name, pieces);
      if (sent === undefined) return this.refuse(name, "too-many-pixels");
      const plan: PicturePlan = { fit: chosen, sent };
      await this.attachments.plan(conversationId, attachmentId, plan, before);
      return true;
    });
  }

  /**
   * Draws marks on an attached picture. The draft first gets a plan that sends nothing, so that a
   * drawing which fails, or is cut off with the page or the window, never sends the unmarked picture.
   */
  private async mark({
    conversationId,
    attachmentId,
    change,
    marks,
    widthPx,
    heightPx,
    fit = this.host.fit(),
  }: Extract<PictureMessage, { type: "picture-marked" }>): Promise<HostReply> {
    const part = this.attachments.list(conversationId).find(({ id }) => id === attachmentId)?.part;
    if (part?.kind !== "image") {
      return { isAccepted: false, notice: this.words.pictureRefused("", "outdated") };
    }
    const { name, mediaType } = part;
    const unfinished: PicturePlan = { fit, sent: [], marks, change };
    await this.attachments.plan(conversationId, attachmentId, unfinished, "any");
    const read = await this.pictures.read(part.hash);
    if (read.kind !== "found") {
      return { isAccepted: false, notice: this.words.pictureLost(name, lossOf(read)) };
    }
    const job = { name, fit, mediaType, bytes: read.bytes, marks };
    const isDrawn = await this.jobs.draw(job, this.host.limits(), undefined, async (pieces) => {
      const sent = await this.storePieces(name, pieces);
      if (sent === undefined) return false;
      const [only] = sent;
      const isWhole = sent.length === 1 && only?.widthPx === widthPx && only.heightPx === heightPx;
      const plan: PicturePlan = { ...unfinished, fit: isWhole ? change : fit, sent };
      await this.attachments.plan(conversationId, attachmentId, plan, unfinished);
      return true;
    });
    if (isDrawn) return { isAccepted: true };
    return { isAccepted: false, notice: this.words.pictureRefused(name, "not-marked") };
  }

  private async store(name: string, picture: ReadyPicture): Promise<ImagePart> {
    const { bytes, mediaType, widthPx, heightPx } = picture;
    const { hash } = await this.pictures.store(bytes);
    return { kind: "image", hash, mediaType, widthPx, heightPx, bytes: bytes.length, name };
  }

  private async give(hash: string): Promise<HostReply> {
    const part = this.find(hash);
    if (part === undefined) return { isAccepted: false };
    const read = await this.pictures.read(hash);
    if (read.kind !== "found") {
      return { isAccepted: false, notice: this.words.pictureLost(part.name, lossOf(read)) };
    }
    return {
      isAccepted: true,
      picture: { mediaType: part.mediaType, bytes: plainBytes(read.bytes) },
    };
  }

  /** A picture of the shown conversation: said, attached, or what goes for an attached one. */
  private find(hash: string): ImagePart | undefined {
    const live = this.live();
    if (live === undefined) return undefined;
    const attached = this.attachments.list(live.conversation.id);
    const said = [...live.conversation.messages.values()].flatMap((message) =>
      message.role === "user" ? message.parts : [],
    );
    const waiting = live.queue.flatMap(({ parts }) => parts);
    const all = [...attached.map(({ part }) => part), ...attached.flatMap(sentParts)];
    return [...all, ...waiting, ...said].find(
      (part): part is ImagePart => part.kind === "image" && part.hash === hash,
    );
  }

  /** A picture that was stored is not there any more. */
  private tellLost(name: string, read?: Exclude<ReadPicture, { kind: "found" }>): void {
    const notice = this.words.pictureLost(name, read ? lossOf(read) : "missing");
    this.post({ type: "notice-shown", notice });
  }

  private refuse(name: string, problem: PictureRefusal): false {
    this.post({ type: "notice-shown", notice: this.words.pictureRefused(name, problem) });
    return false;
  }
}

/** Adds to each tile its position in the picture, where the page sent one. */
function withTilePositions(
  tiles: readonly ImagePart[],
  pieces: readonly DrawnPiece[],
): ImagePart[] {
  const placed = tiles.map((tile, index) => ({ tile, ...pieces[index] }));
  const ofWidthPx = Math.max(...placed.map(({ tile, x = 0 }) => x + tile.widthPx));
  const ofHeightPx = Math.max(...placed.map(({ tile, y = 0 }) => y + tile.heightPx));
  const count = tiles.length;
  return placed.map(({ tile, x, y }, index) =>
    x === undefined || y === undefined
      ? tile
      : { ...tile, tile: { index, count, x, y, ofWidthPx, ofHeightPx } },
  );
}
