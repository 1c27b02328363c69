/**
 * Measures the definitions for a selection in a TypeScript project of 5,000 files, in a real VS
 * Code with a warm server: the time to gather them, and the tokens that they add.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import * as esbuild from "esbuild";

export const title = "definitions in a project of 5,000 files";

const FILES = 5_000;

export async function run({ log }) {
  const temporary = mkdtempSync(join(tmpdir(), "core-chat-definitions-"));
  const probe = resolve("out/bench/definitions/probe.cjs");
  const result = join(temporary, "result.json");
  try {
    await esbuild.build({
      entryPoints: ["test/bench/definitions/probe.ts"],
      outfile: probe,
      bundle: true,
      format: "cjs",
      platform: "node",
      target: "node22",
      external: ["vscode"],
      mainFields: ["module", "main"],
      logLevel: "error",
    });
    const project = join(temporary, "project");
    makeProject(project);
    const { runTests } = await import("@vscode/test-electron");
    await runTests({
      vscodeExecutablePath: resolve("test/support/vscode/launcher.mjs"),
      extensionDevelopmentPath: resolve("."),
      extensionTestsPath: probe,
      extensionTestsEnv: {
        CORE_CHAT_BENCH_RESULT: result,
        CORE_CHAT_BENCH_TSDK: resolve("node_modules/typescript/lib"),
      },
      launchArgs: [
        project,
        `--user-data-dir=${join(temporary, "data")}`,
        `--extensions-dir=${join(temporary, "extensions")}`,
      ],
    });
    const { timesMs, tokens, items } = JSON.parse(readFileSync(result, "utf8"));
    log(`${timesMs.length} selections of 15 lines, ${FILES} files, warm server`);
    log(`time: median ${at(timesMs, 0.5)} ms, p95 ${at(timesMs, 0.95)} ms`);
    if (at(items, 0.5) === 0)
      throw new Error("most selections have no definition: the server fails");
    log(
      `definitions: median ${at(items, 0.5)}; tokens: median ${at(tokens, 0.5)}, p95 ${at(tokens, 0.95)}`,
    );
  } finally {
    rmSync(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

function at(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]);
}

/** Writes modules in folders of 100; each module uses types and functions of three others. */
function makeProject(folder) {
  for (let file = 0; file < FILES; file++) {
    const directory = join(folder, "src", `part${Math.floor(file / 100)}`);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, `module${file}.ts`), moduleText(file));
  }
  const compilerOptions = { strict: true, module: "nodenext", target: "es2023", noEmit: true };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["src"] }),
  );
  writeFileSync(join(folder, ".gitignore"), "dist/\n");
  execFileSync("git", ["init", "-q"], { cwd: folder });
}

function moduleText(file) {
  // A long chain of imports would overflow the server's stack.
  const others = file < 30 ? [30, 31, 32] : [2, 3, 5].map((part) => Math.floor(file / part));
  const imports = others.map(
    (other) =>
      `import { load${other}, type Record${other} } from "../part${Math.floor(other / 100)}/module${other}.js";`,
  );
  const [one, two, three] = others;
  return `${imports.join("\n")}

/** A record of module ${file}. */
export interface Record${file} {
  readonly id: string;
  readonly count: number;
  readonly next?: Record${one};
}

export class Store${file} {
  private readonly records = new Map<string, Record${file}>();

  add(record: Record${file}): void {
    this.records.set(record.id, record);
  }

  sum(other: Record${two}): number {
    let sum = other.count;
    for (const record of this.records.values()) {
      const loaded = load${one}(record.id);
      const third: Record${three} = load${three}(loaded.id);
      sum += loaded.count + third.count;
      if (sum > LIMIT) break;
    }
    return sum;
  }
}

const LIMIT = ${file};

export function load${file}(id: string): Record${file} {
  const store = new Store${file}();
  store.add({ id, count: LIMIT });
  return { id, count: store.sum(load${two}(id)) };
}
`;
}
