/** Links to pictures in Markdown, HTML and CSS. */
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

  it("finds links in Markdown", () => {
    check('See ![a](docs/a.png "A") and ![b](<../b.JPG>).', "docs/a.png", "../b.JPG");
    check("[no picture](a.png.md) and [a](https://example.com)");
  });

  it("finds names with spaces, brackets and encoded characters, and references", () => {
    check(
      "![a](<Screenshot 2024 at 10.png>) ![b](a%20(1).png)",
      "Screenshot 2024 at 10.png",
      "a%20(1).png",
    );
    check("![see [1] and [2]](c.png)", "c.png");
    check("[logo]: ./d%231.png 'A logo'", "./d%231.png");
    check("  [logo]: <my logo.png>", "my logo.png");
  });

  it("finds links in imports", () => {
    check("import logo from './a.png'; import './b.css';", "./a.png");
  });

  it("finds links in HTML", () => {
    check(`<img alt="x" src="/i/a.svg?v=2"><img src='b.webp'>`, "/i/a.svg?v=2", "b.webp");
    check('<script src="a.js"></script>');
  });

  it("finds links in CSS", () => {
    check('background: url(a.gif) no-repeat, url("b c.png"), url(font.woff2);', "a.gif");
    check("content: url('https://example.com/x.avif')", "https://example.com/x.avif");
  });
});
