/**
 * Starts a trace to find the main-thread task that takes the most processor time. Unlike wall-clock
 * time, processor time does not grow with the load of the machine.
 *
 * @param {import("playwright-core").CDPSession} devtools
 * @returns {Promise<() => Promise<number>>} stops the trace and returns the task's milliseconds
 */
export async function costliestTask(devtools) {
  const events = [];
  devtools.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await devtools.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["toplevel", "devtools.timeline"] },
  });
  return async () => {
    const complete = new Promise((resolve) => devtools.once("Tracing.tracingComplete", resolve));
    await devtools.send("Tracing.end");
    await complete;
    const threadOf = ({ pid, tid }) => `${pid} ${tid}`;
    // Of the main threads, that of the page is the one with the most function calls. Workers can have more.
    const names = events.filter(({ name }) => name === "thread_name");
    const mainThreads = new Set(
      names.filter(({ args }) => args.name === "CrRendererMain").map(threadOf),
    );
    const calls = new Map();
    for (const event of events) {
      if (event.name !== "FunctionCall" || !mainThreads.has(threadOf(event))) continue;
      calls.set(threadOf(event), (calls.get(threadOf(event)) ?? 0) + 1);
    }
    const [main] = [...calls].sort(([, one], [, other]) => other - one)[0] ?? [];
    const isTask = (event) => event.name.endsWith("RunTask") && threadOf(event) === main;
    const costs = events.filter(isTask).map(({ tdur = 0 }) => tdur / 1000);
    if (costs.length === 0) throw new Error("The trace holds no task of the page's thread.");
    return costs.reduce((most, cost) => Math.max(most, cost));
  };
}
