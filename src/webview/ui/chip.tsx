/**
 * What a chip shows: what it is, how it is called, where it is, and whether that says something
 * else by now.
 */
import { t } from "@vscode/l10n";
import type { ChipView } from "../../protocol/views";
import { Icon } from "./iconButton";

const ICONS: Readonly<Record<ChipView["kind"], string>> = {
  file: "file-code",
  picture: "file-media",
  problems: "warning",
  changes: "git-compare",
  terminal: "terminal",
  folder: "folder",
  symbol: "symbol-method",
};

export function Chip({ chip }: { readonly chip: ChipView }) {
  return (
    <>
      <KindIcon kind={chip.kind} />
      <ChipLabel chip={chip} />
      {chip.isChanged === true && <span class="chip-changed">{t("changed since")}</span>}
      {chip.isLeftOut === true && <LeftOut />}
    </>
  );
}

/** It was attached and did not go. */
export function LeftOut() {
  return <span class="chip-changed">{t("left out")}</span>;
}

/** Its name and its place, without what it is. */
export function ChipLabel({ chip: { label, detail } }: { readonly chip: ChipView }) {
  return (
    <>
      <bdi class="chip-label">{label}</bdi>
      {detail !== "" && <bdi class="chip-detail">{detail}</bdi>}
    </>
  );
}

/** A picture of what something is. */
export function KindIcon({ kind }: { readonly kind: ChipView["kind"] }) {
  return <Icon name={ICONS[kind]} />;
}

/** The whole of what a chip stands for. */
export function tooltipOf({ label, tooltip }: ChipView): string {
  return tooltip ?? label;
}
