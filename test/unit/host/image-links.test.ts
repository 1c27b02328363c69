/**
 * Links to pictures in Markdown, HTML and CSS are found where they stand, and nothing else is.
 */
import assert from "node:assert/strict";
import { imageLinks } from "../../../src/host/pictures/imageLinks";

describe("imageLinks", () => {
  function check(line: string, ...targets: string[]): void {
    const found = imageLinks(line);
    assert.deepEqual(
      found.map(({ target }) => target),
      targets,
    );
    for (const { start, end, target } of found) assert.equal(line.slice(start, end), target);
  }

  it("finds them in Markdown", () => {
    check('See ![a](docs/a.png "A") and ![b](<../b.JPG>).', "docs/a.png", "../b.JPG");
    check("[no picture](a.png.md) and [a](https://example.com)");
  });

  it("finds them in HTML", () => {
    check(`<img alt="x" src="/i/a.svg?v=2"><img src='b.webp'>`, "/i/a.svg?v=2", "b.webp");
    check('<script src="a.js"></script>');
  });

  it("finds them in CSS", () => {
    check('background: url(a.gif) no-repeat, url("b c.png"), url(font.woff2);', "a.gif");
    check("content: url('https://example.com/x.avif')", "https://example.com/x.avif");
  });
});
