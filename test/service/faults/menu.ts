/**
 * The most useful failures for users who try Core Chat with the reference service. `npm start`
 * lists them after "/" in the composer; `/faults` lists them too.
 */

interface FaultExample {
  /** Name after "/" in the composer, if `npm start` has set up the prompts. */
  readonly name: string;
  /** Question that requests the failure, with any setup. */
  readonly phrase: string;
  /** Effect for the user: a sentence without a full stop. */
  readonly summary: string;
}

export const FAULT_MENU: readonly FaultExample[] = [
  example("cut-off", "cut-mid-stream", "the reply is cut off mid-sentence; Continue gets the rest"),
  example("busy", "fail-twice-503", "the service is busy twice and is asked again automatically"),
  example("wrong-key", "status-401", "the service rejects the API key"),
  example("rate-limit", "status-429", "too many requests, also after the automatic retries"),
  example("filtered", "finish-content-filter", "the service's content filter blocks the reply"),
  example("too-long", "finish-length", "the reply stops at its length limit"),
  example("silent", "silence-mid-stream", "the reply stalls; Stop keeps the text so far"),
  example("sign-in", "html-200", "a sign-in page arrives instead of a reply"),
];

/** Markdown of about ten lines. */
export function describeMenu(): string {
  const lines = FAULT_MENU.map(
    ({ name, phrase, summary }) => `- **${name}**: ${summary}\n  \`${phrase}\``,
  );
  return `Failures that you can try. In \`npm start\`, type \`/\` and choose one by its name; otherwise, send the phrase below it.

${lines.join("\n")}
`;
}

function example(name: string, fault: string, summary: string): FaultExample {
  return { name, phrase: `/fault ${fault}`, summary };
}
