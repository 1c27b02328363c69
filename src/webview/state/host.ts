import type { HostReply, ToHost } from "../../protocol/messages";

/** Messages and requests to the host. */
export interface Host {
  send(message: ToHost): void;
  /** Rejects when the host refuses or does not answer. */
  request(message: ToHost): Promise<HostReply>;
}
