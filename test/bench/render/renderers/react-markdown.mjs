import { createElement, useState } from "react";
import { createRoot } from "react-dom/client";
import { flushSync } from "react-dom";
import Markdown from "react-markdown";
import rehypeHighlight from "rehype-highlight";
import remarkGfm from "remark-gfm";

export function start(container) {
  let text = "";
  let show;
  const Reply = () => {
    const [shown, setShown] = useState("");
    show = setShown;
    return createElement(
      Markdown,
      { remarkPlugins: [remarkGfm], rehypePlugins: [rehypeHighlight] },
      shown,
    );
  };
  flushSync(() => createRoot(container).render(createElement(Reply)));
  return {
    append(piece) {
      text += piece;
      show(text);
    },
    end: () => flushSync(() => show(text)),
  };
}
