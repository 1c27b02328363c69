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

/** `trusted` is valid for a client that trusts `authorityPem`. */
export type TlsFault = "self-signed" | "unknown-issuer" | "trusted";

export interface TlsFaultServer {
  /** Base URL, `https://localhost:PORT`. */
  readonly url: string;
  /** PEM of the authority that signed the certificate; empty for a fault. */
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
    authorityPem: kind === "trusted" ? authority : "",
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
    await writeFile(join(folder, "ca.cnf"), AUTHORITY_CONFIG);
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
      const sign = ["ca", "-batch", "-notext", "-config", "ca.cnf", "-extensions", "leaf"];
      await openssl(folder, [...sign, "-days", "2", "-in", "leaf.csr", "-out", "leaf.crt"]);
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

const AUTHORITY_CONFIG = `[req]
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
subjectAltName = DNS:localhost,IP:127.0.0.1
`;

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
