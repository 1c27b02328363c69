import { createElement, useState } from "react";
import { createRoot } from "react-dom/client";
import { flushSync } from "react-dom";
import MarkdownRender from "markstream-react";

export function start(container) {
  let text = "";
  let show;
  const Reply = () => {
    const [{ content, final }, setShown] = useState({ content: "", final: false });
    show = setShown;
    return createElement(MarkdownRender, { content, final, fade: false });
  };
  flushSync(() => createRoot(container).render(createElement(Reply)));
  return {
    append(piece) {
      text += piece;
      show({ content: text, final: false });
    },
    end: () => flushSync(() => show({ content: text, final: true })),
  };
}
