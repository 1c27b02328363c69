/** Listens on TCP and UDP ports of this machine and records everything that arrives. */
import { createSocket, type Socket } from "node:dgram";
import { createServer, type AddressInfo, type Server } from "node:net";

export class Listener {
  /** First lines of what arrived over TCP, and "udp" for each datagram. */
  readonly received: string[] = [];
  /** Number of TCP connections, also those over which nothing was sent. */
  connections = 0;

  private constructor(
    private readonly tcp: Server,
    private readonly udp: Socket,
  ) {}

  static async start(): Promise<Listener> {
    const tcp = createServer();
    const udp = createSocket("udp4");
    const made = new Listener(tcp, udp);
    tcp.on("connection", (socket) => {
      made.connections++;
      socket.on("error", () => undefined);
      socket.on("data", (data) => {
        made.received.push(data.toString("latin1").split("\r\n")[0] ?? "");
        socket.end("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
      });
    });
    udp.on("message", () => made.received.push("udp"));
    await new Promise<void>((resolve) => tcp.listen(0, "127.0.0.1", resolve));
    await new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", resolve));
    return made;
  }

  /** Address of the TCP port. */
  get url(): string {
    return `http://127.0.0.1:${(this.tcp.address() as AddressInfo).port}`;
  }

  /** Replaces the names of the listener in a page by its addresses. */
  fillIn(html: string): string {
    return html
      .replaceAll("LISTENER", this.url.slice("http://".length))
      .replaceAll("STUN", `127.0.0.1:${this.udp.address().port}`);
  }

  close(): void {
    this.tcp.close();
    this.udp.close();
  }
}
