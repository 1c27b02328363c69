/**
 * From a failure to one sentence and at most one button. Starts with what happened, ends with
 * what to do.
 */
import { l10n } from "vscode";
import type { NoticeAction, NoticeView } from "../bridge/views";
import type { Failure } from "../conversation/ending";

/** The button for an action, in the person's language. */
export function actionButton(id: NoticeAction): { id: NoticeAction; label: string } {
  return { id, label: actionLabel(id) };
}

function actionLabel(id: NoticeAction): string {
  switch (id) {
    case "set-api-key":
      return l10n.t("Set API Key");
    case "set-base-url":
      return l10n.t("Set Base URL");
    case "open-settings":
      return l10n.t("Open Settings");
    case "try-again":
      return l10n.t("Try again");
    case "continue":
      return l10n.t("Continue");
    case "stop":
      return l10n.t("Stop");
    case "show-log":
      return l10n.t("Show Log");
    default:
      return id satisfies never;
  }
}

/**
 * The notice for a failure.
 * @param hasText true when part of a reply arrived; it is kept and can be continued
 */
export function failureNotice(failure: Failure, hasText: boolean): NoticeView {
  const notice = sentenceFor(failure);
  if (!hasText) return notice;
  // Whatever stopped a reply half-way, the way on is the same.
  const text = l10n.t("{0} What arrived is kept.", notice.text);
  return { tone: "warning", text, action: actionButton("continue") };
}

function error(text: string, action?: NoticeAction): NoticeView {
  return { tone: "error", text, ...(action && { action: actionButton(action) }) };
}

function warning(text: string, action?: NoticeAction): NoticeView {
  return { tone: "warning", text, ...(action && { action: actionButton(action) }) };
}

function sentenceFor(failure: Failure): NoticeView {
  switch (failure.kind) {
    case "no-service":
      return warning(l10n.t("No service is set. Set its base URL to begin."), "set-base-url");
    case "bad-url":
      return error(urlSentence(failure.problem), "set-base-url");
    case "no-key":
      return warning(
        l10n.t("There is no API key for {0}. Set it to begin.", failure.origin),
        "set-api-key",
      );
    case "unauthorized":
      return error(
        withWords(
          l10n.t("The key was refused by {0} (401). Set another one.", failure.host),
          failure,
        ),
        "set-api-key",
      );
    case "unreachable":
      return unreachable(failure);
    case "timed-out":
      return error(timeoutSentence(failure), "try-again");
    case "rate-limited":
      return warning(rateSentence(failure), "try-again");
    case "redirected":
      return error(
        l10n.t("The server redirects to {0}; set that as base URL if you trust it.", failure.host),
        "set-base-url",
      );
    case "too-large":
      return error(
        withWords(
          l10n.t(
            "The request was too large for the service (413). Send less, or start a new conversation.",
          ),
          failure,
        ),
      );
    case "rejected":
      return rejected(failure);
    case "server":
      return error(
        withWords(
          l10n.t("The service is failing ({0}). Try again later.", failure.status),
          failure,
        ),
        "try-again",
      );
    case "reported":
      return error(
        l10n.t("The service reported an error: {0}. Try again.", withoutStop(failure.message)),
        "try-again",
      );
    case "malformed":
      return malformed(failure.what);
    case "over-limit":
      return error(limitSentence(failure));
    case "truncated":
      return warning(l10n.t("The reply was cut off."), "try-again");
    case "interrupted":
      return warning(l10n.t("The reply was cut off when the window closed."), "try-again");
    case "bad-request":
      return error(
        l10n.t("A setting is outside what the service allows: {0}. Correct it.", failure.problem),
        "open-settings",
      );
    case "internal":
      return error(l10n.t("Something went wrong inside Core Chat. See the log."), "show-log");
    default:
      return failure satisfies never;
  }
}

function urlSentence(problem: string): string {
  switch (problem) {
    case "no-scheme":
      return l10n.t("The base URL has no https:// at its start. Add it.");
    case "not-http":
    case "not-https":
      return l10n.t(
        "The base URL must start with https:// (http:// only on this machine). Change it.",
      );
    case "user-info":
      return l10n.t(
        "The base URL holds a user name or password. Take them out; the key is set apart.",
      );
    case "query":
    case "fragment":
      return l10n.t("The base URL holds a ? or #. Take out everything from there on.");
    default:
      return l10n.t("The base URL is not a web address. Correct it.");
  }
}

