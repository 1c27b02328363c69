/**
 * The profile of a conversation: the active profile at its first question, until the user selects
 * another.
 */
import assert from "node:assert/strict";
import { suiteService } from "../../support/chat/chatSuite";
import { PanelRig } from "../../support/chat/panelRig";

describe("the profile of a conversation", () => {
  const service = suiteService();

  /** Creates a panel with this active profile. */
  function rigWith(inUse: string, before?: PanelRig): PanelRig {
    const rig = new PanelRig(service.url, before);
    rig.settings = { profile: inUse };
    return rig;
  }
  const profilesOf = ({ choicesAsked }: PanelRig) => choicesAsked.map(({ profile }) => profile);

  it("is the active one when its first question is asked, and stays", async () => {
    const rig = rigWith("Work");
    const page = await rig.openPage();
    await page.askToEnd("/echo one");
    rig.settings = { profile: "Home" };
    await page.askToEnd("/echo two");
    assert.deepEqual(profilesOf(rig), [undefined, "Work"]);
  });

  it("is restored by the next window, also that of the base URL's service", async () => {
    for (const inUse of ["Work", ""]) {
      const rig = rigWith(inUse);
      const page = await rig.openPage();
      await page.askToEnd("/echo one");
      await rig.conversations.close();
      const next = rigWith("Home", rig);
      await (await next.openPage()).askToEnd("/echo two");
      assert.deepEqual(profilesOf(next), [inUse]);
    }
  });

  it("changes from the next question on when the user selects another one", async () => {
    const rig = rigWith("Work");
    const page = await rig.openPage();
    await page.askToEnd("/echo one");
    // Both messages are sent without waiting, as a page does.
    await Promise.all([
      page.post({ type: "model-chosen", model: "vl", profile: "Home" }),
      page.ask("/echo two"),
    ]);
    await page.untilEnded();
    assert.deepEqual(rig.choicesAsked.at(-1), { model: "vl", profile: "Home" });
    assert.deepEqual(rig.actions, ["model vl of Home"]);
  });

  it("can be selected before the first question, and applies to it", async () => {
    const rig = rigWith("Work");
    const page = await rig.openPage();
    await page.post({ type: "model-chosen", model: "auto", profile: "Home" });
    await page.askToEnd("/echo one");
    await rig.conversations.close();
    const next = rigWith("Work", rig);
    await (await next.openPage()).askToEnd("/echo two");
    assert.deepEqual([...profilesOf(rig), ...profilesOf(next)], ["Home", "Home"]);
  });

  it("does not change when only the model is selected", async () => {
    const rig = rigWith("Work");
    const page = await rig.openPage();
    await page.askToEnd("/echo one");
    await page.post({ type: "model-chosen", model: "vl" });
    await page.askToEnd("/echo two");
    assert.deepEqual(rig.choicesAsked.at(-1), { model: "vl", profile: "Work" });
  });

  it("that no longer exists rejects the question, keeps its text and sends nothing", async () => {
    const rig = rigWith("Work");
    const page = await rig.openPage();
    await page.askToEnd("/echo one");
    rig.prepare = (_path, { profile = "" } = {}) =>
      Promise.resolve({ kind: "no-profile", profile });
    const answer = await page.ask("/echo two");
    assert.equal(answer?.isAccepted, false);
    assert.equal(answer.notice?.text, "no-profile");
    assert.equal(service.requests.length, 1);
    await page.act("switch-profile");
    assert.equal(rig.actions.at(-1), "switch-profile");
  });
});
