/**
 * Model of conversations without a choice of their own: the `model` setting, or the last pick until
 * the setting shows it.
 */
import type { ModelSelection } from "../../protocol/views";

/** Access to the setting; a written value may show later. */
export interface ModelSetting {
  read(): ModelSelection;
  write(model: ModelSelection): Promise<void>;
}

interface ModelPick {
  readonly model: ModelSelection;
  /** Outdated values that the setting may still show. */
  readonly stale: ReadonlySet<ModelSelection>;
  isSettled: boolean;
}

export class ChosenModel {
  private pick: ModelPick | undefined;

  constructor(private readonly setting: ModelSetting) {}

  get(): ModelSelection {
    const shown = this.setting.read();
    const { pick } = this;
    if (pick === undefined) return shown;
    if (!pick.isSettled || (shown !== pick.model && pick.stale.has(shown))) return pick.model;
    this.pick = undefined;
    return shown;
  }

  /**
   * Applies `model` at once and writes the setting. Rejects on failure; the model then stays in
   * this window until the setting changes.
   */
  async choose(model: ModelSelection): Promise<void> {
    const stale = new Set([this.setting.read()]);
    if (this.pick) for (const before of [this.pick.model, ...this.pick.stale]) stale.add(before);
    const pick: ModelPick = { model, stale, isSettled: false };
    this.pick = pick;
    try {
      await this.setting.write(model);
    } finally {
      pick.isSettled = true;
    }
  }
}
