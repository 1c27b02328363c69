/** Finds how a project tests: the runner in package.json, and existing tests of a file. */
import * as vscode from "vscode";
import * as z from "zod/mini";
import { parseJson } from "../../base/parseJson";
import { excerptOf } from "../../context/excerpt";
import { bestTests, TEST_FILES } from "../../context/projectTests";
import { secretIn } from "../../secrets/secretText";
import type { ExcerptPart, Part } from "../../conversation/message";
import { readFound } from "../access/foundFiles";
import { pathOf, sourceOf } from "../platform/sourceText";
import { searchExclude } from "./fileList";

/** Upper limit of an existing test, in estimated tokens. */
const MAX_TEST_TOKENS = 1_200;

/** Upper limits of test files that are found, and that are read. */
const MAX_FOUND = 2_000;
const MAX_READ = 4;

/** Packages that run or support tests. */
const TEST_PACKAGE =
  /^(?:jest|vitest|mocha|chai|ava|tap|tape|uvu|jasmine|karma|qunit|cypress|sinon|supertest|nock|msw|playwright|puppeteer|enzyme|expect|japa|ts-jest|babel-jest|happy-dom|jsdom|node-tap|vitest-.+|jest-.+|mocha-.+|chai-.+|@(?:jest|vitest|playwright|testing-library|cypress|japa|web\/test-runner|open-wc)\/.+|@playwright\/test|@types\/(?:jest|mocha|chai|jasmine|tape|sinon))$/;

const MAX_SCRIPT_LENGTH = 300;

const packageSchema = z.object({
  scripts: z.optional(z.record(z.string(), z.string())),
  devDependencies: z.optional(z.record(z.string(), z.string())),
  dependencies: z.optional(z.record(z.string(), z.string())),
  type: z.optional(z.string()),
});

/** Returns the test scripts and packages of the nearest package.json; undefined without any. */
export async function testRunner(uri: vscode.Uri): Promise<Part | undefined> {
  for (const candidate of packageUris(uri)) {
    const [source] = await readFound([candidate]);
    if (source === undefined) continue;
    const text = runnerText(sourceOf(source).lines.join("\n"));
    // A package of a monorepo may leave the tests to the root.
    if (text === undefined || secretIn(text) !== undefined) continue;
    const label = pathOf(candidate);
    return { kind: "note", source: "text", label, text: `Tests in ${label}:\n${text}` };
  }
  return undefined;
}

/** Returns existing tests, those of the file itself first. */
export async function findTests(uri: vscode.Uri, count: number): Promise<ExcerptPart[]> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined) return [];
  const pattern = new vscode.RelativePattern(folder, TEST_FILES);
  const testFiles = await vscode.workspace.findFiles(pattern, searchExclude(uri), MAX_FOUND);
  const best = bestTests(uri.path, testFiles).slice(0, MAX_READ);
  const sources = (await readFound(best)).filter((source) => source !== undefined);
  return sources.slice(0, count).map((source) => {
    const span = { startLine: 1, endLine: source.lineCount };
    return excerptOf(sourceOf(source), span, MAX_TEST_TOKENS).part;
  });
}

/** Returns the addresses of package.json from a file's folder up to the workspace folder. */
function packageUris(uri: vscode.Uri): vscode.Uri[] {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined) return [];
  const uris: vscode.Uri[] = [];
  let current = vscode.Uri.joinPath(uri.with({ scheme: folder.uri.scheme, fragment: "" }), "..");
  while (current.path.length >= folder.uri.path.length) {
    uris.push(vscode.Uri.joinPath(current, "package.json"));
    const parent = vscode.Uri.joinPath(current, "..");
    if (parent.path === current.path) break;
    current = parent;
  }
  return uris;
}

function runnerText(json: string): string | undefined {
  const parsed = packageSchema.safeParse(parseJson(json));
  if (!parsed.success) return undefined;
  const { scripts = {}, devDependencies = {}, dependencies = {}, type } = parsed.data;
  const testScripts = Object.entries(scripts).filter(([name]) => /^test\b/.test(name));
  const packages = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) =>
    TEST_PACKAGE.test(name),
  );
  if (testScripts.length === 0 && packages.length === 0) return undefined;
  return [
    ...testScripts.map(([name, script]) => `script ${name}: ${script.slice(0, MAX_SCRIPT_LENGTH)}`),
    ...packages.map(([name, version]) => `package ${name}: ${version}`),
    ...(type === undefined ? [] : [`module type: ${type}`]),
  ].join("\n");
}
