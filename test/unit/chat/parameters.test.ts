/**
 * The parameters of a conversation: stored with it, sent with its questions, and always within the
 * ranges of the service.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import {
  allowedParameters,
  isParameterAllowed,
  PARAMETER_RANGES,
  parametersSchema,
} from "../../../src/protocol/parameters";
import { suiteService } from "../../support/chat/chatSuite";
import { PanelRig, openChat } from "../../support/chat/panelRig";

describe("the parameters of a conversation", () => {
  const service = suiteService();

  it("apply to the next question, and stay with the conversation after a reload", async () => {
    const { rig, page, conversationId } = await openChat(service.url);
    const parameters = { temperature: 0.3, systemPrompt: "Answer briefly." };
    await page.post({ type: "parameters-chosen", conversationId, parameters });
    assert.deepEqual(page.shown.parameters, parameters);
    assert.deepEqual(await rig.history.journal.list(), []); // No question was sent yet.
    await service.exchange(page, "first", "short");
    assert.deepEqual(rig.choicesAsked, [{ parameters }]);
    await rig.conversations.close();
    const after = await new PanelRig(service.url, rig).openPage();
    assert.deepEqual(after.shown.parameters, parameters);
  });

  it("are removed by a reset, without affecting others", async () => {
    const { page, conversationId } = await openChat(service.url);
    await page.post({ type: "parameters-chosen", conversationId, parameters: { topP: 0.5 } });
    const otherConversation = { conversationId: "another", parameters: { topP: 0.1 } };
    await page.post({ type: "parameters-chosen", ...otherConversation });
    assert.deepEqual(page.shown.parameters, { topP: 0.5 });
    await page.post({ type: "parameters-chosen", conversationId, parameters: {} });
    assert.deepEqual(page.shown.parameters, {});
  });

  it("are always within the ranges and steps, from any source", () => {
    for (const [name, value, isAllowed] of [
      ["temperature", 0.01, true],
      ["temperature", 0.29, true],
      ["temperature", 1, true],
      ["temperature", 0, false],
      ["temperature", 0.005, false],
      ["topP", 0.9, true],
      ["topP", 1, false],
      ["topP", 0.25, false],
      ["maxTokens", 8192, true],
      ["maxTokens", 8193, false],
      ["maxTokens", 1.5, false],
      ["repetitionPenalty", 1.1, true],
      ["repetitionPenalty", 1, false],
      ["repetitionPenalty", Number.NaN, false],
    ] as const) {
      assert.equal(isParameterAllowed(name, value), isAllowed, `${name} ${value}`);
      assert.equal(parametersSchema.safeParse({ [name]: value }).success, isAllowed);
      const allowed = allowedParameters({ [name]: value, systemPrompt: "kept" });
      assert.deepEqual(Object.keys(allowed).length, isAllowed ? 2 : 1);
    }
  });

  it("have the ranges of the settings", () => {
    const manifest = JSON.parse(readFileSync("package.json", "utf8")) as {
      contributes: { configuration: { properties: Record<string, object> }[] };
    };
    const settings = Object.fromEntries(
      manifest.contributes.configuration.flatMap((group) => Object.entries(group.properties)),
    );
    for (const [name, { min, max }] of Object.entries(PARAMETER_RANGES)) {
      for (const model of ["llm", "vl"]) {
        const setting = settings[`coreChat.${model}.${name}`];
        if (setting === undefined) continue;
        assert.deepEqual({ minimum: min, maximum: max }, pick(setting, "minimum", "maximum"));
      }
    }
  });
});

function pick(from: object, ...names: string[]): object {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
}
