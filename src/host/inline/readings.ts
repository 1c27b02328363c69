/**
 * Shows the readings of a reply that is not clear as a diff beside the code. Nothing is written
 * until the user chooses a reading; the actions are in the title of the diff.
 */
import * as vscode from "vscode";
import { DisposableOwner } from "../../base/disposables";
import { newId } from "../../base/id";
import type { Candidate } from "../../replyCode/candidates";
import { cleanHiddenCharacters } from "../../markdown/hiddenCharacters";
import { READING_SCHEME } from "../platform/contributions";
import { pathOf } from "../platform/sourceText";
import type { InlineEntry } from "./inlineEntry";
import { reasonText } from "./inlineMessages";

/** Context key for the button that shows the other reading. */
const SEVERAL_KEY = "coreChat.hasOtherReading";

/** Actions of a reply that is not clear. */
export interface ReadingActions {
  readonly insert: (reading: Candidate) => void;
  readonly askForWholeBlock: () => void;
  readonly openReply: () => void;
}

interface ShownReading {
  readonly reading: Candidate;
  /** The file with the reading. */
  readonly text: string;
  readonly other: vscode.Uri | undefined;
  readonly show: () => Promise<void>;
  readonly actions: ReadingActions;
}

export class Readings extends DisposableOwner {
  /** Readings of the latest reply, by URI. */
  private readonly shown = new Map<string, ShownReading>();

  constructor() {
    super();
    this.owned.add(
      vscode.workspace.registerTextDocumentContentProvider(READING_SCHEME, {
        provideTextDocumentContent: (uri) => this.shown.get(uri.toString())?.text ?? "",
      }),
    );
  }

  /** Shows the first reading of an edit's last reply; closes the readings of earlier replies. */
  async show(
    entry: InlineEntry,
    readings: readonly Candidate[],
    actions: ReadingActions,
  ): Promise<void> {
    const { document } = entry;
    await this.close();
    const uris = readings.map(() =>
      vscode.Uri.from({ scheme: READING_SCHEME, path: document.uri.path, query: newId() }),
    );
    for (const [at, reading] of readings.entries()) {
      const [uri, other] = at === 0 ? uris : uris.toReversed();
      if (uri === undefined) continue;
      const title = vscode.l10n.t(
        "{0}: {1} (Not Written)",
        pathOf(document.uri),
        nameOf(reading, readings.length === 1 ? undefined : at + 1),
      );
      const text = textWith(entry, reading);
      const show = () => showDiff(document.uri, uri, title, entry.startLine);
      this.shown.set(uri.toString(), { reading, text, other, show, actions });
    }
    void vscode.commands.executeCommand("setContext", SEVERAL_KEY, readings.length > 1);
    await this.shown.get(uris[0]?.toString() ?? "")?.show();
  }

  /** Runs an action on the reading in the active diff, or in the given document. */
  async run(action: keyof ReadingActions | "showOther", argument: unknown): Promise<void> {
    const isReading = argument instanceof vscode.Uri && argument.scheme === READING_SCHEME;
    const uri = isReading ? argument : activeReading();
    const shown = this.shown.get(uri?.toString() ?? "");
    if (shown === undefined) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t("This reading has ended, and nothing was changed. Ask for the edit again."),
      );
      return;
    }
    const { actions, other, reading } = shown;
    if (action === "showOther") {
      await this.shown.get(other?.toString() ?? "")?.show();
      return;
    }
    if (action === "insert") actions.insert(reading);
    else actions[action]();
  }

  async close(): Promise<void> {
    this.shown.clear();
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.window.tabGroups.close(tabs.filter(readingIn));
  }
}

/** Returns the text of an edit's document with a reading in place of the lines that it replaces. */
function textWith(
  { document, session, startLine, hiddenKinds }: InlineEntry,
  reading: Candidate,
): string {
  const first = startLine + session.answerableStart;
  const end = first + session.answerableLines.length;
  const lines = document.getText().split(/\r\n|\n/);
  const { above, below } = reading;
  const cleanLines = reading.lines.map((line) => cleanHiddenCharacters(line, hiddenKinds));
  return lines.toSpliced(first - above, end - first + above + below, ...cleanLines).join("\n");
}

/** @param number position of the reading; undefined for the only one */
function nameOf({ isBelow, reasons: [reason] = [] }: Candidate, number: number | undefined) {
  if (isBelow) return vscode.l10n.t("Below the Selection");
  if (reason !== undefined) return reasonText(reason);
  return number === undefined
    ? vscode.l10n.t("Current ↔ Reply")
    : vscode.l10n.t("Current ↔ Reply, Reading {0}", number);
}

async function showDiff(
  current: vscode.Uri,
  reading: vscode.Uri,
  title: string,
  line: number,
): Promise<void> {
  // The reading that is shown makes place for the other one.
  const open = vscode.window.tabGroups.all.find(({ tabs }) => tabs.some(readingIn));
  await vscode.commands.executeCommand("vscode.diff", current, reading, title, {
    viewColumn: open?.viewColumn ?? vscode.ViewColumn.Beside,
    preview: true,
    selection: new vscode.Range(line, 0, line, 0),
  });
}

function activeReading(): vscode.Uri | undefined {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  return tab && readingIn(tab);
}

function readingIn({ input }: vscode.Tab): vscode.Uri | undefined {
  const isReading =
    input instanceof vscode.TabInputTextDiff && input.modified.scheme === READING_SCHEME;
  return isReading ? input.modified : undefined;
}
