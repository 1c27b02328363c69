import { useLayoutEffect, useRef } from "preact/hooks";
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

  // Before the paint, so that a jump to a far message finds the renderer.
  useLayoutEffect(() => {
    const body = bodyRef.current;
    if (body === null) return undefined;
    const renderer = new ReplyRenderer(body, model.id, model.text, host, services);
    rendererRef.current = renderer;
    services.renderers.set(model.id, renderer);
    const following = viewport.follow(body, renderer);
    const stopSubscription = services.markdown.subscribe((create) => {
      if (create) renderer.useMarkdown(create);
    });
    return () => {
      services.renderers.delete(model.id);
      following.dispose();
      stopSubscription();
      renderer.dispose();
    };
  }, [model, host, services, viewport]);
  useLayoutEffect(() => rendererRef.current?.setStreaming(isStreaming), [isStreaming, model]);

  return <div ref={bodyRef} class="reply-body" dir="auto" />;
}
