/** Lists the models of servers, also of those on this machine. Nothing is asked without a command for it. */
import * as z from "zod/mini";
import { concatBytes } from "../../base/concatBytes";
import { LOOPBACK_KEY } from "../../service/apiKey";
import { endpointUrl } from "../../service/baseUrl";
import { requestHeaders } from "../../service/requestHeaders";
import { ServiceKey } from "../../service/serviceKey";
import type { Connection } from "../../service/types";

/** Default ports of servers, whose endpoint has this path. Sources: the documentation of each. */
const LOCAL_PORTS = { Ollama: 11_434, "LM Studio": 1234, "llama.cpp": 8080, vLLM: 8000 };
const LOCAL_PATH = "/v1/chat/completions";

const TIMEOUT_MS = 3000;

/** Longest list that is read: some thousand models with a description of each. */
const MAX_LIST_BYTES = 8 * 1024 * 1024;

/** The list of OpenAI's API, which these servers have too. */
const listSchema = z.object({
  data: z.array(z.object({ id: z.string().check(z.minLength(1), z.maxLength(200)) })),
});

export interface LocalServer {
  readonly name: string;
  readonly baseUrl: string;
  readonly path: string;
  readonly models: readonly string[];
}

/** Returns the servers on this machine that list models; asks loopback only. */
export async function findLocalServers(fetch: typeof globalThis.fetch): Promise<LocalServer[]> {
  const asked = Object.entries(LOCAL_PORTS).map(async ([name, port]) => {
    const server = { name, baseUrl: `http://127.0.0.1:${port}`, path: LOCAL_PATH };
    const models = await listModels({ ...server, key: new ServiceKey(LOOPBACK_KEY) }, fetch);
    return models && { ...server, models };
  });
  return (await Promise.all(asked)).filter((server) => server !== undefined);
}

/** Returns the models of a service; undefined without a list. Follows no redirect with the key. */
export async function listModels(
  { baseUrl, path, key, ...more }: Pick<Connection, "baseUrl" | "key"> & Partial<Connection>,
  fetch: typeof globalThis.fetch,
): Promise<string[] | undefined> {
  const url = endpointUrl(baseUrl, path).replace(/\/chat\/completions$/, "/models");
  const send = async (value: string) => {
    const headers = requestHeaders(value, false, { ...more.headers, ...more.secretHeaders });
    if (headers === undefined) throw new TypeError("invalid headers");
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const options = { headers, redirect: "error", credentials: "omit", signal } as const;
    const response = await fetch(url, options);
    if (!response.ok) await response.body?.cancel();
    return response;
  };
  try {
    const response = await key.useOnce(send, ({ status }) => status === 401);
    if (!response.ok) return undefined;
    const list = z.safeParse(listSchema, JSON.parse(await textOf(response)));
    return list.success ? [...new Set(list.data.data.map(({ id }) => id))] : undefined;
  } catch {
    return undefined; // no server, no list, too long, or not in time
  }
}

/** Returns the text of a body; throws for a body over `MAX_LIST_BYTES`, and ends the connection. */
async function textOf({ body }: Response): Promise<string> {
  if (body === null) return "";
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { value } = await reader.read();
    if (value === undefined) return new TextDecoder().decode(concatBytes(pieces));
    length += value.byteLength;
    pieces.push(value);
    if (length <= MAX_LIST_BYTES) continue;
    await reader.cancel();
    throw new RangeError("too long");
  }
}
