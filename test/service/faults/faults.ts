/**
 * Lists all faults. A request selects a fault with the header `x-core-chat-fault: NAME` or with a
 * line `/fault NAME` in the question. The other files of this folder implement the faults.
 */
import { sendText, type Exchange } from "../exchange";
import { CONNECTION_FAMILIES, CONNECTION_FAULTS } from "./connections";
import type { Fault, FaultFamily, FaultTable } from "./fault";
import { STATUS_FAMILIES, STATUS_FAULTS } from "./status";
import { STREAM_FAULTS } from "./streams";

/** Faults by name; names with a value are in FAULT_FAMILIES. */
export const FAULTS: FaultTable = { ...STREAM_FAULTS, ...STATUS_FAULTS, ...CONNECTION_FAULTS };

export const FAULT_FAMILIES: readonly FaultFamily[] = [...STATUS_FAMILIES, ...CONNECTION_FAMILIES];

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
  return FAULT_FAMILIES.map((one) => one.find(name)).find((fault) => fault !== undefined);
}

/** Answers with the named fault, or with 400 if there is no such fault. */
export async function runFault(exchange: Exchange, name: string): Promise<void> {
  const fault = findFault(name);
  if (fault !== undefined) return fault.reply(exchange);
  sendText(exchange.response, 400, `there is no fault named ${name}\n`);
}
