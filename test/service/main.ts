/**
 * Starts the local reference service from a terminal and prints instructions.
 * Flags: --port N (0: any free port; default 8321, or a free port if that is in use), --json
 * (prints a line of JSON and nothing else), --delay MS (between blocks), --until-stdin-closes.
 */
import { parseArgs } from "node:util";
import { FAULTS, FAULT_FAMILIES } from "./faults/faults";
import { PHRASES } from "./phrases";
import { startService, type ReferenceService } from "./server";

const DEFAULT_PORT = 8321;
const DEFAULT_DELAY_MS = 15; // About the speed of a real model, so that streaming is visible.

const { values: flags } = parseArgs({
  options: {
    port: { type: "string" },
    json: { type: "boolean", default: false },
    delay: { type: "string" },
    "until-stdin-closes": { type: "boolean", default: false },
  },
});

const service = await start(
  wholeNumber("port", flags.port, 65_535),
  wholeNumber("delay", flags.delay, 60_000) ?? DEFAULT_DELAY_MS,
);

const end = () => {
  void service.close().then(() => process.exit(0));
};
process.once("SIGINT", end);
process.once("SIGTERM", end);
if (flags["until-stdin-closes"]) {
  process.stdin.once("close", end);
  process.stdin.once("end", end);
  process.stdin.resume();
}

// Printed last, because a reader of this line may end the program immediately.
process.stdout.write(flags.json ? `${JSON.stringify({ url: service.url })}\n` : welcome(service));

/** Returns the number of a flag, or undefined without the flag; exits on an invalid number. */
function wholeNumber(name: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text) && Number(text) <= max) return Number(text);
  process.stderr.write(`--${name} must be a whole number from 0 to ${max}, not ${text}\n`);
  process.exit(2);
}

async function start(port: number | undefined, blockDelayMs: number): Promise<ReferenceService> {
  const options = { blockDelayMs };
  try {
    return await startService({ port: port ?? DEFAULT_PORT, ...options });
  } catch (error) {
    const isInUse = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
    if (isInUse && port === undefined) return startService(options);
    const reason = isInUse ? "the port is in use; leave out --port for a free one" : String(error);
    process.stderr.write(`Cannot listen on port ${port ?? DEFAULT_PORT}: ${reason}\n`);
    process.exit(1);
  }
}

function welcome({ url }: ReferenceService): string {
  const phrases = Object.values(PHRASES)
    .map((phrase) => `  ${phrase.usage.padEnd(12)} ${phrase.summary}`)
    .join("\n");
  const faults = [...Object.keys(FAULTS), ...FAULT_FAMILIES.map((family) => family.listedAs)];
  return `The local reference service listens on ${url}
There is no model in it: it checks each request against the specification and sends a sample.

Try it:
  curl -N ${url}/maas/v1/chat/completions \\
    -H 'Authorization: Bearer local' -H 'Content-Type: application/json' \\
    -d '{"model":"core_llm","messages":[{"role":"user","content":"Hello"}]}'

In Core Chat: set "coreChat.baseUrl" to ${url}

At the start of a line of a question:
${phrases}
  /fault NAME  makes something go wrong; so does the header x-core-chat-fault: NAME

Faults:
${wrapped(faults)}

Received requests: ${url}/_service/requests
Stop it with Ctrl+C.
`;
}

function wrapped(names: readonly string[]): string {
  const lines = [""];
  for (const name of names) {
    if (lines.at(-1)!.length + name.length > 96) lines.push("");
    lines.push(`${lines.pop() ?? ""} ${name}`);
  }
  return lines.map((line) => ` ${line}`).join("\n");
}
