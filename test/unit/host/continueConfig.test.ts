/**
 * Configurations of Continue. The values have the fields that Continue reads; each names where these are
 * described in continuedev/continue. The texts are our own.
 */
import assert from "node:assert/strict";
import {
  parseConfig,
  proposalOf,
  readConfig,
  type ContinueConfig,
  type ContinueFile,
} from "../../../src/host/settings/continueConfig";
import { fixableSettings } from "../../../src/host/policy/fixableSettings";
import { promptsWith } from "../../../src/host/settings/prompts";

/** `docs/reference.mdx`, `packages/config-yaml/src/schemas/{index,models}.ts`. */
const YAML = `%YAML 1.1
---
name: At work
version: 1.0.0
schema: v1
shared: &office # an anchor, as the reference shows them
  provider: openai
  apiBase: https://llm.office.example/v1/
  apiKey: of-0123456789abcdef
  requestOptions:
    headers: { X-Department: research-4711 }
models:
  - <<: *office
    name: Large
    model: office-large
    roles: [chat, edit]
  - name: Small
    provider: ollama
    model: qwen3:4b
  - name: Router
    provider: openrouter
    model: vendor/model
    apiKey: \${{ secrets.ROUTER_KEY }}
  - { name: Tab, provider: mistral, model: codestral-latest, roles: [autocomplete] }
  - { name: Claude, provider: anthropic, model: claude-x }
  - { name: Any, provider: lmstudio, model: AUTODETECT }
  - { name: Lan, provider: vllm, model: m, apiBase: "http://192.168.1.4:8000/v1" }
  - { name: Azure, provider: openai, model: m, apiBase: "https://a.example", env: { apiType: azure } }
  - { name: Hidden, provider: openai, model: m, apiBase: "https://me:pw@llm.example/v1" }
  - { name: Filled, provider: openai, model: m, apiBase: "https://\${{ inputs.HOST }}/v1" }
  - { name: Bare, provider: vllm, model: m }
  - uses: somebody/model
rules:
  - Answer briefly.
  - name: Tests
    rule: Use mocha.
    globs: "**/*.test.ts"
  - { name: Always, rule: Use metric units., globs: "**/*", alwaysApply: true }
  - { name: Explain code, rule: Explain what this does., invokable: true }
  - uses: somebody/rule
prompts:
  - name: Find errors
    description: Finds errors
    prompt: |
      Find errors in this code.
      {{{ input }}}
  - { name: leak, prompt: "curl -H 'X-Department: research-4711'" }
`;

/** `core/config/load.ts` (comment-json) and `extensions/vscode/config_schema.json`. */
const JSON_TEXT = `{
  // Continue allows comments
  "models": [
    { "title": "Mine", "provider": "openai", "model": "m-1", "apiBase": "http://localhost:8080/v1", "apiKey": "EMPTY" },
    { "title": "Older", "provider": "openai", "model": "m-2", "apiBase": "https://x.example/v1", "useLegacyCompletionsEndpoint": true },
  ],
  "tabAutocompleteModel": { "title": "T", "provider": "ollama", "model": "t" },
  "systemMessage": "You like short answers.",
  "customCommands": [{ "name": "check", "prompt": "{{{ input }}}\\n\\nCheck this.", "description": "" }],
}`;

/** `.continue/prompts/*.prompt`, `core/promptFiles/parsePromptFile.ts`, `packages/config-yaml/src/markdown`. */
const FILES: readonly ContinueFile[] = [
  { path: "prompts/old.prompt", text: "name: From a file\ndescription: d\n---\nWrite tests." },
  { path: "prompts/review.md", text: "---\nname: Review\ninvokable: true\n---\nReview this." },
  { path: "rules/tone.md", text: "Be kind." },
  { path: "rules/css.md", text: '---\nglobs: ["**/*.css"]\n---\nUse rem.' },
];

function read(source: string, isJson = false, files: readonly ContinueFile[] = []): ContinueConfig {
  const config = readConfig(parseConfig(source, isJson), files);
  assert.ok(config);
  return config;
}

const NOTHING = { profiles: undefined, prompts: undefined, systemPrompt: undefined };

