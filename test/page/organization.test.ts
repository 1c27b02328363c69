/** What the panel shows in place of controls that the organization sets. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyStep, modelOptions, policyNotices, serviceStep } from "../../src/host/panel/setupSteps";
import { usePolicyFiles } from "../../src/host/policy/policy";
import { violationsAround } from "../support/browser/axe";
import { usePanel } from "./support/panelSuite";

const ADDRESS = "https://maas.corp.example";
const SET = "Set by your organization";

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

  /** Opens the panel with what the host shows of a service under this policy. */
  async function openUnder(policy: string, baseUrl: string, hasKey: boolean) {
    writeFileSync(join(folder, "policy.json"), policy);
    const origin = baseUrl === "" ? undefined : baseUrl;
    const modelCodes = { llm: "corp-text", vl: "corp-vision" };
    const service = { profileName: undefined, baseUrl, path: "/p", modelCodes, headers: {} };
    const panel = {
      setup: [serviceStep(baseUrl, origin), keyStep(hasKey)],
      models: modelOptions(service),
      notices: policyNotices(),
    };
    const { page } = await open({ widthPx: 250, shown: { panel } });
    await page.locator(".setup-detail").nth(1).waitFor();
    const details = await page.locator(".setup-detail").allInnerTexts();
    return { page, details };
  }

  it("has the sentence and no button for address and key", async () => {
    const policy = { settings: { baseUrl: "", apiKeyCommand: ["/bin/token"] }, pictures: false };
    const { page, details } = await openUnder(JSON.stringify(policy), "", true);
    assert.deepEqual(details, [SET, SET]);
    assert.equal(await page.getByRole("button", { name: "Connect" }).count(), 0);
    assert.equal(await page.getByRole("textbox", { name: "Address" }).count(), 0);
    await page.getByText(`Pictures are not sent: ${SET}`).waitFor();
    assert.equal(await page.getByText("corp-vision").count(), 0);
    assert.deepEqual(await violationsAround(page.locator("body")), []);
  });

  it("names the address, and asks for the user's own key", async () => {
    const policy = { settings: { baseUrl: ADDRESS, apiKeyCommand: [] } };
    const { page, details } = await openUnder(JSON.stringify(policy), ADDRESS, false);
    const [service, key] = details;
    assert.ok(service?.startsWith(ADDRESS) && service.endsWith(SET), service);
    assert.ok(!key?.includes(SET), key);
    await page.getByRole("button", { name: "Connect" }).waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Address" }).count(), 0);
  });

  it("says in a sentence that a broken policy sends nothing", async () => {
    const { page, details } = await openUnder("{", "", false);
    await page.getByText(/policy\.json/).waitFor();
    assert.equal(details[0], SET);
  });
});
