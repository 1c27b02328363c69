/**
 * The model of conversations without their own choice, with a configuration that returns written
 * values late.
 */
import assert from "node:assert/strict";
import type { ModelSelection } from "../../../src/protocol/views";
import { ChosenModel } from "../../../src/host/settings/chosenModel";

/** A setting that returns a written value only on demand. */
class LaggingSetting {
  shown: ModelSelection = "auto";
  written: ModelSelection = "auto";
  isRefused = false;

  read(): ModelSelection {
    return this.shown;
  }

  write(model: ModelSelection): Promise<void> {
    if (this.isRefused) return Promise.reject(new Error("settings.json is not saved"));
    this.written = model;
    return Promise.resolve();
  }

  catchUp(): void {
    this.shown = this.written;
  }
}

describe("ChosenModel", () => {
  it("applies immediately, even while the setting has the previous model", async () => {
    const setting = new LaggingSetting();
    const model = new ChosenModel(setting);
    const choosing = model.choose("vl");
    assert.equal(model.get(), "vl");
    await choosing;
    assert.equal(setting.shown, "auto");
    assert.equal(model.get(), "vl");
    setting.catchUp();
    assert.equal(model.get(), "vl");
  });

  it("follows the setting again when the user changes it there", async () => {
    const setting = new LaggingSetting();
    const model = new ChosenModel(setting);
    await model.choose("vl");
    setting.catchUp();
    assert.equal(model.get(), "vl");
    setting.shown = "auto";
    assert.equal(model.get(), "auto");
  });

  it("applies in this window if it cannot be written, and reports it", async () => {
    const setting = new LaggingSetting();
    setting.isRefused = true;
    const model = new ChosenModel(setting);
    await assert.rejects(model.choose("vl"));
    assert.equal(model.get(), "vl");
    setting.shown = "llm";
    assert.equal(model.get(), "llm");
  });
});
