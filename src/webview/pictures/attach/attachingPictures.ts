/** Sends pasted and dropped files to the host, and runs the host's drawing jobs. */
import { computed, signal, type ReadonlySignal } from "@preact/signals";
import type { AttachmentView } from "../../../protocol/views";
import type { Attaching } from "../../state/draft";
import type { Host } from "../../state/host";
import type { PanelStore, PictureJob } from "../../state/store";
import type { DrawnPicture } from "../drawing";
import type { LoadedPictures } from "../loadedPictures";
import { parseMarks } from "../marks";

/** Longest time until a picture of the conversation is attached again, in milliseconds. */
const MAX_ATTACH_MS = 10_000;

interface AttachingWork {
  readonly attached: Promise<boolean>;
  readonly isPicture: boolean;
}

export class AttachingPictures implements Attaching {
  private readonly underWay = signal<readonly AttachingWork[]>([]);

  readonly preparingCount: ReadonlySignal<number> = computed(
    () => this.underWay.value.filter(({ isPicture }) => isPicture).length,
  );
  /** True while something is being attached. */
  readonly isAttaching: ReadonlySignal<boolean> = computed(() => this.underWay.value.length > 0);

  constructor(
    private readonly host: Host,
    private readonly store: PanelStore,
    private readonly loaded: LoadedPictures,
    private readonly reportFailure: (where: string) => void,
  ) {
    store.on("picture-job", (job) => void this.track(this.runJob(job)));
  }

  /** Sends files to the host in their order; resolves when the host has answered. */
  async attach(files: readonly File[]): Promise<void> {
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
        const attachment = all.find(isIt);
        if (attachment === undefined) return;
        clearTimeout(timer);
        resolve(attachment);
        queueMicrotask(() => stop());
      });
    });
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
    const tools = await this.loaded.tools();
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
    const tools = await this.loaded.tools();
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
}
