/**
 * HTTPS servers, each with a single certificate error. `openssl` creates the certificates at run
 * time, so that the project contains none that could expire unnoticed.
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * Certificate errors; `trusted` is valid and shows that a client which trusts `authorityPem` can
 * connect.
 */
export type TlsFault = "expired" | "self-signed" | "wrong-name" | "unknown-issuer" | "trusted";

export interface TlsFaultServer {
  /** Base URL, `https://localhost:PORT`. */
  readonly url: string;
  /**
   * PEM of the authority that a client must trust so that only the named fault remains; may be
   * empty.
   */
  readonly authorityPem: string;
  /**
   * Returns the number of requests after a successful handshake; 0 if the client detects the fault.
   */
  requestCount(): number;
  close(): Promise<void>;
}

/** Starts a server with this fault; throws an error if `openssl` is missing. */
export async function startTlsFault(kind: TlsFault): Promise<TlsFaultServer> {
  const { key, certificate, authority } = await makeCertificate(kind);
  let requests = 0;
  const server = createServer({ key, cert: certificate }, (_request, response) => {
    requests++;
    response.end("this connection should not have been made\n");
  });
  server.on("tlsClientError", () => undefined); // Clients are expected to disconnect.
  server.listen(0, "localhost");
  await once(server, "listening");
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    authorityPem: kind === "unknown-issuer" || kind === "self-signed" ? "" : authority,
    requestCount: () => requests,
    close: async () => {
      const isClosed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await isClosed;
    },
  };
}

interface Certificate {
  readonly key: string;
  readonly certificate: string;
  readonly authority: string;
}

async function makeCertificate(kind: TlsFault): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), "core-chat-tls-"));
  try {
    await writeFile(join(folder, "ca.cnf"), authorityConfig(kind));
    await writeFile(join(folder, "index.txt"), "");
    await writeFile(join(folder, "serial"), "1000\n");
    const newKey = ["req", "-newkey", "rsa:2048", "-nodes", "-config", "ca.cnf"];
    const authoritySubject = ["-subj", "/CN=Core Chat test authority"];
    const selfSigned = ["-x509", "-days", "2", "-keyout", "ca.key", "-out", "ca.crt"];
    await openssl(folder, [...newKey, ...selfSigned, ...authoritySubject, "-extensions", "issuer"]);
    const subject = ["-subj", "/CN=core-chat.test"];
    if (kind === "self-signed") {
      const own = ["-x509", "-days", "2", "-keyout", "leaf.key", "-out", "leaf.crt"];
      await openssl(folder, [...newKey, ...own, ...subject, "-extensions", "leaf"]);
    } else {
      await openssl(folder, [...newKey, "-keyout", "leaf.key", "-out", "leaf.csr", ...subject]);
      const dates = kind === "expired" ? EXPIRED : ["-days", "2"];
      const sign = ["ca", "-batch", "-notext", "-config", "ca.cnf", "-extensions", "leaf"];
      await openssl(folder, [...sign, ...dates, "-in", "leaf.csr", "-out", "leaf.crt"]);
    }
    const read = (name: string) => readFile(join(folder, name), "utf8");
    const [key, certificate, authority] = await Promise.all([
      read("leaf.key"),
      read("leaf.crt"),
      read("ca.crt"),
    ]);
    return { key, certificate, authority };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const EXPIRED = ["-startdate", "20200101000000Z", "-enddate", "20200201000000Z"];

function authorityConfig(kind: TlsFault): string {
  const names = kind === "wrong-name" ? "DNS:somewhere-else.test" : "DNS:localhost,IP:127.0.0.1";
  return `[req]
distinguished_name = name
[name]
[ca]
default_ca = authority
[issuer]
basicConstraints = critical,CA:true
[authority]
dir = .
database = ./index.txt
serial = ./serial
new_certs_dir = .
certificate = ./ca.crt
private_key = ./ca.key
default_md = sha256
policy = anything
[anything]
commonName = supplied
[leaf]
subjectAltName = ${names}
`;
}

async function openssl(folder: string, argumentList: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)("openssl", argumentList, { cwd: folder });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      throw new Error("TLS faults need the program openssl, which is not installed here", {
        cause: error,
      });
    }
    throw error;
  }
}
