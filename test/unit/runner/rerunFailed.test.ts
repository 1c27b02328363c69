import assert from "node:assert/strict";
import { rerunFailed } from "../../support/runner/rerunFailed.mjs";

const failure = (title: string, file?: string) => ({ title, message: "late", file });

describe("rerunFailed", () => {
  const passedIn = { "a.mjs": 3, "b.mjs": 5 };
  const never = () => Promise.reject(new Error("not to be run"));

  it("runs only the files of failed tests again, and reports what passes then", async () => {
    const first = { passed: 8, failed: 1, failures: [failure("slow", "a.mjs")], passedIn };
    const reruns: (readonly string[])[] = [];
    const counts = await rerunFailed(first, (files) => {
      reruns.push(files);
      return Promise.resolve({ passed: 4, failed: 0, failures: [] });
    });
    assert.deepEqual(reruns, [["a.mjs"]]);
    assert.deepEqual([counts.passed, counts.failed], [9, 0]);
    assert.deepEqual(
      counts.flaky?.map(({ title }) => title),
      ["slow"],
    );
  });

  it("leaves a test that fails again as failed", async () => {
    const failures = [failure("broken", "a.mjs"), failure("slow", "b.mjs")];
    const first = { passed: 8, failed: 2, failures, passedIn };
    const counts = await rerunFailed(first, () =>
      Promise.resolve({ passed: 9, failed: 1, failures: [failure("broken", "a.mjs")] }),
    );
    assert.deepEqual([counts.passed, counts.failed], [9, 1]);
    assert.deepEqual(
      counts.flaky?.map(({ title }) => title),
      ["slow"],
    );
  });

  it("reports nothing as flaky that a failed hook may have hidden", async () => {
    const failures = [failure("slow", "a.mjs"), failure("late", "b.mjs")];
    const first = { passed: 6, failed: 2, failures, passedIn };
    for (const again of [failure('"before all" hook', "a.mjs"), failure("VS Code ended")]) {
      const counts = await rerunFailed(first, () =>
        Promise.resolve({ passed: 6, failed: 1, failures: [again] }),
      );
      assert.equal(counts.failed, 1);
      assert.deepEqual(
        counts.flaky?.map(({ title }) => title),
        again.file === undefined ? [] : ["late"],
      );
    }
  });

  it("does not run if nothing failed, no file is known or too much failed", async () => {
    const many = ["a", "b", "c", "d", "e", "f"].map((name) => failure(name, `${name}.mjs`));
    for (const failures of [[], [failure("the level runs to its end")], many]) {
      const first = { passed: 8, failed: failures.length, failures, passedIn };
      assert.equal(await rerunFailed(first, never), first);
    }
  });
});
