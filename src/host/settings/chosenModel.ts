/**
 * The model of every conversation that has no choice of its own: the `model` setting, and what was
 * picked last from the moment it is picked, also while the setting does not show it yet.
 */
import type { ModelSelection } from "../../protocol/views";

/** Where the setting is read and written; what was written may show only some time later. */
export interface ModelSetting {
  read(): ModelSelection;
  /** Resolves when it is written; rejects when it cannot be. */
  write(model: ModelSelection): Promise<void>;
}

/** A pick that the setting may not show yet. */
interface Pick {
  readonly model: ModelSelection;
  /** What the setting may still show although it is no longer so. */
  readonly stale: ReadonlySet<ModelSelection>;
  isSettled: boolean;
}

/** One for each window. */
export class ChosenModel {
  private pick: Pick | undefined;

  constructor(private readonly setting: ModelSetting) {}

  /** The model that holds now. */
  get(): ModelSelection {
    const shown = this.setting.read();
    const { pick } = this;
    if (pick === undefined) return shown;
    if (!pick.isSettled || (shown !== pick.model && pick.stale.has(shown))) return pick.model;
    this.pick = undefined;
    return shown;
  }

  /**
   * Lets `model` hold from now on and writes it into the setting. Rejects when that cannot be
   * written; the model then holds in this window until the setting becomes another.
   */
  async choose(model: ModelSelection): Promise<void> {
    const stale = new Set([this.setting.read()]);
    if (this.pick) for (const before of [this.pick.model, ...this.pick.stale]) stale.add(before);
    const pick: Pick = { model, stale, isSettled: false };
    this.pick = pick;
    try {
      await this.setting.write(model);
    } finally {
      pick.isSettled = true;
    }
  }
}
