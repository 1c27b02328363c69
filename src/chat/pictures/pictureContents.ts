/**
 * Asks the vision model for the content of an area of a picture and copies the content. The exchange is a
 * conversation of its own, which the history keeps.
 */
import { separatedReply } from "../../ask/separatedReply";
import type { Disposable } from "../../base/disposables";
import type { ImagePart, Reply } from "../../conversation/message";
import type { MessageOf } from "../../protocol/handlers";
import type { HostHandlers, ToHost } from "../../protocol/toHost";
import type { HostReply } from "../../protocol/toView";
import { questionParts } from "../conversation/conversationDraft";
import type { LiveConversation } from "../conversation/liveConversation";
import { refusalNotice } from "../view/messages";
import type { ShownPictures } from "./shownPictures";

export class PictureContents implements Disposable {
  /** The request that is running. */
  private reading: AbortController | undefined;

  readonly handlers = {
    "picture-content-asked": (message) => this.copyContent(message),
    "picture-content-stopped": () => this.reading?.abort(),
  } satisfies Partial<HostHandlers>;

  constructor(private readonly pictures: ShownPictures) {}

  dispose(): void {
    this.reading?.abort();
  }

  private async copyContent({
    hash,
    content,
    marks,
  }: MessageOf<ToHost, "picture-content-asked">): Promise<HostReply> {
    this.reading?.abort();
    const controller = new AbortController();
    const { signal } = controller;
    this.reading = controller;
    const { texts, host, conversations, view, jobs } = this.pictures;
    const { live } = view;
    const picture = this.pictures.find(hash);
    if (picture === undefined) return { isAccepted: false };
    const bytes = await this.pictures.read(picture);
    if (!(bytes instanceof Uint8Array)) return { isAccepted: false, notice: bytes };
    // Nothing of an unsaved conversation is written.
    const isUnsaved = live !== undefined && conversations.isUnsaved(live.conversation.id);
    const exchange = isUnsaved ? await conversations.createUnsaved() : conversations.create();
    const { id: conversationId } = exchange.conversation;
    const profile = live?.conversation.profile;
    if (profile !== undefined) await exchange.choose({ kind: "profile-chosen", profile });
    let drawn: readonly ImagePart[] | undefined;
    const { name, mediaType } = picture;
    const job = { name, fit: host.fit(), mediaType, bytes, marks };
    await jobs.draw(job, host.limits(), undefined, async (pieces) => {
      drawn = await this.pictures.storeOf(conversationId).storeDrawn(job, pieces, undefined);
      return drawn !== undefined;
    });
    if (signal.aborted) return { isAccepted: false };
    if (drawn === undefined) {
      return { isAccepted: false, notice: texts.pictureRefused(name, "not-marked") };
    }
    const question = questionParts(texts.contentQuestion(content), drawn);
    const reply = await this.ask(exchange, question, signal);
    if (!("role" in reply)) return reply;
    if (reply.ending?.kind !== "complete") {
      const notice = texts.ending(reply);
      return { isAccepted: false, ...(notice && { notice }) };
    }
    const copied = await host.copyContent(content, separatedReply(reply).text);
    if (copied === undefined) return { isAccepted: false };
    return { isAccepted: true, content: { conversationId, ...copied } };
  }

  /** Sends a question; returns its reply once that has ended, or the reason why nothing was sent. */
  private async ask(
    live: LiveConversation,
    question: Parameters<LiveConversation["askQuestion"]>[0],
    signal: AbortSignal,
  ): Promise<Reply | HostReply> {
    const ended = replyOf(live);
    // Stops a reply that has started, or as soon as it starts.
    const stop = () => void live.stop();
    live.onChanged(() => {
      if (signal.aborted) stop();
    });
    signal.addEventListener("abort", stop);
    try {
      const asked = await live.askQuestion(question, undefined, { modelKind: "vl" });
      if (asked.isAccepted) return await ended;
      return { isAccepted: false, notice: refusalNotice(asked, this.pictures.texts) };
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }
}

/** Resolves with the first reply of a conversation once it has ended. */
function replyOf(live: LiveConversation): Promise<Reply> {
  return new Promise((resolve) => {
    const listening = live.onChanged((change) => {
      if (change.kind !== "reply" || live.runningReplyId !== undefined) return;
      const reply = live.message(change.replyId);
      if (reply?.role !== "assistant") return;
      listening.dispose();
      resolve(reply);
    });
  });
}
