/** Pictures of a reply (row S46): found in every form that services use, once, and at every cut. */
import assert from "node:assert/strict";
import { storeReplyPicture } from "../../../src/chat/conversation/replyPictures";
import { TEST_PICTURE_URL } from "../../../src/host/diagnostics/testPicture";
import { MarkdownPictures } from "../../../src/service/markdownPictures";
import { StreamDecoder } from "../../../src/service/decodeStream";
import { askReplay, delta, DONE, finish } from "./asking";

const URL = TEST_PICTURE_URL;
const DATA = URL.slice(URL.indexOf(",") + 1);
const part = { type: "image_url", image_url: { url: URL } };
const block = (choice: object): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`;

/** Sources of the shapes. */
const OPENROUTER = "https://openrouter.ai/docs/features/multimodal/image-generation";
const BIFROST = "https://github.com/maximhq/bifrost/issues/7032";
const OPENAI = "https://platform.openai.com/docs/api-reference/images/object";
const ANTHROPIC = "https://docs.anthropic.com/en/api/messages";
const LITELLM = "https://github.com/BerriAI/litellm/pull/16378";

const SHAPES: Readonly<Record<string, string>> = {
  [`images of a delta (${OPENROUTER})`]: block({ delta: { content: "Here.", images: [part] } }),
  [`images without text (${LITELLM})`]: block({ delta: { images: [part] } }) + delta("Here."),
  "a URL as the whole content (https://docs.litellm.ai/docs/extras/gemini_img_migration)":
    delta(URL.slice(0, 40)) + delta(`${URL.slice(40)} `) + delta("Here."),
  "parts of the content": block({ delta: { content: [{ type: "text", text: "Here." }, part] } }),
  [`inlineData of Gemini (${BIFROST})`]: block({
    delta: {
      content: [
        { type: "text", text: "Here." },
        { inlineData: { mimeType: "image/png", data: DATA } },
      ],
    },
  }),
  [`b64_json (${OPENAI})`]: block({ delta: { content: "Here.", images: [{ b64_json: DATA }] } }),
  [`an address in images (${OPENAI})`]: block({
    delta: { content: "Here.", images: [{ url: URL }] },
  }),
  [`a source of Anthropic (${ANTHROPIC})`]: block({
    delta: {
      content: [
        { type: "text", text: "Here." },
        { type: "image", source: { type: "base64", media_type: "image/png", data: DATA } },
      ],
    },
  }),
  "Markdown in several deltas (wording not confirmed)":
    delta("Here.\n\n") +
    [0, 1, 2]
      .map((at) => {
        const text = `![a picture](${URL})`;
        const size = Math.ceil(text.length / 3);
        return delta(text.slice(at * size, (at + 1) * size));
      })
      .join(""),
};

async function read(stream: string) {
  const result = await askReplay([stream + finish() + DONE]);
  const urls = result.events.flatMap((event) => (event.type === "picture" ? [event.url] : []));
  return { ...result, urls };
}

describe("a picture in a reply", () => {
  for (const [name, stream] of Object.entries(SHAPES)) {
    it(`is found once: ${name}`, async () => {
      const { urls, text, failure } = await read(stream);
      assert.equal(failure, undefined);
      assert.deepEqual(
        urls.map((url) => url.slice(url.indexOf(",") + 1)),
        [DATA],
      );
      assert.equal(text.trim(), "Here.");
    });
  }

  it("is not left out without a word in an unknown form", async () => {
    const content = [
      { type: "text", text: "Here." },
      { type: "image_file", file_id: "f1" },
    ];
    const { urls, text } = await read(block({ delta: { content } }));
    assert.deepEqual([text, urls], ["Here.", ["data:image_file"]]);
    const image = await storeReplyPicture("data:image_file", 1, {
      store: () => assert.fail("nothing is stored"),
    });
    assert.deepEqual(image, { kind: "not-shown", name: "image_file" });
  });

  it("is found in a JSON document, also without text", async () => {
    const message = { content: null, images: [part] };
    const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }] });
    const { events, failure } = await askReplay([body], {
      headers: { "content-type": "application/json" },
    });
    assert.equal(failure, undefined);
    assert.ok(events.some((event) => event.type === "picture" && event.url === URL));
  });

  it("stays text in code, after a backslash, and without data", async () => {
    const texts = [
      `\`\`\`md\n![a](${URL})\n\`\`\``,
      `See \`![a](${URL})\` there.`,
      `See \\![a](${URL}) there.`,
      "![a](https://example.com/a.png)",
      "Wow! ![",
      "![a](data:text/plain,x)",
    ];
    for (const text of texts) {
      const result = await read(delta(text));
      assert.deepEqual([result.text, result.urls], [text, []]);
    }
  });

  for (const [text, left, pictures] of [
    [
      "A!\n![x](data:image/png;base64,AAAA)\nB ![y](z)\n![",
      "A!\n\nB ![y](z)\n![",
      ["data:image/png;base64,AAAA"],
    ],
    ["data:image/png;base64,AAAA", "", ["data:image/png;base64,AAAA"]],
    [
      "data:image/png;base64,AAAA\n\nDone!\n![x](data:image/png;base64,BBBB)",
      "\nDone!\n",
      ["data:image/png;base64,AAAA", "data:image/png;base64,BBBB"],
    ],
    [
      "Yes! ![a b](data:image/png;base64,AAAA) Done.",
      "Yes! (a b) Done.",
      ["data:image/png;base64,AAAA"],
    ],
    ["- ![](data:image/png;base64,AAAA)\n- t", "- \n- t", ["data:image/png;base64,AAAA"]],
    [
      "| a |\n|---|\n| ![x](<data:image/png;charset=utf-8;base64,AAAA> 'T') | `c` |",
      "| a |\n|---|\n| (x) | `c` |",
      ["data:image/png;charset=utf-8;base64,AAAA"],
    ],
    ["`![x](data:image/png;base64,AAAA)` !", "`![x](data:image/png;base64,AAAA)` !", []],
    ["A\n\n![x](data:image/png;base64,AA", "A\n\n", ["data:image/png;base64,AA"]],
    ["data:image/svg files are text", "data:image/svg files are text", []],
    ["data:im", "data:im", []],
    ["Text\ndata:image/png;base64,AAAA", "Text\ndata:image/png;base64,AAAA", []],
  ] as const) {
    it(`is the same at every cut: ${JSON.stringify(text)}`, () => {
      for (let cut = 0; cut <= text.length; cut++) {
        const cutInTwo = new MarkdownPictures();
        const parts = [cutInTwo.push(text.slice(0, cut)), cutInTwo.push(text.slice(cut))];
        parts.push(cutInTwo.end());
        const found = parts.map((one) => one.text).join("");
        const urls = parts.flatMap((one) => one.pictures);
        assert.deepEqual([found, urls], [left, pictures], `${cut}`);
      }
    });
  }

  it("is one of at most sixteen; further ones are counted once", () => {
    const decoder = new StreamDecoder((text) => text);
    const images = Array.from({ length: 40 }, (_none, at) => ({
      image_url: { url: `data:image/png;base64,${at}` },
    }));
    const bytes = new TextEncoder().encode(block({ delta: { images } }));
    const { pictures } = decoder.push(bytes);
    assert.equal(pictures.filter((url) => url !== "").length, 16);
    assert.equal(pictures.length, 40);
    assert.deepEqual(decoder.push(bytes).pictures, []);
  });
});
