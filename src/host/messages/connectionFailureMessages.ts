import { l10n } from "vscode";
import type { NoticeView } from "../../protocol/views";
import type { Failure } from "../../conversation/ending";
import type { NetworkCause } from "../../service/types";
import { error } from "./notices";

const ADDRESS_CAUSES: ReadonlySet<NetworkCause> = new Set([
  "dns",
  "tls-wrong-name",
  "bad-response",
]);

/** Returns the notice for a failed connection, by cause. Never offers to ignore a certificate. */
export function connectionFailureNotice({
  cause,
  host,
}: Extract<Failure, { kind: "unreachable" }>): NoticeView {
  const texts: Readonly<Record<NetworkCause, string>> = {
    refused: l10n.t(
      "{0} refused the connection. Check the address, and that the service is running.",
      host,
    ),
    dns: l10n.t("{0} was not found. Check the address and your network.", host),
    reset: l10n.t("{0} closed the connection. Try again.", host),
    "tls-expired": l10n.t(
      "The certificate of {0} has expired. Ask the operator of the service to renew it.",
      host,
    ),
    "tls-self-signed": l10n.t(
      "The certificate of {0} is self-signed. If you trust it, add it to the system's trusted certificates.",
      host,
    ),
    "tls-wrong-name": l10n.t("The certificate is not valid for {0}. Check the address.", host),
    "tls-unknown-issuer": l10n.t(
      "The certificate of {0} was issued by an unknown authority. Add that authority to the system's trusted certificates.",
      host,
    ),
    tls: l10n.t("Could not connect securely to {0}. Check the address and your network.", host),
    proxy: l10n.t(
      "The proxy refused the connection to {0}. Sign in to the proxy or check its settings.",
      host,
    ),
    "bad-response": l10n.t("{0} does not respond with HTTP. Check the address.", host),
    browser: l10n.t(
      "The browser blocked the response from {0}: the service is unreachable or does not allow web pages (CORS). Use VS Code on the desktop, or ask the operator to allow this page.",
      host,
    ),
    other: l10n.t("{0} could not be reached. Check the address and your network.", host),
  };
  return error(texts[cause], ADDRESS_CAUSES.has(cause) ? "set-base-url" : "try-again");
}
