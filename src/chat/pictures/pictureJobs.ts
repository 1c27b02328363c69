/**
 * Drawing jobs for the webview, which alone can decode pictures. Jobs that a closed page left unfinished
 * are sent to the next page.
 */
import type { Clock } from "../../base/clock";
import { newId } from "../../base/id";
import type { MessageOf } from "../../protocol/handlers";
import type { ToHost } from "../../protocol/toHost";
import type { ToView } from "../../protocol/toView";
import type { PictureLimits } from "../../pictures/validateImage";
import type { PictureRefusal } from "../view/messages";

type JobMessage = MessageOf<ToView, "picture-job">;

/** Instructions for the page, without the limits and the id of the job. */
export type DrawingJob = Pick<JobMessage, "fit" | "mediaType" | "bytes" | "marks"> & {
  readonly name: string;
};

/** A drawn picture, or a tile at `x` and `y`. */
export type DrawnPiece = Pick<MessageOf<ToHost, "picture-drawn">, "bytes" | "x" | "y">;

interface Job {
  readonly message: JobMessage;
  readonly name: string;
  /** Reason to report after a failure; undefined if the caller reports failures. */
  readonly problem: PictureRefusal | undefined;
  /** Receives all pieces; returns true if they were used. */
  readonly accept: (pieces: readonly DrawnPiece[]) => Promise<boolean>;
  readonly drawn: (DrawnPiece | undefined)[];
  readonly done: (isUsed: boolean) => void;
}

export class PictureJobs {
  private readonly jobs = new Map<string, Job>();

  constructor(
    private readonly clock: Clock,
    private readonly post: (message: JobMessage) => void,
    private readonly refuse: (name: string, problem: PictureRefusal) => void,
  ) {}

  /** Sends a job; resolves with the result of `accept`, or false after a failure. */
  draw(
    { name, bytes, ...instructions }: DrawingJob,
    limits: PictureLimits,
    problem: PictureRefusal | undefined,
    accept: Job["accept"],
  ): Promise<boolean> {
    const jobId = newId(this.clock.nowMs());
    const type = "picture-job" as const;
    const message = { type, jobId, ...instructions, ...limits, bytes: plainBytes(bytes) };
    return new Promise((done) => {
      this.jobs.set(jobId, { name, problem, accept, message, drawn: [], done });
      this.post(message);
    });
  }

  /** Receives a drawn piece; the last piece completes the job. */
  async acceptPiece({
    jobId,
    index,
    count,
    ...piece
  }: MessageOf<ToHost, "picture-drawn">): Promise<void> {
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

  /** Ends a job that the page cannot draw. */
  fail(jobId: string): void {
    const job = this.jobs.get(jobId);
    if (job === undefined) return;
    this.jobs.delete(jobId);
    if (job.problem !== undefined) this.refuse(job.name, job.problem);
    job.done(false);
  }

  /** Sends all unfinished jobs to a new page. */
  resend(): void {
    for (const { message, drawn } of this.jobs.values()) {
      drawn.length = 0;
      this.post(message);
    }
  }
}

/** Copies a Node `Buffer`: VS Code transfers only plain `Uint8Array`s to a webview. */
export function plainBytes(bytes: Uint8Array): Uint8Array {
  return bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes);
}
