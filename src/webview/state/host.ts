import type { HostReply } from "../../protocol/toView";
import type { HostRequest, ToHost } from "../../protocol/toHost";

export interface Host {
  send(message: Exclude<ToHost, HostRequest>): void;
  /** Rejects when the host refuses or does not answer. */
  request(message: HostRequest): Promise<HostReply>;
}
