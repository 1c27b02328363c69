/** Notices for failures: a sentence with the event and the remedy, and at most one button. */
import { l10n } from "vscode";
import type { NoticeAction, NoticeView } from "../../protocol/views";
import type { Failure } from "../../conversation/ending";
import { byteSize } from "./byteSize";
import { actionButton, error, isRetry, warning } from "./notices";
import { lostPictureUnsent } from "./lostPictureMessages";
import { connectionFailureNotice } from "./connectionFailureMessages";

/**
 * Returns the notice for a failure.
 * @param hasText true if part of a reply arrived; the text is kept and can be continued
 */
export function failureNotice(failure: Failure, hasText: boolean): NoticeView {
  const serviceMessage = serviceMessageOf(failure);
  return {
    ...noticeFor(failure, hasText),
    ...(serviceMessage !== undefined && { serviceMessage }),
  };
}

/** Returns a failure's notice without the service's own message. */
function noticeFor(failure: Failure, hasText: boolean): NoticeView {
  if (!hasText) return sentenceFor(failure);
  const stopped = interruptionOf(failure);
  if (stopped !== undefined) {
    const text = l10n.t("{0} The text so far is kept. Choose Continue for the rest.", stopped);
    return warning(text, "continue");
  }
  const notice = sentenceFor(failure);
  const text = l10n.t("{0} The text so far is kept.", notice.text);
  // A failure that needs another key or address keeps the button for that setting.
  const isOver = notice.action === undefined || isRetry(notice.action.id);
  return { ...notice, text, ...(isOver && { action: actionButton("continue") }) };
}

/** Returns the notice for a reply with thinking and no answer; the thinking is kept. */
export function thinkingFailureNotice(failure: Failure): NoticeView {
  const stopped = interruptionOf(failure);
  if (stopped === undefined) return sentenceFor(failure);
  const text = l10n.t("{0} The model was still thinking; its thinking is saved.", stopped);
  return continueOrTryAgain(warning(text));
}

/**
 * Returns the remark for damaged parts of a reply.
 * @param hasRemedy false next to a notice, which names its own remedy
 */
export function skippedParts(count: number, hasRemedy: boolean): string {
  if (!hasRemedy) {
    return count === 1
      ? l10n.t("1 damaged part was skipped, so text may be missing.")
      : l10n.t("{0} damaged parts were skipped, so text may be missing.", count);
  }
  return count === 1
    ? l10n.t("1 damaged part was skipped, so text may be missing. Regenerate to try again.")
    : l10n.t(
        "{0} damaged parts were skipped, so text may be missing. Regenerate to try again.",
        count,
      );
}

/** Adds the buttons of a reply that ended before its answer. */
export function continueOrTryAgain(notice: NoticeView): NoticeView {
  return { ...notice, action: actionButton("continue"), otherAction: actionButton("try-again") };
}

/** Returns what ended a partial reply, if asking for the rest is the remedy. */
function interruptionOf(failure: Failure): string | undefined {
  switch (failure.kind) {
    case "truncated":
      return l10n.t("The reply was cut off.");
    case "interrupted":
      return l10n.t("The reply was cut off when the window closed.");
    case "timed-out":
      return failure.phase === "silence"
        ? l10n.t("No data for {0} s.", Math.round(failure.limitMs / 1000))
        : undefined;
    case "reported":
      // An error about a setting keeps the button for that setting.
      return failure.about === undefined ? l10n.t("The service reported an error.") : undefined;
    default:
      return undefined;
  }
}

function sentenceFor(failure: Failure): NoticeView {
  switch (failure.kind) {
    case "no-service":
      return warning(l10n.t("No service is set. Enter its address to start."), "set-base-url");
    case "bad-url":
      return error(urlSentence(failure.problem), "set-base-url");
    case "no-key":
      return warning(
        l10n.t("There is no API key for {0}. Enter it to start.", failure.origin),
        "set-api-key",
      );
    case "bad-policy":
      return failure.problem === "changed"
        ? warning(
            l10n.t("The policy of your organization changed, so this was not sent. Try again."),
            "try-again",
          )
        : error(policySentence(failure.path, failure.problem));
    case "key-command":
      return error(commandSentence(failure.problem), "open-settings");
    case "no-profile":
      return warning(
        l10n.t(
          'The service "{0}" of this conversation is no longer in the settings. Switch to another service.',
          failure.profile,
        ),
        "switch-profile",
      );
    case "no-header":
      return warning(
        l10n.t(
          'The secret header "{0}" has no value for {1}. Enter it to start.',
          failure.header,
          failure.origin,
        ),
        "set-secret-header",
      );
    case "unauthorized":
      return error(
        failure.isKeyMissing === true
          ? l10n.t("{0} needs an API key.", failure.host)
          : l10n.t("{0} rejected the API key. Check it and enter it again.", failure.host),
        "set-api-key",
      );
    case "unreachable":
      return connectionFailureNotice(failure);
    case "timed-out":
      return error(timeoutSentence(failure), "try-again");
    case "rate-limited":
      return warning(rateSentence(failure), "try-again");
    case "quota":
      return error(
        l10n.t(
          "The quota or credit of this API key is used up. Check your account at the service.",
        ),
      );
    case "too-long":
      return tooLong(failure);
    case "redirected":
      return error(redirectSentence(failure.host), "set-base-url");
    case "too-large":
      return error(tooLargeSentence(failure));
    case "picture-lost":
      return error(lostPictureUnsent(failure.name, failure.loss));
    case "rejected":
      return rejected(failure);
    case "server":
      return error(serverSentence(failure), "try-again");
    case "reported":
      if (failure.about === "model") return unknownModel();
      return error(l10n.t("The service reported an error. Try again."), "try-again");
    case "foreign":
      return error(
        l10n.t(
          "This does not look like a chat-completion reply: “{0}” Check the address.",
          failure.message,
        ),
        "set-base-url",
      );
    case "malformed":
      return malformed(failure.what);
    case "over-limit":
      return error(
        limitSentence(failure),
        failure.limit === "headers" ? "set-base-url" : undefined,
      );
    case "truncated":
      return warning(l10n.t("The reply was cut off. Try again."), "try-again");
    case "interrupted":
      return warning(
        l10n.t("The reply was cut off when the window closed. Try again."),
        "try-again",
      );
    case "bad-request":
      return error(
        l10n.t(
          "A setting is outside the range that the service allows: {0}. Change the setting.",
          failure.problem,
        ),
        "open-settings",
      );
    case "internal":
      return error(
        l10n.t("Something went wrong in Core Chat. See the log for details."),
        "show-log",
      );
    default:
      return failure satisfies never;
  }
}

