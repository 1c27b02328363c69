/**
 * The local reference service for tests inside VS Code: another process, controlled over
 * its debugging calls.
 */
import type { RecordedRequest, ScriptedReply } from "../service/server";

const serviceUrl = process.env["CORE_CHAT_TEST_SERVICE"];

/** The service's base URL. */
export function referenceUrl(): string {
  if (serviceUrl === undefined) throw new Error("CORE_CHAT_TEST_SERVICE must name the service.");
  return serviceUrl;
}

/** What the service knows now. */
interface ServiceState {
  readonly repliesOpen: number;
  readonly requests: number;
  readonly waitingAtGate: number;
}

async function call(method: "GET" | "POST", path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${referenceUrl()}/_service/${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Forgets what arrived and what was scripted. */
export async function resetService(): Promise<void> {
  await call("POST", "reset");
}

/** Lays out the replies for the next correct requests. */
export async function scriptService(...replies: ScriptedReply[]): Promise<void> {
  await call("POST", "script", replies);
}

/** Releases one gate, now or when a reply reaches it. */
export async function releaseGate(): Promise<void> {
  await call("POST", "gate");
}

/** What arrived, oldest first. */
export async function receivedRequests(): Promise<readonly RecordedRequest[]> {
  return (await call("GET", "requests")) as RecordedRequest[];
}

/** Resolves as soon as the service's state is as wanted; asks again and again. */
export async function untilService(isWanted: (state: ServiceState) => boolean): Promise<void> {
  while (!isWanted((await call("GET", "state")) as ServiceState));
}
