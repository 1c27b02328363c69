import { createElement, useState } from "react";
import { createRoot } from "react-dom/client";
import { flushSync } from "react-dom";
import { IncremarkContent } from "@incremark/react";

export function start(container) {
  let text = "";
  let show;
  const Reply = () => {
    const [{ content, isFinished }, setShown] = useState({ content: "", isFinished: false });
    show = setShown;
    return createElement(IncremarkContent, { content, isFinished });
  };
  flushSync(() => createRoot(container).render(createElement(Reply)));
  return {
    append(piece) {
      text += piece;
      show({ content: text, isFinished: false });
    },
    end: () => flushSync(() => show({ content: text, isFinished: true })),
  };
}
