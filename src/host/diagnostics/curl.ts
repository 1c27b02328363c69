/**
 * An exchange's request as a command for a POSIX shell, with the key as `$CORE_CHAT_KEY`. What is
 * not kept (pictures, bodies that are too long) is named in a comment.
 */
import type { Translate } from "../../base/translate";
import type { RequestRecord } from "./requestLog";

/** No line of a body is this: JSON has no line breaks of its own. */
const BODY_END = "CORE_CHAT_BODY";

/** The command. */
export function curlCommand(record: RequestRecord, t: Translate): string {
  const headers = Object.entries(record.headers)
    .filter(([name]) => name !== "authorization")
    .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const options = [
    `curl --no-buffer ${quoted(record.url)}`,
    '-H "Authorization: Bearer $CORE_CHAT_KEY"',
    ...headers,
  ];
  const notes: string[] = [];
  if (record.pictures.length > 0) {
    notes.push(t("Pictures are not kept: put their base64 text in the place of the marks."));
  }
  if (record.body === undefined) notes.push(t("The body was too long to keep: put yours in."));
  return [
    ...notes.map((note) => `# ${note}`),
    `${options.join(" \\\n  ")} \\\n  --data-binary @- <<'${BODY_END}'`,
    record.body ?? "{}",
    BODY_END,
    "",
  ].join("\n");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
