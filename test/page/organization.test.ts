/** What the panel shows in place of controls that the organization sets, in both languages. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addedIf } from "../support/depth";
import { keyStep, modelOptions, policyNotices, serviceStep } from "../../src/host/panel/setupSteps";
import { usePolicyFiles } from "../../src/host/policy/policy";
import { withLanguage } from "../support/fakes/fakeVscode";
import { violationsAround } from "../support/browser/axe";
import { usePanel } from "./support/panelSuite";

const ADDRESS = "https://maas.corp.example";

const TEXTS = {
  en: {
    set: "Set by your organization",
    pictures: "Pictures are not sent: Set by your organization",
    connect: "Connect",
    url: "Address",
    broken: /policy\.json/,
  },
  "zh-cn": {
    set: "由你的组织设置",
    pictures: "不发送图片：由你的组织设置",
    connect: "连接",
    url: "地址",
    broken: /policy\.json/,
  },
} as const;

describe("under the policy of an organization", () => {
  const open = usePanel();
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "core-chat-policy-"));
    usePolicyFiles({ paths: [join(folder, "policy.json")], ownerId: undefined });
  });
  after(() => {
    usePolicyFiles();
    rmSync(folder, { recursive: true });
  });

  /** Returns what the host shows of a service under this policy. */
  function panelUnder(policy: string, language: "en" | "zh-cn", baseUrl: string, hasKey: boolean) {
    writeFileSync(join(folder, "policy.json"), policy);
    const origin = baseUrl === "" ? undefined : baseUrl;
    const modelCodes = { llm: "corp-text", vl: "corp-vision" };
    const service = { profileName: undefined, baseUrl, path: "/p", modelCodes, headers: {} };
    return withLanguage(language, () => ({
      setup: [serviceStep(baseUrl, origin), keyStep(hasKey)],
      models: modelOptions(service),
      notices: policyNotices(),
    }));
  }

  for (const language of ["en", "zh-cn"] as const) {
    const texts = TEXTS[language];

    it(`has the sentence and no button for address and key, in ${language}${addedIf(language !== "en")}`, async () => {
      const policy = { settings: { baseUrl: "", apiKeyCommand: ["/bin/token"] }, pictures: false };
      const panel = panelUnder(JSON.stringify(policy), language, "", true);
      const { page } = await open({ language, widthPx: 250, shown: { panel } });
      await page.locator(".setup-detail").nth(1).waitFor();
      const details = await page.locator(".setup-detail").allInnerTexts();
      assert.deepEqual(details, [texts.set, texts.set]);
      assert.equal(await page.getByRole("button", { name: texts.connect }).count(), 0);
      assert.equal(await page.getByRole("textbox", { name: texts.url }).count(), 0);
      await page.getByText(texts.pictures).waitFor();
      assert.equal(await page.getByText("corp-vision").count(), 0);
      assert.deepEqual(await violationsAround(page.locator("body")), []);
    });

    it(`names the address, and asks for the user's own key, in ${language}${addedIf(language !== "en")}`, async () => {
      const policy = { settings: { baseUrl: ADDRESS, apiKeyCommand: [] } };
      const panel = panelUnder(JSON.stringify(policy), language, ADDRESS, false);
      const { page } = await open({ language, shown: { panel } });
      await page.locator(".setup-detail").nth(1).waitFor();
      const [service, key] = await page.locator(".setup-detail").allInnerTexts();
      assert.ok(service?.startsWith(ADDRESS) && service.endsWith(texts.set), service);
      assert.ok(!key?.includes(texts.set), key);
      await page.getByRole("button", { name: texts.connect }).waitFor();
      assert.equal(await page.getByRole("textbox", { name: texts.url }).count(), 0);
    });

    it(`says in a sentence that a broken policy sends nothing, in ${language}${addedIf(language !== "en")}`, async () => {
      const panel = panelUnder("{", language, "", false);
      const { page } = await open({ language, shown: { panel } });
      await page.getByText(texts.broken).waitFor();
      assert.deepEqual(await page.locator(".setup-detail").first().innerText(), texts.set);
    });
  }
});