function urlSentence(problem: string): string {
  const scheme = l10n.t(
    "The address must start with https:// (http:// only for this machine). Change it.",
  );
  const part = l10n.t("The address cannot contain ? or #. Remove that part.");
  const texts: Readonly<Record<string, string>> = {
    "no-scheme": l10n.t("The address must start with https://."),
    "not-http": scheme,
    "not-https": scheme,
    "user-info": l10n.t(
      "The address cannot contain a user name or password. Remove them; the key is entered separately.",
    ),
    query: part,
    fragment: part,
  };
  return texts[problem] ?? l10n.t("The address is not a valid web address. Correct it.");
}

function timeoutSentence(failure: Extract<Failure, { kind: "timed-out" }>): string {
  const seconds = Math.round(failure.limitMs / 1000);
  const texts: Readonly<Record<typeof failure.phase, string>> = {
    connect: l10n.t("No connection within {0} s. Check your network, then try again.", seconds),
    "first-byte": l10n.t(
      "No response within {0} s. Try again, or increase the timeout in the settings.",
      seconds,
    ),
    silence: l10n.t(
      "No data for {0} s. Try again, or increase the timeout in the settings.",
      seconds,
    ),
  };
  return texts[failure.phase];
}

function rateSentence(failure: Extract<Failure, { kind: "rate-limited" }>): string {
  const { retryAfterMs } = failure;
  if (retryAfterMs === undefined) {
    return l10n.t("Too many requests (429). Try again in a moment.");
  }
  const wait = waitTime(retryAfterMs);
  return l10n.t("Too many requests (429). Try again in {0}.", wait);
}

function serverSentence({ status, retryAfterMs }: Extract<Failure, { kind: "server" }>): string {
  return retryAfterMs === undefined
    ? l10n.t("The service reported an error ({0}). Try again in a moment.", status)
    : l10n.t(
        "The service reported an error ({0}). Try again in {1}.",
        status,
        waitTime(retryAfterMs),
      );
}

function waitTime(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 120 ? l10n.t("{0} s", seconds) : l10n.t("{0} min", Math.ceil(seconds / 60));
}

function redirectSentence(host: string): string {
  return host === ""
    ? l10n.t("The server redirects but does not say where to. Check the address.")
    : l10n.t("The server redirects to {0}. Set it as the address if you trust it.", host);
}

/** Maximum number of pictures named in a sentence; the largest come first, as candidates for removal. */
const MAX_NAMED_PICTURES = 8;

function tooLargeSentence({
  pictures = [],
  isUnsent = false,
}: Extract<Failure, { kind: "too-large" }>): string {
  if (pictures.length === 0) {
    return l10n.t(
      "The request was too large for the service (413). Send less, or start a new conversation.",
    );
  }
  const largest = pictures
    .toSorted((one, other) => (other.bytes ?? 0) - (one.bytes ?? 0))
    .slice(0, MAX_NAMED_PICTURES)
    .map(({ name, bytes }) => (bytes === undefined ? name : `${name} (${byteSize(bytes)})`));
  const more = pictures.length - largest.length;
  if (more > 0) largest.push(l10n.t("{0} more", more));
  if (isUnsent) {
    return l10n.t(
      "The pictures are too large to send together, so nothing was sent: {0}. Send fewer or smaller pictures.",
      largest.join(", "),
    );
  }
  return l10n.t(
    "The request was too large for the service (413). It included {0}. Send fewer or smaller pictures.",
    largest.join(", "),
  );
}

/**
 * Earlier messages can be left out, a question alone cannot. The service's message may name the number of
 * tokens, which differs from the panel's estimate.
 */
