import { useLayoutEffect, useRef } from "preact/hooks";
import { usePanel } from "../state/panelContext";
import type { ReplyModel } from "../state/store";
import { useRenderer } from "./rendererContext";
import { ReplyRenderer } from "./replyRenderer";
import { useViewportObserver } from "./viewportObserver";

interface ReplyBodyProps {
  readonly model: ReplyModel;
  /** Set for the element of the thinking, which is plain text until it is opened. */
  readonly thinking?: { readonly isOpen: boolean };
}

/** Element of a reply's text or thinking; `ReplyRenderer` owns its content. */
export function ReplyBody({ model, thinking }: ReplyBodyProps) {
  const { host } = usePanel();
  const services = useRenderer();
  const bodyRef = useRef<HTMLDivElement>(null);
  const rendererRef = useRef<ReplyRenderer | undefined>(undefined);
  const viewport = useViewportObserver();
  const isThinking = thinking !== undefined;
  const view = model.view.value;
  const isStreaming = isThinking ? view.thinking?.isOngoing === true : view.isStreaming;
  const create = thinking?.isOpen === false ? undefined : services.markdown.value;

  // Before the paint, so that a jump to a far message finds the renderer.
  useLayoutEffect(() => {
    const body = bodyRef.current;
    if (body === null) return undefined;
    const { id, text } = model;
    const plain = { ...services, hasActions: false };
    const renderer = isThinking
      ? new ReplyRenderer(body, `${id}-thinking`, model.thinking, host, plain)
      : new ReplyRenderer(body, id, text, host, services);
    rendererRef.current = renderer;
    if (!isThinking) services.renderers.set(id, renderer);
    const following = viewport.follow(body, renderer);
    return () => {
      if (!isThinking) services.renderers.delete(id);
      following.dispose();
      renderer.dispose();
    };
  }, [model, host, services, viewport, isThinking]);
  useLayoutEffect(() => {
    if (create) rendererRef.current?.useMarkdown(create);
  }, [create, model]);
  useLayoutEffect(() => rendererRef.current?.setStreaming(isStreaming), [isStreaming, model]);

  return <div ref={bodyRef} class={isThinking ? "reply-body thinking-body" : "reply-body"} />;
}
