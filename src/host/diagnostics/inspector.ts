/**
 * Request inspector: a list of the last exchanges, and a document for each.
 */
import * as vscode from "vscode";
import { mapFailure } from "../../ask/failure";
import { DisposableOwner } from "../../base/disposables";
import { REQUEST_SCHEME } from "../platform/contributions";
import { failureNotice } from "../messages/failureMessages";
import { requestDocument } from "./requestDocument";
import type { RequestLog, RequestRecord } from "./requestLog";
import { VirtualDocuments } from "../platform/virtualDocuments";
import { plainNotice } from "../messages/notices";
import { plainLabel } from "../messages/plainLabel";

const t = vscode.l10n.t;

/**
 * Commands of the inspector. `redact` is applied to every text last. It redacts by value only, so
 * that the user sees everything else that was sent.
 */
export class Inspector extends DisposableOwner {
  private readonly documents: VirtualDocuments;

  constructor(
    private readonly log: RequestLog,
    private readonly redact: (text: string) => string,
  ) {
    super();
    this.documents = this.owned.add(
      new VirtualDocuments(REQUEST_SCHEME, (name) => {
        const record = this.log.get(Number.parseInt(/\d+/.exec(name)?.[0] ?? "", 10));
        return record && this.redact(requestDocument(record, { t, ending: endingText }));
      }),
    );
    this.owned.add(this.log.onChanged(({ id }) => this.documents.update(documentName(id))));
  }

  /** Asks the user to choose one of the kept exchanges and shows the choice. */
  async show(): Promise<void> {
    const items = this.log.newestFirst().map(itemOf);
    const title = t("Show Requests");
    const placeHolder =
      items.length === 0
        ? t("No requests from this window yet.")
        : t("Requests from this window, newest first");
    const options = { title, placeHolder, matchOnDescription: true, matchOnDetail: true };
    const chosen = await vscode.window.showQuickPick(items, options);
    if (chosen) await this.documents.show(documentName(chosen.recordId));
  }
}

function documentName(id: number): string {
  return `${id}.md`;
}

function itemOf(record: RequestRecord) {
  const { id, startedAtMs, attempt, model, words, answer } = record;
  const description = [
    ...(words === "" ? [] : [plainLabel(model)]),
    ...(answer === undefined ? [] : [answer.status]),
    ...(attempt > 1 ? [t("attempt {0}", attempt)] : []),
    ...(record.ending === undefined ? [] : [`${Math.round(record.ending.afterMs)} ms`]),
  ];
  return {
    label: `${new Date(startedAtMs).toLocaleTimeString()}  ${plainLabel(words || model)}`,
    description: description.join(" · "),
    detail: plainLabel(endingText(record)),
    recordId: id,
  };
}

/** Returns the ending of an exchange as a word or as the panel's sentence. */
function endingText({ ending, url }: RequestRecord): string {
  if (ending === undefined) return t("Running");
  switch (ending.kind) {
    case "complete":
      return t("Complete");
    case "stopped":
      return t("Stopped");
    case "left":
      return t("Canceled");
    case "failed": {
      if (ending.failure === undefined) return t("Failed");
      const failure = mapFailure(ending.failure, new URL(url).host);
      return plainNotice(failureNotice(failure, false));
    }
    default:
      return ending.kind satisfies never;
  }
}
