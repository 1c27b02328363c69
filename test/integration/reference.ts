/**
 * Calls the local reference service for tests inside VS Code. The service runs in another process
 * and is controlled through its debugging calls.
 */
import type { RecordedRequest, ScriptedReply } from "../service/server";

const MAX_WAIT_MS = 100_000;

const serviceUrl = process.env["CORE_CHAT_TEST_SERVICE"];

/** Returns the service's base URL. */
export function referenceUrl(): string {
  if (serviceUrl === undefined) throw new Error("CORE_CHAT_TEST_SERVICE must name the service.");
  return serviceUrl;
}

/** Current state of the service. */
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

/** Deletes recorded requests and scripted replies. */
export async function resetService(): Promise<void> {
  await call("POST", "reset");
}

/** Sets the replies to the next valid requests. */
export async function scriptService(...replies: ScriptedReply[]): Promise<void> {
  await call("POST", "script", replies);
}

/** Releases a gate, now or when a reply reaches it. */
export async function releaseGate(): Promise<void> {
  await call("POST", "gate");
}

/** Returns the received requests, oldest first. */
export async function receivedRequests(): Promise<readonly RecordedRequest[]> {
  return (await call("GET", "requests")) as RecordedRequest[];
}

/** Polls until the service's state meets the condition. */
export async function untilService(isWanted: (state: ServiceState) => boolean): Promise<void> {
  const untilMs = Date.now() + MAX_WAIT_MS;
  while (!isWanted((await call("GET", "state")) as ServiceState)) {
    if (Date.now() > untilMs) throw new Error("the service did not reach the state");
  }
}
