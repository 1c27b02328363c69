/**
 * Writes the reply to a question with pictures: a table of the received data, in the language of
 * the question. There is no model, so the reply cannot describe the content of a picture.
 */
import type { RecordedPicture } from "./pictures";
import { isChinese, quote } from "./sampleReply";

/** Returns Markdown; `pictures` must not be empty. */
export function pictureReply(pictures: readonly RecordedPicture[], question: string): string {
  const rows = pictures.map((picture, index) => row(index + 1, picture)).join("\n");
  if (isChinese(question)) {
    return `**本地参考服务**，没有模型，因此无法识别图片内容，只能列出收到的数据。

你的问题是：

${quote(question)}

| # | 格式 | 像素 | 字节 | SHA-256 | 说明 |
| --- | --- | --- | --- | --- | --- |
${rows}
`;
  }
  return `This is the **local reference service**. It has no model, so it cannot see what a picture shows. It can only list what it received.

${question.trim() === "" ? "There was no text with the picture." : `You asked:\n\n${quote(question)}`}

| # | Format | Pixels | Bytes | SHA-256 | Note |
| --- | --- | --- | --- | --- | --- |
${rows}
`;
}

function row(number: number, picture: RecordedPicture): string {
  if (picture.source === "url") {
    const address = picture.url.replace(/[|`\s]/g, encodeURIComponent);
    return `| ${number} | web address | – | – | – | \`${address}\` was not fetched |`;
  }
  const isRightType = picture.declaredType === `image/${picture.format.toLowerCase()}`;
  const notes = [
    picture.format === "unknown" ? "the header could not be read" : "",
    isRightType || picture.format === "unknown" ? "" : `sent as ${picture.declaredType}`,
    picture.metadata.length > 0 ? `metadata: ${picture.metadata.join(", ")}` : "",
  ].filter((note) => note !== "");
  const pixels = picture.widthPx > 0 ? `${picture.widthPx} × ${picture.heightPx}` : "–";
  return `| ${number} | ${picture.format} | ${pixels} | ${picture.bytes} | \`${picture.sha256}\` | ${notes.join("; ")} |`;
}
