/**
 * Shows what `npm start` and the tests wait for while something is downloaded, installed or built. Imports only
 * Node built-ins, because this runs before packages are installed.
 */

/** Time between two lines of progress, in milliseconds: on a terminal, where each replaces the last. */
const PROGRESS_MS = 1_000;
const LOGGED_PROGRESS_MS = 4_000;

/**
 * @typedef {object} Step
 * @property {string} title
 * @property {number} startedAtMs
 * @property {() => string | Promise<string>} amount what is done and left, like "300 of 640"; "" if unknown
 */

/** Steps that run at the moment. @type {Set<Step>} */
const steps = new Set();
/** @type {NodeJS.Timeout | undefined} */
let timer;

/**
 * Prints a line when the work begins and ends, and meanwhile, together with other work that runs, how far it is.
 *
 * @template T
 * @param {string} title
 * @param {Step["amount"]} amount
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(title, amount, work) {
  /** @type {Step} */
  const step = { title, amount, startedAtMs: Date.now() };
  steps.add(step);
  print(`${title} …`);
  timer ??= setInterval(showAll, process.stdout.isTTY ? PROGRESS_MS : LOGGED_PROGRESS_MS);
  try {
    const result = await work();
    print(`${title}: done in ${secondsOf(step)} s.`);
    return result;
  } finally {
    steps.delete(step);
    if (steps.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  }
}

async function showAll() {
  const texts = await Promise.all(
    [...steps].map(async (step) => {
      const amount = await Promise.resolve()
        .then(step.amount)
        .catch(() => "");
      return `${step.title}: ${amount === "" ? "" : `${amount}, `}${secondsOf(step)} s`;
    }),
  );
  if (steps.size === 0) return;
  const line = `  ${texts.join(" · ")}`;
  if (process.stdout.isTTY)
    process.stdout.write(`\r\u001b[K${line.slice(0, process.stdout.columns)}`);
  else console.log(line);
}

/** @param {string} line */
function print(line) {
  if (process.stdout.isTTY) process.stdout.write("\r\u001b[K");
  console.log(line);
}

/** @param {Step} step */
function secondsOf({ startedAtMs }) {
  return Math.round((Date.now() - startedAtMs) / 1000);
}
