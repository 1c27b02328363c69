/**
 * Lists all faults. A request selects a fault with the header `x-core-chat-fault: NAME` or with a
 * line `/fault NAME` in the question. The other files of this folder implement the faults.
 */
import { sendText, type Exchange } from "../exchange";
import { CONNECTION_FAMILIES, CONNECTION_FAULTS } from "./connection";
import { CUT_FAMILIES, CUT_FAULTS } from "./cuts";
import { ENCODING_FAULTS } from "./encoding";
import { ENDING_FAULTS } from "./endings";
import type { Fault, FaultFamily, FaultTable } from "./fault";
import { FRAMING_FAMILIES, FRAMING_FAULTS } from "./framing";
import { LIMIT_FAMILIES, LIMIT_FAULTS } from "./limits";
import { RETRY_FAMILIES } from "./retries";
import { SHAPE_FAMILIES, SHAPE_FAULTS } from "./shapes";
import { SILENCE_FAMILIES, SILENCE_FAULTS } from "./silence";
import { STATUS_FAMILIES, STATUS_FAULTS } from "./status";

/** Faults by name; names with a value are in FAULT_FAMILIES. */
export const FAULTS: FaultTable = {
  ...FRAMING_FAULTS,
  ...ENDING_FAULTS,
  ...SHAPE_FAULTS,
  ...STATUS_FAULTS,
  ...CUT_FAULTS,
  ...CONNECTION_FAULTS,
  ...SILENCE_FAULTS,
  ...LIMIT_FAULTS,
  ...ENCODING_FAULTS,
};

/** Fault families in order of precedence: specific patterns come first. */
export const FAULT_FAMILIES: readonly FaultFamily[] = [
  ...FRAMING_FAMILIES,
  ...SHAPE_FAMILIES,
  ...STATUS_FAMILIES,
  ...RETRY_FAMILIES,
  ...CUT_FAMILIES,
  ...CONNECTION_FAMILIES,
  ...SILENCE_FAMILIES,
  ...LIMIT_FAMILIES,
];

/** Returns the requested fault in lower case, or undefined. */
export function requestedFault(
  question: string,
  headers: Readonly<Record<string, string>>,
): string | undefined {
  const name = headers["x-core-chat-fault"] ?? /^[ \t]*\/fault[ \t]+(\S+)/m.exec(question)?.[1];
  return name?.toLowerCase();
}

/** Returns the fault with this name, or undefined. */
export function findFault(name: string): Fault | undefined {
  if (Object.hasOwn(FAULTS, name)) return FAULTS[name];
  for (const one of FAULT_FAMILIES) {
    const found = one.find(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Answers with the named fault, or with 400 if there is no such fault. */
export async function runFault(exchange: Exchange, name: string): Promise<void> {
  const fault = findFault(name);
  if (fault !== undefined) return fault.reply(exchange);
  sendText(exchange.response, 400, `there is no fault named ${name}; /faults all lists them\n`);
}

/** Returns all faults as a Markdown table, sorted by row. */
export function describeFaults(): string {
  const single = Object.entries(FAULTS).map(([name, fault]) => ({ name, fault }));
  const families = FAULT_FAMILIES.map((one) => ({
    name: one.listedAs,
    fault: one.find(one.examples[0]!)!,
  }));
  const rows = [...single, ...families]
    .sort((one, other) => Number(one.fault.row.slice(1)) - Number(other.fault.row.slice(1)))
    .map(({ name, fault }) => {
      return `| ${fault.row} | \`${name}\` | ${fault.summary} | ${fault.ending} |`;
    });
  return `Ask for one with a line \`/fault NAME\`, or with the header \`x-core-chat-fault: NAME\`.

| Row | Name | What happens | A client should call it |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
}
