/**
 * The record that an organization's policy asks for: a line at the start and at the end of each request,
 * on disk before the request is sent, without content, key or an address beyond the host.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { silentLog } from "../../support/fakes/silentLog";
import { RequestLog } from "../../../src/host/diagnostics/requestLog";
import { RequestRecorder } from "../../../src/host/diagnostics/requestRecord";
import { appendLine } from "../../../src/host/node/appendLine";
import { startService, type ReferenceService } from "../../service/server";
import { askService, CANARY } from "../service/asking";

type Line = Readonly<Record<string, unknown>>;

describe("the record of requests", () => {
  let folder: string;
  let service: ReferenceService;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "core-chat-record-"));
    service = await startService();
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await service.close();
  });
  beforeEach(() => service.reset());

  const linesOf = (path: string) =>
    readFileSync(path, "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  const observer = (append: (line: string) => Promise<void>, isAsked = () => true) => {
    const observe = new RequestLog().observer();
    const recorder = new RequestRecorder(isAsked, append, silentLog);
    const onExchange: NonNullable<Parameters<typeof askService>[2]>["onExchange"] = (event) =>
      recorder.observe(event.type, observe(event));
    return { recorder, onExchange };
  };

  it("has a line at the start and at the end, without what was asked, answered or proven", async () => {
    const path = join(folder, "both.jsonl");
    const { recorder, onExchange } = observer((line) => appendLine(path, line));
    await askService(service.url, "/echo a secret", { onExchange });
    await recorder.untilWritten();
    for (const word of ["secret", "echo", CANARY, "/maas"])
      assert.ok(!readFileSync(path, "utf8").includes(word), word);
    const [start = {}, end = {}, ...more] = linesOf(path);
    assert.deepEqual(more, []);
    const { replyBytes, ms, ...both } = end;
    assert.deepEqual(both, { ...start, status: 200, ending: "complete" });
    assert.ok(typeof replyBytes === "number" && replyBytes > 0 && typeof ms === "number");
    assert.deepEqual([start["host"], start["attempt"]], [new URL(service.url).host, 1]);
    assert.equal(typeof start["id"], "string");
  });

  it("has the line of a request whose process is killed while the reply streams", async () => {
    const path = join(folder, "killed.jsonl");
    const program = join(folder, "asking.mjs");
    await build({
      stdin: {
        contents: `
          import { RequestLog } from "./src/host/diagnostics/requestLog";
          import { RequestRecorder } from "./src/host/diagnostics/requestRecord";
          import { appendLine } from "./src/host/node/appendLine";
          import { askService } from "./test/unit/service/asking";
          const [, , url, path] = process.argv;
          const observe = new RequestLog().observer();
          const append = (line) => appendLine(path, line);
          const recorder = new RequestRecorder(() => true, append, console);
          await askService(url, "x", {
            onExchange: (event) => recorder.observe(event.type, observe(event)),
          });`,
        resolveDir: process.cwd(),
      },
      outfile: program,
      bundle: true,
      format: "esm",
      platform: "node",
      logLevel: "silent",
    });
    service.script({ blocks: ["Hello ", { gate: true }, "late"] });
    const child = spawn(process.execPath, [program, service.url, path], { stdio: "inherit" });
    await service.waitForRequest(1);
    child.kill("SIGKILL");
    await service.waitForClose(1);
    assert.deepEqual(
      linesOf(path).map(({ attempt, ending }) => [attempt, ending]),
      [[1, undefined]],
    );
  });

  it("has a line before the request is sent, and none while the policy asks for none", async () => {
    const lines: string[] = [];
    let isAsked = false;
    const { onExchange } = observer(
      async (line) => {
        await new Promise((resolve) => setImmediate(resolve));
        lines.push(line);
      },
      () => isAsked,
    );
    const counts: number[] = [];
    const fetch: typeof globalThis.fetch = (...request) => {
      counts.push(lines.length);
      return globalThis.fetch(...request);
    };
    await askService(service.url, "x", { onExchange, fetch });
    isAsked = true;
    await askService(service.url, "x", { onExchange, fetch });
    assert.deepEqual(counts, [0, 1]);
  });

  it("stops a request whose line cannot be written", async () => {
    const { onExchange } = observer(() => Promise.reject(new Error("the disk is full")));
    const { failure } = await askService(service.url, "x", { onExchange });
    assert.deepEqual(failure, { kind: "not-allowed", problem: "not-recorded" });
    assert.equal(service.requests.length, 0);
  });
});
