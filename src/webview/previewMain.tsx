/** Entry point of the page of a preview. The host writes the state into the page. */
import "./boot/prepare";
import { t } from "@vscode/l10n";
import { render } from "preact";
import * as z from "zod/mini";
import { Channel } from "../protocol/channel";
import {
  originalReplySchema,
  previewStateSchema,
  type FromPreview,
  type OriginalReply,
} from "../protocol/previewMessages";
import { editorApi } from "./boot/editorApi";
import { reportPageErrors } from "./boot/pageErrors";
import { LostPicture } from "./pictures/pictureLoader";
import { PictureTools } from "./pictures/pictureTools";
import { PreviewPage } from "./preview/previewPage";
import { safeDocument, type SafeDocument } from "./preview/safeDocument";

/** Choices that outlive the page, which VS Code loads again when its tab was hidden. */
const savedSchema = z.object({ id: z.string(), sizeId: z.string() });

async function start(root: HTMLElement, text: string): Promise<void> {
  const report = (where: string) =>
    channel.send({ type: "preview-failed", where: where.slice(0, 200) });
  const channel = new Channel<FromPreview, never, OriginalReply>({
    post: (envelope) => editorApi.postMessage(envelope),
    incoming: z.never(),
    reply: originalReplySchema,
    handle: () => undefined,
    log: { info() {}, warn: report, error: report },
  });
  reportPageErrors(report);
  addEventListener("message", ({ origin, data }: MessageEvent<unknown>) => {
    // The previewed page has an opaque origin, so it cannot pretend to be the host.
    if (origin === self.origin) void channel.receive(data);
  });
  const state = previewStateSchema.parse(JSON.parse(text));
  const saved = savedSchema.safeParse(editorApi.getState());
  const isOfPreview = saved.success && saved.data.id === state.id;
  const loadOriginal = async (hash: string) => {
    const { picture } = await channel.request({ type: "original-asked", hash });
    if (picture === undefined) throw new LostPicture();
    return new Blob([picture.bytes as Uint8Array<ArrayBuffer>], { type: picture.mediaType });
  };
  let page: SafeDocument;
  try {
    page = await safeDocument(state.code);
  } catch (error) {
    const isTooLarge = error instanceof RangeError;
    const text = isTooLarge
      ? t("This page has too many elements for a preview. Open it as a new file instead.")
      : t("This code cannot be previewed. Open it as a new file instead.");
    render(
      <p role="alert" class="preview-note">
        {text}
      </p>,
      root,
    );
    return;
  }
  render(
    <PreviewPage
      state={state}
      page={page}
      sizeId={isOfPreview ? saved.data.sizeId : undefined}
      saveSize={(sizeId) => editorApi.setState({ id: state.id, sizeId })}
      send={(message) => channel.send(message)}
      loadOriginal={loadOriginal}
      tools={PictureTools.fromText(textOf("core-chat-picture-worker"))}
    />,
    root,
  );
}

function textOf(id: string): string {
  return document.getElementById(id)?.textContent ?? "";
}

const root = document.getElementById("root");
if (root !== null) void start(root, textOf("core-chat-preview"));
