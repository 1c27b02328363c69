/**
 * Tests several services in the model picker: their models, the label of the closed list, and a
 * removed service.
 */
import assert from "node:assert/strict";
import type { PanelView } from "../../src/protocol/views";
import { readyPanel } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const work = [
  { id: "auto" as const, label: "Auto" },
  { id: "llm" as const, label: "work_text" },
  { id: "vl" as const, label: "work_vision" },
];
const profiles = [
  { name: "", label: "Default", models: readyPanel.models },
  { name: "Work", label: "Work", models: work },
];
const atWork: Partial<PanelView> = { profiles, profile: "Work", models: work };

const shownLine = (select: HTMLSelectElement) => select.selectedOptions[0]?.textContent;

describe("the model picker with several services", () => {
  const open = usePanel();

  it("lists the models of every service and shows the selected one in one line", async () => {
    const { page } = await open({ shown: { panel: atWork } });
    const picker = page.getByRole("combobox", { name: "Model" });
    const groups = picker.locator("optgroup");
    assert.deepEqual(
      await groups.evaluateAll((all) => all.map((one) => (one as HTMLOptGroupElement).label)),
      ["Default", "Work"],
    );
    assert.deepEqual(await groups.nth(1).locator("option").allTextContents(), [
      "Auto · Work",
      "work_text",
      "work_vision",
    ]);
    assert.equal(await picker.evaluate(shownLine), "Auto · Work");
  });

  it("reports the selected model and its service to the host", async () => {
    const host = await open({ shown: { panel: atWork } });
    const picker = host.page.getByRole("combobox", { name: "Model" });
    await picker.selectOption({ label: "core_vl" });
    assert.deepEqual(await host.waitFor("model-chosen"), {
      type: "model-chosen",
      model: "vl",
      profile: "",
    });
    await host.send({
      type: "panel-changed",
      panel: { ...readyPanel, profiles, profile: "", model: "vl" },
    });
    await picker.locator("option", { hasText: "core_vl · Default" }).waitFor({ state: "attached" });
    assert.equal(await picker.evaluate(shownLine), "core_vl · Default");
  });

  it("names a removed service and offers to switch", async () => {
    const notice = {
      tone: "warning" as const,
      text: "The profile is no longer in the settings. Switch to another one.",
      action: { id: "switch-profile" as const, label: "Switch Service" },
    };
    const host = await open({
      shown: {
        panel: { profiles: profiles.slice(0, 1), profile: "Gone", notices: [notice] },
        draft: "a question",
      },
    });
    const { page } = host;
    const picker = page.getByRole("combobox", { name: "Model" });
    assert.equal(await picker.evaluate(shownLine), "Gone");
    // The question is rejected with a message that is already visible, so the message appears once.
    host.answer = { isAccepted: false, notice };
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await host.waitFor("question-asked");
    await page.getByRole("button", { name: "Switch Service" }).click();
    assert.equal((await host.waitFor("action-asked")).action, "switch-profile");
    assert.equal(await page.locator(".notice").count(), 1);
    await picker.selectOption({ label: "Auto" });
    assert.deepEqual(await host.waitFor("model-chosen"), {
      type: "model-chosen",
      model: "auto",
      profile: "",
    });
  });
});
