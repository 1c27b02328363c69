import { l10n } from "vscode";
import type { NoticeView } from "../../protocol/views";
import type { Failure } from "../../conversation/ending";
import { error } from "./notices";

/** Returns the notice for a failed connection, by cause. Never offers to ignore a certificate. */
export function connectionFailureNotice(
  failure: Extract<Failure, { kind: "unreachable" }>,
): NoticeView {
  const { host } = failure;
  switch (failure.cause) {
    case "refused":
      return error(
        l10n.t(
          "{0} refused the connection. Check the base URL, and that the service is running.",
          host,
        ),
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
        l10n.t(
          "The certificate of {0} has expired. Ask the operator of the service to renew it.",
          host,
        ),
        "try-again",
      );
    case "tls-self-signed":
      return error(
        l10n.t(
          "The certificate of {0} is self-signed. If you trust it, add it to the system's trusted certificates.",
          host,
        ),
        "try-again",
      );
    case "tls-wrong-name":
      return error(
        l10n.t("The certificate is not valid for {0}. Check the base URL.", host),
        "set-base-url",
      );
    case "tls-unknown-issuer":
      return error(
        l10n.t(
          "The certificate of {0} was issued by an unknown authority. Add that authority to the system's trusted certificates.",
          host,
        ),
        "try-again",
      );
    case "tls":
      return error(
        l10n.t("Could not connect securely to {0}. Check the base URL and your network.", host),
        "try-again",
      );
    case "proxy":
      return error(
        l10n.t(
          "The proxy refused the connection to {0}. Sign in to the proxy or check its settings.",
          host,
        ),
        "try-again",
      );
    case "bad-response":
      return error(
        l10n.t("{0} does not respond with HTTP. Check the base URL.", host),
        "set-base-url",
      );
    case "browser":
      return error(
        l10n.t(
          "The browser blocked the response from {0}: the service is unreachable or does not allow web pages (CORS). Use VS Code on the desktop, or ask the operator to allow this page.",
          host,
        ),
        "try-again",
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
