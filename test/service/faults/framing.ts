/**
 * Valid variants of a stream: every form that the event-stream standard allows, and cuts at every
 * position. A client shows the same text for all of them.
 * Standard: https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
import { family, type FaultFamily, type FaultTable } from "./fault";
import { streamFault, type SampleEvents } from "./sample";

export const FRAMING_FAULTS: FaultTable = {
  "split-every-byte": streamFault("S1", "every byte is a chunk of its own", "complete", (events) =>
    cutAt(events.whole, everyIndex(events.whole)),
  ),
  lf: streamFault("S5", "lines end with LF, as usual", "complete", (events) => [events.whole]),
  crlf: streamFault("S5", "lines end with CR LF", "complete", (events) => [
    events.whole.replaceAll("\n", "\r\n"),
  ]),
  "cr-only": streamFault("S5", "lines end with CR", "complete", (events) => [
    events.whole.replaceAll("\n", "\r"),
  ]),
  "mixed-line-ends": streamFault("S5", "lines end with LF, CR LF and CR by turns", "complete", mix),
  "split-crlf": streamFault("S5", "CR and LF come in different chunks", "complete", (events) =>
    events.whole.replaceAll("\n", "\r\n").split(/(?<=\r)/),
  ),
  "no-space": streamFault("S5", "no space follows data:", "complete", (events) => [
    events.whole.replaceAll("data: ", "data:"),
  ]),
  bom: streamFault("S5", "the stream starts with a byte order mark", "complete", (events) => [
    "\ufeff" + events.whole,
  ]),
  comments: streamFault("S5", "comments stand between and inside events", "complete", (events) => [
    ": first\n\n",
    events.whole.replaceAll("data: {", ":\n: {not data}\ndata: {"),
  ]),
  "unknown-fields": streamFault("S5", "events have fields nobody knows", "complete", (events) => [
    events.whole.replaceAll("data: {", "dat: {}\ndatax: 1\nwhatever\n data: no\ndata: {"),
  ]),
  "event-fields": streamFault("S5", "events carry id, event and retry", "complete", (events) => [
    "retry: 100000\n\n",
    events.whole.replaceAll("data: {", "id: 7\nevent: message\nretry: x\ndata: {"),
  ]),
  "multi-line-data": streamFault(
    "S5",
    "one block spans several data lines",
    "complete",
    (events) => [events.whole.replaceAll('"choices":[{', '"choices":\ndata: [\ndata:\ndata: {')],
  ),
  "last-blank-line-missing": streamFault(
    "S5",
    "the finish reason is whole, [DONE] lacks its blank line",
    "complete",
    (events) => [events.whole.slice(0, -1)],
  ),
  "invalid-utf8": streamFault(
    "S6",
    "a block holds bytes that are no UTF-8",
    "complete",
    (events) => [
      events.opening,
      ...events.blocks.slice(0, 2),
      damagedText(),
      ...events.blocks.slice(2),
      events.finish,
      "data: [DONE]\n\n",
    ],
  ),
};

export const FRAMING_FAMILIES: readonly FaultFamily[] = [
  family("cuts-A-B", ["cuts-1-2", "cuts-500-501"], /cuts-(\d+)-(\d+)/, (first, second) =>
    streamFault(
      "S1",
      "the stream comes in three chunks, cut at the bytes A and B",
      "complete",
      (events) => cutAt(events.whole, [Number(first), Number(second)]),
    ),
  ),
  family("random-cuts-SEED", ["random-cuts-1"], /random-cuts-(\d+)/, (seed) =>
    streamFault("S1", "the stream is cut at two places that SEED decides", "complete", (events) => {
      const length = Buffer.byteLength(events.whole);
      const first = (Number(seed) * 7919) % length;
      return cutAt(events.whole, [first, first + ((Number(seed) * 104_729) % (length - first))]);
    }),
  ),
];

function everyIndex(text: string): number[] {
  return Array.from({ length: Buffer.byteLength(text) }, (_unused, index) => index);
}

/** Returns the bytes of `text`, cut before each of the ascending `indexes`; no piece is empty. */
function cutAt(text: string, indexes: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const ends = [...indexes, bytes.length];
  return ends
    .map((end, number) => bytes.subarray(number === 0 ? 0 : ends[number - 1]!, end))
    .filter((piece) => piece.length > 0);
}

function mix(events: SampleEvents): string[] {
  const lineEnds = ["\n", "\r\n", "\r"];
  let count = 0;
  // Both line ends of an event are the same: CR followed by another event's LF would be a single
  // line end.
  return [
    events.whole.replace(/\n\n/g, () => {
      const lineEnd = lineEnds[count++ % lineEnds.length]!;
      return lineEnd + lineEnd;
    }),
  ];
}

/** Returns a block whose text is `bad: `, five kinds of invalid bytes, and ` end. `. */
function damagedText(): Buffer {
  const block = JSON.stringify({ choices: [{ index: 0, delta: { content: "bad: BYTES end. " } }] });
  const [before = "", after = ""] = `data: ${block}\n\n`.split("BYTES");
  // A single continuation byte, an incomplete sequence, an overlong "/", a surrogate, and FF.
  const bad = [0x80, 0x41, 0xe4, 0xbd, 0x41, 0xc0, 0xaf, 0x41, 0xed, 0xa0, 0x80, 0x41, 0xff];
  return Buffer.concat([Buffer.from(before), Buffer.from(bad), Buffer.from(after)]);
}
