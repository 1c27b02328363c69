/**
 * Formats an exchange's request as a command for a POSIX shell, with the key as `$CORE_CHAT_KEY`. A
 * comment names omitted parts: pictures and bodies that are too long.
 */
import type { Translate } from "../../base/translate";
import type { RequestRecord } from "./requestLog";

/**
 * Here-document delimiter. No line of a body equals it, because JSON strings have no line breaks.
 */
const BODY_END = "CORE_CHAT_BODY";

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
    notes.push(t("Pictures are not kept. Replace the placeholders with your pictures in base64."));
  }
  if (record.body === undefined) {
    notes.push(
      record.isPrivate
        ? t("The body is not kept. Insert your own.")
        : t("The body was too long to keep. Insert your own."),
    );
  }
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
