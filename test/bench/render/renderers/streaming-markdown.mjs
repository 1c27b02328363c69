import * as smd from "streaming-markdown";

export function start(container) {
  const parser = smd.parser(smd.default_renderer(container));
  return { append: (text) => smd.parser_write(parser, text), end: () => smd.parser_end(parser) };
}