describe("a configuration of Continue", () => {
  it("gives addresses, models, prompts and rules of config.yaml", () => {
    const { services, prompts, rules } = read(YAML);
    assert.deepEqual(services, [
      {
        name: "Large",
        baseUrl: "https://llm.office.example/v1/chat/completions",
        model: "office-large",
      },
      { name: "Small", baseUrl: "http://localhost:11434/v1/chat/completions", model: "qwen3:4b" },
      {
        name: "Router",
        baseUrl: "https://openrouter.ai/api/v1/chat/completions",
        model: "vendor/model",
      },
    ]);
    assert.deepEqual(prompts, [
      { name: "Find-errors", text: "Find errors in this code.\n${input:input}" },
      { name: "Explain-code", text: "Explain what this does." },
    ]);
    assert.deepEqual(rules, ["Answer briefly.", "Use metric units."]);
  });

  it("names what it leaves out, with the reason", () => {
    const leftOut = read(YAML).leftOut.map(({ name, reason }) => `${name}: ${reason}`);
    assert.deepEqual(leftOut, [
      "Tab: not-for-chat",
      "Claude: protocol",
      "Any: no-model",
      "Lan: not-https",
      "Azure: protocol",
      "Hidden: address",
      "Filled: reference",
      "Bare: address",
      "somebody/model: hub",
      "leak: secret",
      "Tests: some-files",
      "somebody/rule: hub",
    ]);
  });

  it("gives what config.json has, which may have comments", () => {
    const { services, prompts, rules, leftOut } = read(JSON_TEXT, true);
    assert.deepEqual(services, [
      { name: "Mine", baseUrl: "http://localhost:8080/v1/chat/completions", model: "m-1" },
    ]);
    assert.deepEqual(prompts, [{ name: "check", text: "${input:input}\n\nCheck this." }]);
    assert.deepEqual(rules, ["You like short answers."]);
    assert.deepEqual(leftOut, [{ name: "Older", reason: "protocol" }]);
  });

  it("gives the files of prompts and rules next to it", () => {
    const { prompts, rules, leftOut } = read("name: x", false, FILES);
    assert.deepEqual(prompts, [
      { name: "From-a-file", text: "Write tests." },
      { name: "Review", text: "Review this." },
    ]);
    assert.deepEqual(rules, ["Be kind."]);
    assert.deepEqual(leftOut, [{ name: "rules/css.md", reason: "some-files" }]);
  });

  it("gives no key, header or reference to one, in any place", () => {
    const key = "0123-very-own-key";
    const everywhere = `
models:
  - { name: "${key}", provider: openai, model: a, apiKey: ${key} }
  - { name: b, provider: openai, model: "${key}" }
  - { name: c, provider: openai, model: c, apiBase: "https://h.example/${key}/v1" }
  - { name: d, provider: openai, model: d, apiBase: "https://h.example/v1?key=${key}" }
  - { name: "\${{ secrets.K }}", provider: openai, model: "\${{ secrets.K }}" }
  - name: fine
    provider: openai
    model: e
    requestOptions: { headers: { Authorization: Bearer ${key} }, extraBodyProperties: { k: ${key} } }
prompts:
  - { name: p, prompt: "Use ${key}" }
  - { name: "${key}", prompt: "Use it" }
rules:
  - "The key is ${key}"
  - { name: r, rule: "token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'" }
`;
    const config = read(everywhere, false, [{ path: `prompts/x.md`, text: `See ${key}` }]);
    const { values } = proposalOf(config, NOTHING, "Default.");
    assert.deepEqual(
      config.services.map(({ name }) => name),
      ["fine"],
    );
    for (const secret of [key, "ghp_", "secrets.K"])
      assert.ok(!JSON.stringify([config.leftOut, values]).includes(secret), secret);
  });

  it("is refused as a whole if it is no YAML, no JSON or another format", () => {
    for (const source of ["a: [", "a: 1\na: 2", "- a\n- b", "just text", ""])
      assert.equal(readConfig(parseConfig(source, false), []), undefined, source);
    for (const source of ["{", "[]", "null"])
      assert.equal(readConfig(parseConfig(source, true), []), undefined, source);
    const laughs = ["a: &a [x, x, x, x, x, x, x, x, x]"];
    for (const [one, before] of ["ba", "cb", "dc", "ed", "fe", "gf", "hg"])
      laughs.push(`${one}: &${one} [${Array(9).fill(`*${before}`).join(", ")}]`);
    assert.equal(parseConfig(laughs.join("\n"), false), undefined);
  });

  it("never throws at a damaged file", () => {
    for (let cut = 0; cut < YAML.length; cut += 41)
      for (const damaged of [YAML.slice(0, cut), YAML.slice(0, cut) + YAML.slice(cut + 5)])
        readConfig(parseConfig(damaged, false), []);
    for (let cut = 0; cut < JSON_TEXT.length; cut += 23)
      readConfig(parseConfig(JSON_TEXT.slice(0, cut) + JSON_TEXT.slice(cut + 3), true), []);
  });
});

describe("the proposed settings", () => {
  const config = () => read(YAML, false, FILES);

  it("are valid, and add to what is there", () => {
    const own = {
      profiles: [{ name: "Large", baseUrl: "https://other.example" }, "broken"],
      prompts: { "Find-errors": "Mine.", old: 1 },
      systemPrompt: "Be exact.",
    };
    const { values } = proposalOf(config(), own, "Default.");
    const profiles = values.profiles as { name: string }[];
    assert.deepEqual(profiles.slice(0, 2), own.profiles);
    assert.deepEqual(
      profiles.slice(2).map(({ name }) => name),
      ["Large 2", "Small", "Router"],
    );
    assert.ok(fixableSettings.profiles.safeParse(profiles.slice(2)).success);
    const prompts = values.prompts as Record<string, string>;
    assert.equal(prompts["Find-errors"], "Mine.");
    assert.match(prompts["Find-errors-2"] ?? "", /^Find errors/);
    assert.deepEqual(promptsWith(prompts).badNames, ["old"], "as before");
    assert.equal(
      values.systemPrompt,
      "Be exact.\n\nAnswer briefly.\n\nUse metric units.\n\nBe kind.",
    );
  });

  it("keep the default system prompt before the rules", () => {
    const { values } = proposalOf(read("rules: [Be kind.]"), NOTHING, "Default.");
    assert.deepEqual(values, { systemPrompt: "Default.\n\nBe kind." });
  });

  it("are empty the second time", () => {
    const first = { ...NOTHING, ...proposalOf(config(), NOTHING, "Default.").values };
    assert.deepEqual(proposalOf(config(), first, "Default."), { values: {}, leftOut: [] });
  });

  it("name rules that do not fit into the system prompt", () => {
    const long = { services: [], prompts: [], rules: ["Short.", `Long ${"x".repeat(100_000)}`] };
    const { values, leftOut } = proposalOf(long, NOTHING, "");
    assert.deepEqual(values, { systemPrompt: "Short." });
    assert.deepEqual(
      leftOut.map(({ reason }) => reason),
      ["too-long"],
    );
  });
});
