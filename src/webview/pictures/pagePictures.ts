/** Pictures in the page: what loads, attaches and marks them, and the picture that is shown over the panel. */
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { AttachmentView, ChipView } from "../../protocol/views";
import type { Host } from "../state/host";
import type { PanelStore } from "../state/store";
import { AttachingPictures } from "./attach/attachingPictures";
import { AttachedMarks } from "./editor/attachedMarks";
import { LoadedPictures } from "./loadedPictures";
import type { MarkKind } from "./marks";
import type { GalleryPicture } from "./viewer/gallery";
import type { ZoomArea } from "./zoomArea";

/** Width from which the page itself is large enough for the editor, in CSS pixels. */
const LARGE_WIDTH_PX = 700;

/** Screen pixels for a pixel of the picture below which letters of 12 pixels are less than 5 high. */
const MIN_EDITOR_ZOOM = 0.4;

export type ContentPicture = Pick<GalleryPicture, "hash" | "name" | "widthPx" | "heightPx">;

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
      readonly tool?: MarkKind;
      /** True in a tab that was opened for the editor. */
      readonly isWholeTab?: boolean;
    }
  /** Choice of an area of a picture whose content is copied. */
  | {
      readonly kind: "content";
      readonly picture: ContentPicture;
      /** Shown again afterwards. */
      readonly back: ShownPicture | undefined;
    }
  /** Preview of an attachment as it will be sent. */
  | { readonly kind: "previewed"; readonly attachmentId: string };

export class PagePictures {
  readonly loaded: LoadedPictures;
  readonly attaching: AttachingPictures;
  readonly marks: AttachedMarks;

  constructor(
    private readonly host: Host,
    private readonly store: PanelStore,
    scriptUrl: string,
    reportFailure: (where: string) => void,
  ) {
    this.loaded = new LoadedPictures(host, scriptUrl);
    this.attaching = new AttachingPictures(host, store, this.loaded, reportFailure);
    this.marks = new AttachedMarks(host, store, this.attaching);
    store.on("picture-editor-opened", ({ attachmentId }) => this.openEditor(attachmentId));
  }

  /** Picture in the viewer or the editor over the panel. */
  readonly shown = signal<ShownPicture | undefined>(undefined);

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
    if (attachment?.picture) {
      this.shown.value = { kind: "marked-up", attachment, isWholeTab: true };
    }
  }

  /** Opens the choice of the area whose content is copied. */
  openContent(picture: ContentPicture): void {
    this.shown.value = { kind: "content", picture, back: this.shown.peek() };
  }

  /** Copies a picture; false if the browser does not allow that. */
  async copy(picture: Blob): Promise<boolean> {
    try {
      const png = await this.loaded.asPng(picture);
      await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
    } catch {
      return false;
    }
    return true;
  }
}
