import { createElement, useState } from "react";
import { createRoot } from "react-dom/client";
import { flushSync } from "react-dom";
import { Streamdown } from "streamdown";

export function start(container) {
  let text = "";
  let show;
  const Reply = () => {
    const [shown, setShown] = useState("");
    show = setShown;
    return createElement(Streamdown, {}, shown);
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
