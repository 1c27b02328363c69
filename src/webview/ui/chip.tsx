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
  text: "note",
  rules: "book",
  role: "account",
  test: "beaker",
  debugger: "debug",
  notebook: "notebook",
  definitions: "symbol-interface",
  callers: "references",
  tests: "beaker",
  pointing: "location",
  quote: "quote",
  pins: "pin",
  "forgotten-picture": "file-media",
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

/** Mark of an attachment that was not sent. */
export function LeftOut() {
  return <span class="chip-changed">{t("not sent")}</span>;
}

/** Name and location of an attachment. */
export function ChipLabel({ chip: { label, detail } }: { readonly chip: ChipView }) {
  return (
    <>
      <bdi class="chip-label">{label}</bdi>
      {detail !== "" && <bdi class="chip-detail">{detail}</bdi>}
    </>
  );
}

export function KindIcon({ kind }: { readonly kind: ChipView["kind"] }) {
  return <Icon name={ICONS[kind]} />;
}

export function tooltipOf({ label, tooltip }: ChipView): string {
  return tooltip ?? label;
}
