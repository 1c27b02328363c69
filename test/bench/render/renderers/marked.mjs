import DOMPurify from "dompurify";
import hljs from "highlight.js/lib/common";
import { marked } from "marked";

export function start(container) {
  let text = "";
  let frame;
  const render = () => {
    frame = undefined;
    container.innerHTML = DOMPurify.sanitize(marked.parse(text, { async: false }));
    for (const code of container.querySelectorAll("pre code")) hljs.highlightElement(code);
  };
  return {
    append(piece) {
      text += piece;
      frame ??= requestAnimationFrame(render);
    },
    end: () => render(),
  };
}
