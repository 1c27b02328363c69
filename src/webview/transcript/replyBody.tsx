import { useEffect, useRef } from "preact/hooks";
import { usePanel } from "../state/panelContext";
import type { ReplyModel } from "../state/store";
import { useRenderer } from "./rendererContext";
import { ReplyRenderer } from "./replyRenderer";
import { useViewportObserver } from "./viewportObserver";

/** Element of a reply's text; `ReplyRenderer` owns its content. */
export function ReplyBody({ model }: { readonly model: ReplyModel }) {
  const { host } = usePanel();
  const services = useRenderer();
  const bodyRef = useRef<HTMLDivElement>(null);
  const rendererRef = useRef<ReplyRenderer | undefined>(undefined);
  const viewport = useViewportObserver();
  const { isStreaming } = model.view.value;

  useEffect(() => {
    const body = bodyRef.current;
    if (body === null) return undefined;
    const renderer = new ReplyRenderer(body, model.id, model.text, host, services);
    rendererRef.current = renderer;
    const following = viewport.follow(body, renderer);
    const stopSubscription = services.markdown.subscribe((create) => {
      if (create) renderer.useMarkdown(create);
    });
    return () => {
      following.dispose();
      stopSubscription();
      renderer.dispose();
    };
  }, [model, host, services, viewport]);
  useEffect(() => rendererRef.current?.setStreaming(isStreaming), [isStreaming, model]);

  return <div ref={bodyRef} class="reply-body" dir="auto" />;
}