function tooLong({ isOnlyQuestion }: Extract<Failure, { kind: "too-long" }>): NoticeView {
  return isOnlyQuestion
    ? error(l10n.t("This question is too long. Shorten it, or attach less."))
    : error(l10n.t("This conversation is too long. Send fewer earlier messages."), "send-fewer");
}

/** The model code is a setting. The address was right, or there would be no such answer. */
function unknownModel(): NoticeView {
  return error(
    l10n.t("The service does not know this model. Check the model ID in the settings."),
    "set-model",
  );
}

function rejected(failure: Extract<Failure, { kind: "rejected" }>): NoticeView {
  const { about } = failure;
  if (about === "model") return unknownModel();
  if (about === "tools") {
    return error(l10n.t("The model does not take tools. Choose another model for this."));
  }
  const { status, url } = failure;
  const texts: Readonly<Record<number, string>> = {
    403: l10n.t("The key does not allow this (403). Check it, or ask the operator of the service."),
    404: l10n.t("Nothing was found at {0} (404). Check the address.", url),
    405: l10n.t("{0} does not accept chat requests (405). Check the address.", url),
    415: l10n.t(
      "The service does not accept this type of content (415). Remove the attachments, or choose another model.",
    ),
    422: l10n.t(
      "The service could not process the request (422). Check the model and the settings, then try again.",
    ),
  };
  const actions: Readonly<Record<number, NoticeAction>> = {
    403: "set-api-key",
    404: "set-base-url",
    405: "set-base-url",
  };
  const other = l10n.t(
    "The service rejected the request ({0}). Change the question, then try again.",
    status,
  );
  return error(texts[status] ?? other, actions[status] ?? "try-again");
}

function malformed(what: Extract<Failure, { kind: "malformed" }>["what"]): NoticeView {
  if (what === "only-thinking") {
    const text = l10n.t("The model stopped after thinking and gave no reply.");
    return continueOrTryAgain(warning(text));
  }
  const texts: Readonly<Record<typeof what, string>> = {
    "web-page": l10n.t(
      "The server sent a web page, not a reply. Check the address, or sign in to your proxy.",
    ),
    empty: l10n.t("Empty reply. Try again."),
    "no-text": l10n.t("The reply was empty. Try again."),
    unreadable: l10n.t("The reply could not be read. Try again."),
  };
  return error(texts[what], what === "web-page" ? "set-base-url" : "try-again");
}

function limitSentence(failure: Extract<Failure, { kind: "over-limit" }>): string {
  const size = byteSize(failure.maxBytes);
  const texts: Readonly<Record<typeof failure.limit, string>> = {
    "event-bytes": l10n.t(
      "Part of the reply exceeded {0}, so the reply was stopped. Ask for a shorter reply or a smaller picture.",
      size,
    ),
    "text-bytes": l10n.t(
      "The reply exceeded {0}, so it was stopped. Ask for a shorter reply.",
      size,
    ),
    "body-bytes": l10n.t(
      "The unpacked reply exceeded {0}, so it was stopped. Check the service.",
      size,
    ),
    headers: l10n.t("The headers of the reply were too large. Check the address."),
  };
  return texts[failure.limit];
}

/** Returns the service's own message, if the failure has one. */
function serviceMessageOf(failure: Failure): string | undefined {
  if (failure.kind === "foreign") return undefined; // quoted in the sentence
  if (failure.kind === "unauthorized" && failure.isKeyMissing) return undefined; // no key was sent
  const message = "message" in failure ? failure.message.trim() : "";
  return message === "" ? undefined : message;
}

/** Returns why the organization's policy cannot be used, as one sentence. */
function policySentence(path: string, problem: string): string {
  if (problem === "worker") {
    return l10n.t(
      'Nothing is sent because Core Chat runs in a web worker, which cannot read the policy of your organization. Install Core Chat on the machine of the folder, remove it from the setting "{0}", and reload the window.',
      "remote.extensionKind",
    );
  }
  if (problem === "not-recorded") {
    return l10n.t(
      "This was not sent because the record of requests, which the policy of your organization asks for, cannot be written. Check the disk and its free space, then try again.",
    );
  }
  const reasons: Readonly<Record<string, string>> = {
    owner: l10n.t("the file or its folder does not belong to the administrator"),
    mode: l10n.t("other users may write the file or its folder"),
    content: l10n.t("its content is not valid"),
  };
  const reason = reasons[problem] ?? l10n.t("it cannot be read");
  return l10n.t(
    "Nothing is sent because the policy of your organization, {0}, cannot be used: {1}.",
    path,
    reason,
  );
}

function commandSentence(problem: string): string {
  const reasons: Readonly<Record<string, string>> = {
    "not-found": l10n.t("the program was not found"),
    "timed-out": l10n.t("it did not end in time"),
    "too-long": l10n.t("it printed too much"),
    "no-key": l10n.t("it printed no key"),
  };
  const reason = reasons[problem] ?? l10n.t("it failed");
  return l10n.t('The command of "{0}" gave no key: {1}.', "coreChat.apiKeyCommand", reason);
}
