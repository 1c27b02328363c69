/**
 * The place of a reply's text in the component tree; what is inside belongs to its renderer.
 */
import { useEffect, useRef } from "preact/hooks";
import { usePanel } from "../state/panelContext";
import type { ReplyModel } from "../state/store";
import { ReplyRenderer } from "./replyRenderer";
import { useViewportObserver } from "./viewportObserver";

export function ReplyBody({ model }: { readonly model: ReplyModel }) {
  const parts = usePanel();
  const bodyRef = useRef<HTMLDivElement>(null);
  const rendererRef = useRef<ReplyRenderer | undefined>(undefined);
  const nearness = useViewportObserver();
  const { isStreaming } = model.view.value;

  useEffect(() => {
    const body = bodyRef.current;
    if (body === null) return undefined;
    const renderer = new ReplyRenderer(body, model.id, model.text, parts);
    rendererRef.current = renderer;
    const watching = nearness.follow(body, renderer);
    const stopWaiting = parts.markdown.subscribe((create) => {
      if (create) renderer.useMarkdown(create);
    });
    return () => {
      watching.dispose();
      stopWaiting();
      renderer.dispose();
    };
  }, [model, parts, nearness]);
  useEffect(() => rendererRef.current?.setStreaming(isStreaming), [isStreaming, model]);

  return <div ref={bodyRef} class="reply-body" dir="auto" />;
}
