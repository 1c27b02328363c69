/**
 * Reads the configuration of Continue: services, prompts and rules. Keys, headers and everything else stay
 * where they are. Formats: `packages/config-yaml/src/schemas` and `core/config/load.ts` of
 * continuedev/continue; `docs/reference.mdx` there describes them. The file is read by the libraries that
 * Continue reads it with, or their like.
 */
import { parse as parseJson, type ParseError } from "jsonc-parser";
import * as z from "zod/mini";
import { readFrontMatter } from "../../context/instructionFile";
import { secretIn } from "../../secrets/secretText";
import { MAX_SYSTEM_PROMPT_LENGTH } from "../../protocol/parameters";
import { readBaseUrl } from "../../service/baseUrl";
import { MAX_PROMPT_LENGTH } from "./prompts";
import { readYaml } from "../node/readYaml";

/** Service of one model, as Continue lists them. */
export interface ContinueService {
  readonly name: string;
  /** Address of the endpoint. */
  readonly baseUrl: string;
  readonly model: string;
}

/** Reason why an entry is left out. */
export type NotTaken =
  | "protocol"
  | "not-for-chat"
  | "no-model"
  | "address"
  | "not-https"
  | "reference"
  | "some-files"
  | "secret"
  | "too-long"
  | "hub"
  | "unreadable";

export interface ContinueConfig {
  readonly services: readonly ContinueService[];
  readonly prompts: readonly { readonly name: string; readonly text: string }[];
  /** Rules that apply to every question. */
  readonly rules: readonly string[];
  readonly leftOut: readonly EntryNotTaken[];
}

/** Entry that is left out. */
export interface EntryNotTaken {
  readonly name: string;
  readonly reason: NotTaken;
}

/** The user's own values of the settings; unchecked, undefined for one that is not set. */
export interface OwnSettings {
  readonly profiles: unknown;
  readonly prompts: unknown;
  readonly systemPrompt: unknown;
}

/** File with a prompt or rule of its own. */
export interface ContinueFile {
  /** Folder and name, such as `prompts/review.md`. */
  readonly path: string;
  readonly text: string;
}

/**
 * Addresses of the providers that answer at `chat/completions`: the classes of `core/llm/llms` in
 * continuedev/continue that extend `OpenAI`, with their default `apiBase`; empty where there is none.
 */
const PROVIDERS: Readonly<Record<string, string>> = {
  cerebras: "https://api.cerebras.ai/v1/",
  clawrouter: "http://localhost:1337/v1/",
  cometapi: "https://api.cometapi.com/v1/",
  deepinfra: "https://api.deepinfra.com/v1/openai/",
  deepseek: "https://api.deepseek.com/",
  docker: "http://localhost:12434/engines/v1/",
  fireworks: "https://api.fireworks.ai/inference/v1/",
  "function-network": "https://api.function.network/v1/",
  groq: "https://api.groq.com/openai/v1/",
  inception: "https://api.inceptionlabs.ai/v1/",
  kindo: "https://llm.kindo.ai/v1/",
  lemonade: "http://localhost:8000/api/v1/",
  llamastack: "http://localhost:8321/v1/openai/v1/",
  lmstudio: "http://localhost:1234/v1/",
  mimo: "https://api.xiaomimimo.com/v1/",
  minimax: "https://api.minimax.io/v1/",
  mistral: "https://api.mistral.ai/v1/",
  moonshot: "https://api.moonshot.cn/v1/",
  ncompass: "https://api.ncompass.tech/v1/",
  nebius: "https://api.studio.nebius.ai/v1/",
  nous: "https://inference-api.nousresearch.com/v1/",
  novita: "https://api.novita.ai/v3/openai/",
  nvidia: "https://integrate.api.nvidia.com/v1/",
  openai: "https://api.openai.com/v1/",
  openrouter: "https://openrouter.ai/api/v1/",
  ovhcloud: "https://oai.endpoints.kepler.ai.cloud.ovh.net/v1/",
  relace: "https://instantapply.endpoint.relace.run/v1/",
  sambanova: "https://api.sambanova.ai/v1/",
  scaleway: "https://api.scaleway.ai/v1/",
  siliconflow: "https://api.siliconflow.cn/v1/",
  tars: "https://api.router.tetrate.ai/v1/",
  tensorix: "https://api.tensorix.ai/v1/",
  "text-gen-webui": "http://localhost:5000/v1/",
  together: "https://api.together.xyz/v1/",
  venice: "https://api.venice.ai/api/v1/",
  vllm: "",
  xAI: "https://api.x.ai/v1/",
  zAI: "https://api.z.ai/api/paas/v4/",
};

