/**
 * Drawing that the host asks of one view's page, which alone can decode pictures. A page that vanished
 * before it had drawn everything is followed by one that is asked again.
 */
import type { Clock } from "../base/clock";
import { newId } from "../base/id";
import type { ToHost, ToView } from "../protocol/messages";
import type { PictureLimits } from "../context/validateImage";
import type { PictureRefusal } from "./messages";

type JobMessage = Omit<Extract<ToView, { type: "picture-job" }>, "seq">;

/** Instructions for the page, without the limits and the id of the job. */
export type DrawingJob = Pick<
  JobMessage,
  "fit" | "mediaType" | "bytes" | "marks" | "orientation"
> & { readonly name: string };

/** A picture that the page drew: the whole, or one tile of it at `x` and `y`. */
export type DrawnPiece = Pick<Extract<ToHost, { type: "picture-drawn" }>, "bytes" | "x" | "y">;

interface Job {
  readonly message: JobMessage;
  readonly name: string;
  /** Reason reported where it cannot be drawn; undefined where the caller reports it. */
  readonly problem: PictureRefusal | undefined;
  /** Receives the pieces; true when they could be used. */
  readonly accept: (pieces: readonly DrawnPiece[]) => Promise<boolean>;
  readonly drawn: (DrawnPiece | undefined)[];
  readonly done: (isUsed: boolean) => void;
}

/** One for each view. */
export class PictureJobs {
  private readonly jobs = new Map<string, Job>();

  constructor(
    private readonly clock: Clock,
    private readonly post: (message: JobMessage) => void,
    private readonly refuse: (name: string, problem: PictureRefusal) => void,
  ) {}

  /** Has the page draw; resolves with the result of `accept`, or false when it could not be drawn. */
  draw(
    { name, bytes, ...asked }: DrawingJob,
    limits: PictureLimits,
    problem: PictureRefusal | undefined,
    accept: Job["accept"],
  ): Promise<boolean> {
    const jobId = newId(this.clock.nowMs());
    const type = "picture-job" as const;
    const message = { type, jobId, ...asked, ...limits, bytes: plainBytes(bytes) };
    return new Promise((done) => {
      this.jobs.set(jobId, { name, problem, accept, message, drawn: [], done });
      this.post(message);
    });
  }

  /** Takes one piece the page drew; the last one completes its job. */
  async acceptPiece({
    jobId,
    index,
    count,
    ...piece
  }: Extract<ToHost, { type: "picture-drawn" }>): Promise<void> {
    const job = this.jobs.get(jobId);
    if (job === undefined) return;
    job.drawn[index] = piece;
    const pieces = job.drawn.slice(0, count).filter((drawn) => drawn !== undefined);
    if (pieces.length < count) return;
    this.jobs.delete(jobId);
    let isUsed = false;
    try {
      isUsed = await job.accept(pieces);
    } finally {
      job.done(isUsed);
    }
  }

  /** The page cannot draw a job. */
  fail(jobId: string): void {
    const job = this.jobs.get(jobId);
    if (job === undefined) return;
    this.jobs.delete(jobId);
    if (job.problem !== undefined) this.refuse(job.name, job.problem);
    job.done(false);
  }

  /** Asks a new page for everything the one before has not drawn. */
  resend(): void {
    for (const { message, drawn } of this.jobs.values()) {
      drawn.length = 0;
      this.post(message);
    }
  }
}

/** VS Code carries plain arrays of bytes to a page, and none of Node's own kind. */
export function plainBytes(bytes: Uint8Array): Uint8Array {
  return bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes);
}