function unreachable(failure: Extract<Failure, { kind: "unreachable" }>): NoticeView {
  const { host } = failure;
  switch (failure.cause) {
    case "refused":
      return error(
        l10n.t("{0} refused the connection. Check the base URL and that the service runs.", host),
        "try-again",
      );
    case "dns":
      return error(
        l10n.t("{0} was not found. Check the base URL and your network.", host),
        "set-base-url",
      );
    case "reset":
      return error(l10n.t("{0} closed the connection. Try again.", host), "try-again");
    case "tls-expired":
      return error(
        l10n.t("The certificate of {0} has expired. Its operator must renew it.", host),
        "try-again",
      );
    case "tls-self-signed":
      return error(
        l10n.t(
          "The certificate of {0} is self-signed. Add it to the system's trusted certificates if it is yours.",
          host,
        ),
        "try-again",
      );
    case "tls-wrong-name":
      return error(
        l10n.t("The certificate is not for {0}. Check the base URL.", host),
        "set-base-url",
      );
    case "tls-unknown-issuer":
      return error(
        l10n.t(
          "The certificate of {0} comes from an unknown issuer. Add the issuer to the system's trusted certificates.",
          host,
        ),
        "try-again",
      );
    case "tls":
      return error(
        l10n.t(
          "No secure connection to {0} could be made. Check the base URL and your network.",
          host,
        ),
        "try-again",
      );
    case "proxy":
      return error(
        l10n.t(
          "The proxy refused the connection to {0}. Sign in to it or check the proxy settings.",
          host,
        ),
        "try-again",
      );
    case "bad-response":
      return error(
        l10n.t("{0} does not answer in HTTP. Check the base URL.", host),
        "set-base-url",
      );
    case "other":
      return error(
        l10n.t("{0} could not be reached. Check the base URL and your network.", host),
        "try-again",
      );
    default:
      return failure.cause satisfies never;
  }
}

function timeoutSentence(failure: Extract<Failure, { kind: "timed-out" }>): string {
  const seconds = Math.round(failure.limitMs / 1000);
  switch (failure.phase) {
    case "connect":
      return l10n.t("No connection within {0} s. Check your network or try again.", seconds);
    case "first-byte":
      return l10n.t(
        "No answer within {0} s. Try again, or raise the time-out in the settings.",
        seconds,
      );
    case "silence":
      return l10n.t(
        "No data for {0} s. Try again, or raise the time-out in the settings.",
        seconds,
      );
    default:
      return failure.phase satisfies never;
  }
}

function rateSentence(failure: Extract<Failure, { kind: "rate-limited" }>): string {
  const { retryAfterMs } = failure;
  if (retryAfterMs === undefined) {
    return withWords(l10n.t("Too many requests (429). Wait a moment and try again."), failure);
  }
  const seconds = Math.ceil(retryAfterMs / 1000);
  const wait =
    seconds < 120 ? l10n.t("{0} s", seconds) : l10n.t("{0} min", Math.ceil(seconds / 60));
  return withWords(l10n.t("Too many requests (429). Try again in {0}.", wait), failure);
}

function rejected(failure: Extract<Failure, { kind: "rejected" }>): NoticeView {
  switch (failure.status) {
    case 403:
      return error(
        withWords(
          l10n.t("The key is not allowed to do this (403). Check it with the service's operator."),
          failure,
        ),
        "set-api-key",
      );
    case 404:
      return error(
        withWords(
          l10n.t("Nothing was found at {0} (404). Check the base URL.", failure.url),
          failure,
        ),
        "set-base-url",
      );
    case 405:
      return error(
        withWords(
          l10n.t("{0} does not take questions (405). Check the base URL.", failure.url),
          failure,
        ),
        "set-base-url",
      );
    default:
      return error(
        withWords(
          l10n.t(
            "The service rejected the request ({0}). Change it and send it again.",
            failure.status,
          ),
          failure,
        ),
        "try-again",
      );
  }
}

function malformed(what: "web-page" | "empty" | "unreadable"): NoticeView {
  switch (what) {
    case "web-page":
      return error(
        l10n.t("The server sent a web page, not a reply. Check the base URL or a proxy's sign-in."),
        "set-base-url",
      );
    case "empty":
      return error(l10n.t("Empty reply. Try again."), "try-again");
    case "unreadable":
      return error(l10n.t("The reply could not be read. Try again."), "try-again");
    default:
      return what satisfies never;
  }
}

function limitSentence(failure: Extract<Failure, { kind: "over-limit" }>): string {
  const size = l10n.t("{0} MiB", Math.round(failure.maxBytes / (1024 * 1024)));
  switch (failure.limit) {
    case "event-bytes":
      return l10n.t(
        "One part of the reply was larger than {0}, so it was stopped. Ask for less.",
        size,
      );
    case "text-bytes":
      return l10n.t("The reply was longer than {0}, so it was stopped. Ask for less.", size);
    case "body-bytes":
      return l10n.t(
        "The reply was larger than {0} unpacked, so it was stopped. Check the service.",
        size,
      );
    case "headers":
      return l10n.t("The reply's headers were too large. Check the base URL.");
    default:
      return failure.limit satisfies never;
  }
}

/** The sentence, then the service's own words where it gave any. */
function withWords(sentence: string, failure: { readonly message: string }): string {
  const message = failure.message.trim();
  return message === "" ? sentence : l10n.t("{0} The service says: {1}", sentence, message);
}

function withoutStop(text: string): string {
  return text.trim().replace(/[.。]$/, "");
}