/**
 * Servers with a protocol of their own that Continue uses, which answer at `v1/chat/completions` as well:
 * https://docs.ollama.com/api/openai-compatibility and `tools/server/README.md` of ggml-org/llama.cpp.
 */
const BELOW_V1: Readonly<Record<string, string>> = {
  ollama: "http://localhost:11434/",
  msty: "http://localhost:10000/",
  "llama.cpp": "http://localhost:8080/",
  llamafile: "http://localhost:8080/",
};

/** Longest name of a service, so that a number fits as well, in UTF-16 units. */
const MAX_NAME = 90;

/** Longest name of a prompt, so that a number fits as well, in UTF-16 units. */
const MAX_PROMPT_NAME = 36;

/** Value that Continue fills in from its own store. */
const REFERENCE = /\$\{\{/;

const text = z.optional(z.nullable(z.string()));

/** `title` in config.json, `name` in config.yaml. */
const modelSchema = z.looseObject({
  name: text,
  title: text,
  provider: z.string(),
  model: text,
  apiBase: text,
  apiType: text,
  env: z.optional(z.nullable(z.looseObject({ apiType: z.optional(z.unknown()) }))),
  roles: z.optional(z.nullable(z.array(z.string()))),
  useLegacyCompletionsEndpoint: z.optional(z.nullable(z.boolean())),
});

const promptSchema = z.looseObject({ name: z.string(), prompt: z.string() });

const globs = z.optional(z.nullable(z.union([z.string(), z.array(z.string())])));
const ruleSchema = z.looseObject({
  name: text,
  rule: z.string(),
  globs,
  regex: globs,
  alwaysApply: z.optional(z.nullable(z.boolean())),
  invokable: z.optional(z.nullable(z.boolean())),
});
type Rule = z.infer<typeof ruleSchema>;

const list = z.catch(z.array(z.unknown()), []);
const configSchema = z.looseObject({
  models: list,
  prompts: list,
  customCommands: list,
  rules: list,
  systemMessage: z.catch(text, undefined),
});

/** Parses config.yaml, or config.json, which may have comments; undefined if that fails. */
export function parseConfig(source: string, isJson: boolean): unknown {
  const content = source.replace(/^\uFEFF/, "");
  try {
    if (!isJson) return readYaml(content);
    const errors: ParseError[] = [];
    const value: unknown = parseJson(content, errors, { allowTrailingComma: true });
    return errors.length === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a parsed configuration and the files of prompts and rules next to it; undefined for another format. */
export function readConfig(
  config: unknown,
  files: readonly ContinueFile[],
): ContinueConfig | undefined {
  const parsed = configSchema.safeParse(config);
  if (!parsed.success) return undefined;
  const { models, prompts, customCommands, rules, systemMessage } = parsed.data;
  const found: Found = { services: [], prompts: [], rules: [], leftOut: [], keys: keysIn(config) };
  for (const model of models) leaveOut(found, model, addModel(found, model));
  for (const prompt of [...prompts, ...customCommands]) {
    const read = promptSchema.safeParse(prompt);
    const { name = "", prompt: content = "" } = read.data ?? {};
    leaveOut(found, prompt, read.success ? addPrompt(found, name, content) : "unreadable");
  }
  for (const rule of [...rules, ...(systemMessage ? [systemMessage] : [])]) {
    const read = ruleSchema.safeParse(typeof rule === "string" ? { rule } : rule);
    leaveOut(found, rule, read.success ? addRule(found, read.data) : "unreadable");
  }
  for (const file of files) leaveOut(found, { name: file.path }, addFile(found, file));
  return found;
}

type Found = { [K in keyof ContinueConfig]: ContinueConfig[K][number][] } & {
  /** Values of keys and headers anywhere in the configuration. */
  readonly keys: readonly string[];
};

/** Names of values that are or may be secret, and their shortest length. */
const KEY_NAME = /key|token|secret|password|passphrase|^headers$|^env$|^with$/i;
const MIN_KEY_LENGTH = 8;

/** Returns all texts below such a name. */
function keysIn(value: unknown, isKey = false): string[] {
  if (typeof value === "string") return isKey && value.length >= MIN_KEY_LENGTH ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => keysIn(one, isKey || KEY_NAME.test(name)));
}

function hasSecret({ keys }: Found, taken: string): boolean {
  return secretIn(taken) !== undefined || keys.some((key) => taken.includes(key));
}

function addModel(found: Found, entry: unknown): NotTaken | undefined {
  const parsed = modelSchema.safeParse(entry);
  if (!parsed.success) return "unreadable";
  const { provider, model, apiBase, roles, apiType, env } = parsed.data;
  const name = parsed.data.name ?? parsed.data.title ?? model ?? provider;
  if (roles && !roles.includes("chat")) return "not-for-chat";
  const address = addressOf(provider, apiBase ?? "");
  const isAzure = [apiType, env?.apiType].some((type) => String(type).includes("azure"));
  if (address === undefined || isAzure || parsed.data.useLegacyCompletionsEndpoint)
    return "protocol";
  if (REFERENCE.test(`${name}${address}${model ?? ""}`)) return "reference";
  if (!model || /^autodetect$/i.test(model)) return "no-model";
  const url = readBaseUrl(address);
  if (!url.ok) return url.problem === "not-https" ? "not-https" : "address";
  if (hasSecret(found, `${name}\n${address}\n${model}`)) return "secret";
  found.services.push({ name, baseUrl: address, model });
  return undefined;
}

/** Returns the address that Continue, or the same server, answers chats at; undefined if not known. */
function addressOf(provider: string, apiBase: string): string | undefined {
  const isBelowV1 = Object.hasOwn(BELOW_V1, provider);
  const known = isBelowV1
    ? BELOW_V1[provider]
    : Object.hasOwn(PROVIDERS, provider) && PROVIDERS[provider];
  if (typeof known !== "string") return undefined;
  const base = (apiBase.trim() || known).replace(/\/$/, "");
  if (base === "") return "";
  const whole = isBelowV1 && !base.endsWith("/v1") ? `${base}/v1` : base;
  return `${whole}/chat/completions`;
}

function addPrompt(found: Found, name: string, prompt: string): NotTaken | undefined {
  // Continue replaces `input` by the text that the user types after the name.
  const text = prompt.replaceAll(/\{\{\{?\s*input\s*\}?\}\}/g, "${input:input}").trim();
  if (text === "") return "unreadable";
  if (hasSecret(found, `${name}\n${text}`)) return "secret";
  if (text.length > MAX_PROMPT_LENGTH) return "too-long";
  const typed = name.replaceAll(/[^\p{L}\p{N}_-]+/gu, "-").slice(0, MAX_PROMPT_NAME);
  found.prompts.push({ name: typed, text });
  return undefined;
}

function addRule(found: Found, entry: Rule): NotTaken | undefined {
  const { name, globs: paths, regex, alwaysApply } = entry;
  const rule = entry.rule.trim();
  if (entry.invokable === true) return addPrompt(found, name ?? firstLine(rule), rule);
  // `shouldApplyRule` in core/llm/rules/getSystemMessageWithRules.ts.
  const applies = alwaysApply ?? ((paths ?? []).length === 0 && (regex ?? []).length === 0);
  if (!applies) return "some-files";
  if (rule === "") return "unreadable";
  if (hasSecret(found, rule)) return "secret";
  found.rules.push(rule);
  return undefined;
}

/** Adds a file of `prompts` or `rules`. A `.prompt` file may have its front matter without a first line. */
function addFile(found: Found, { path, text: written }: ContinueFile): NotTaken | undefined {
  const hasOpenHead =
    path.endsWith(".prompt") && !written.startsWith("---") && /^---\r?$/m.test(written);
  const { values, body } = readFrontMatter(hasOpenHead ? `---\n${written}` : written);
  const file = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  const name = values.get("name") ?? file;
  if (path.startsWith("prompts/")) return addPrompt(found, name, body);
  const always = values.get("alwaysApply");
  return addRule(found, {
    name,
    rule: body,
    globs: values.get("globs"),
    regex: values.get("regex"),
    alwaysApply: always === undefined ? undefined : always === "true",
    invokable: values.get("invokable") === "true",
  });
}

const namedSchema = z.looseObject({ name: text, title: text, uses: text, rule: text });

function leaveOut(found: Found, entry: unknown, reason: NotTaken | undefined): void {
  if (reason === undefined) return;
  const named = namedSchema.safeParse(typeof entry === "string" ? { rule: entry } : entry).data;
  const name = named?.name ?? named?.title ?? named?.uses ?? firstLine(named?.rule ?? "");
  const isShown = name !== "" && !REFERENCE.test(name) && !hasSecret(found, name);
  // An entry with `uses` is on Continue's hub.
  const why = typeof named?.uses === "string" ? "hub" : reason;
  found.leftOut.push({ name: isShown ? name.slice(0, MAX_NAME) : "?", reason: why });
}

function firstLine(rule: string): string {
  return rule.trim().split("\n", 1)[0] ?? "";
}

/** Settings with what was chosen added, and what did not fit. Nothing that is there changes. */
export interface Proposal {
  /** Only the settings that change. */
  readonly values: Partial<OwnSettings>;
  readonly leftOut: readonly EntryNotTaken[];
}

/**
 * Adds what was chosen to the user's settings. What is there with the same content is not added again; another
 * one of the same name keeps its name.
 * @param defaultPrompt system prompt of a user who has set none
 */
export function proposalOf(
  { services, prompts, rules }: Omit<ContinueConfig, "leftOut">,
  own: OwnSettings,
  defaultPrompt: string,
): Proposal {
  const profiles: unknown[] = Array.isArray(own.profiles) ? [...(own.profiles as unknown[])] : [];
  for (const { name, baseUrl, model } of services) {
    const read = profiles.map((profile) => profileSchema.safeParse(profile).data);
    if (read.some((one) => one?.baseUrl === baseUrl && one.models?.llm === model)) continue;
    const free = freeName(name.slice(0, MAX_NAME), " ", (one) =>
      read.some((it) => it?.name === one),
    );
    // The service has this one model, so pictures go to it as well.
    profiles.push({ name: free, baseUrl, models: { llm: model, vl: model } });
  }
  const before = recordSchema.safeParse(own.prompts).data ?? {};
  const named = new Map(Object.entries(before));
  for (const { name, text: content } of prompts) {
    const isSame = (one: string) => named.get(one) === content;
    const free = freeName(name, "-", (one) => named.has(one) && !isSame(one));
    named.set(free, content);
  }
  const current = typeof own.systemPrompt === "string" ? own.systemPrompt : defaultPrompt;
  const leftOut: EntryNotTaken[] = [];
  let system = current;
  for (const rule of rules) {
    if (system.includes(rule)) continue;
    const joined = system.trim() === "" ? rule : `${system}\n\n${rule}`;
    if (joined.length <= MAX_SYSTEM_PROMPT_LENGTH) system = joined;
    else leftOut.push({ name: firstLine(rule).slice(0, MAX_NAME), reason: "too-long" });
  }
  const hasMore = named.size > Object.keys(before).length;
  return {
    values: {
      ...(profiles.length > (Array.isArray(own.profiles) ? own.profiles.length : 0) && {
        profiles,
      }),
      ...(hasMore && { prompts: Object.fromEntries(named) }),
      ...(system !== current && { systemPrompt: system }),
    },
    leftOut,
  };
}

const profileSchema = z.looseObject({
  name: z.string(),
  baseUrl: z.string(),
  models: z.optional(z.looseObject({ llm: z.optional(z.string()) })),
});
const recordSchema = z.record(z.string(), z.unknown());

function freeName(name: string, separator: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let count = 2; isTaken(free); count++) free = `${name}${separator}${count}`;
  return free;
}
