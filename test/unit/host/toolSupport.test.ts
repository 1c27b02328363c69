/** Tools, tried and remembered by model (row S48): called, ignored or refused. */
import assert from "node:assert/strict";
import { checkConnection, type CheckResult } from "../../../src/host/diagnostics/checks";
import { resultLine } from "../../../src/host/diagnostics/report";
import { startService } from "../../service/server";
import { connectionTo } from "../service/asking";

async function toolsCheck(baseUrl: string, llm = "core_llm"): Promise<CheckResult | undefined> {
  const modelCodes = { llm, vl: "core_vl" };
  const target = { baseUrl, connection: connectionTo(baseUrl), modelCodes };
  const results: CheckResult[] = [];
  const { signal } = new AbortController();
  for await (const result of checkConnection(target, { fetch: globalThis.fetch }, signal)) {
    results.push(result);
  }
  return results.find(({ id }) => id === "tools");
}

describe("the check of tools", () => {
  for (const support of ["works", "ignored", "refused"] as const) {
    it(`finds that the models do this with a tool: ${support}`, async () => {
      const service = await startService({ tools: support });
      try {
        const check = await toolsCheck(service.url);
        assert.deepEqual(check, {
          id: "tools",
          state: "passed",
          tools: [
            { code: "core_llm", support },
            { code: "core_vl", support },
          ],
        });
        const t = (text: string, ...values: unknown[]) =>
          text.replace(/\{(\d)\}/g, (_all, at: string) => String(values[Number(at)]));
        const line = resultLine(check, { t, failure: () => "" });
        assert.match(line, /^✓ Tools for VS Code's chat: core_llm \w+ them; core_vl \w+ them$/);
      } finally {
        await service.close();
      }
    });
  }
});
