import assert from "node:assert/strict";
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { startService } from "../../service/server";

/** The program that `node esbuild.mjs --tests-only` bundles next to this file. */
const PROGRAM = fileURLToPath(new URL("../../service/main.mjs", import.meta.url));

describe("the reference service as a program", () => {
  let program: ChildProcessWithoutNullStreams | undefined;
  afterEach(() => void program?.kill("SIGKILL"));

  function start(...flags: string[]): ChildProcessWithoutNullStreams {
    program = spawn(process.execPath, [PROGRAM, ...flags]);
    return program;
  }

  async function firstOutput(child: ChildProcessWithoutNullStreams): Promise<string> {
    const [chunk] = (await once(child.stdout, "data")) as [Buffer];
    return chunk.toString();
  }

  async function statusOf(url: string): Promise<number> {
    const body = '{"model":"core_llm","messages":[{"role":"user","content":"Hello"}]}';
    const headers = { authorization: "Bearer local", "content-type": "application/json" };
    const response = await fetch(`${url}/maas/v1/chat/completions`, {
      method: "POST",
      headers,
      body,
    });
    await response.body?.cancel();
    return response.status;
  }

  it("prints one line of JSON with --json and ends with its standard input", async () => {
    const child = start("--port", "0", "--json", "--delay", "0", "--until-stdin-closes");
    const line = await firstOutput(child);
    assert.match(line, /^\{"url":"http:\/\/127\.0\.0\.1:\d+"\}\n$/);
    const { url } = JSON.parse(line) as { url: string };
    assert.equal(await statusOf(url), 200);
    const exited = once(child, "exit");
    child.stdin.end();
    assert.deepEqual(await exited, [0, null]);
  });

  it("reports that the specified port is in use", async () => {
    const other = await startService();
    try {
      const child = start("--port", new URL(other.url).port);
      const [chunk] = (await once(child.stderr, "data")) as [Buffer];
      assert.match(chunk.toString(), /Cannot listen on port \d+: the port is in use/);
      assert.deepEqual(await once(child, "exit"), [1, null]);
    } finally {
      await other.close();
    }
  });
});
