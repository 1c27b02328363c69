/**
 * Reading files safely: folders, pipes and devices, symbolic links, and files that are replaced
 * during the read.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readFileUpTo } from "../../../src/host/node/readFileUpTo";

/** Program of every Unix system that creates a named pipe. */
const PIPE_MAKER = "mkfifo";

describe("reading a file", () => {
  let folder: string;
  const path = (name: string) => join(folder, name);
  const text = (read: Awaited<ReturnType<typeof readFileUpTo>>) =>
    typeof read === "string" ? read : Buffer.from(read).toString();

  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "core-chat-read-")));
  });
  after(() => rmSync(folder, { recursive: true }));
  beforeEach(() => writeFileSync(path("a.png"), "0123456789"));

  it("returns a complete file up to the limit, and nothing of a longer file", async () => {
    assert.equal(text(await readFileUpTo(path("a.png"), 10)), "0123456789");
    assert.equal(await readFileUpTo(path("a.png"), 9), "too-many-bytes");
    writeFileSync(path("empty.png"), "");
    assert.equal(text(await readFileUpTo(path("empty.png"), 10)), "");
  });

  it("rejects folders, pipes and devices without waiting for their data", async () => {
    mkdirSync(path("folder.png"));
    assert.equal(await readFileUpTo(path("folder.png"), 10), "not-a-file");
    if (process.platform === "win32") return; // no pipes and no device files
    execFileSync(PIPE_MAKER, [path("pipe.png")]);
    assert.equal(await readFileUpTo(path("pipe.png"), 10), "not-a-file");
    symlinkSync("/dev/zero", path("zero.png"));
    assert.equal(await readFileUpTo(path("zero.png"), 10), "not-a-file");
  });

  it("asks with the real path of the file", async () => {
    mkdirSync(path("inner"));
    symlinkSync(path("a.png"), path("inner/link.png"));
    const confirmed: string[] = [];
    const answer = (isAllowed: boolean) => (real: string) => {
      confirmed.push(real);
      return Promise.resolve(isAllowed);
    };
    const link = path("inner/../inner/link.png");
    assert.equal(text(await readFileUpTo(link, 10, answer(true))), "0123456789");
    assert.equal(await readFileUpTo(link, 10, answer(false)), "refused");
    assert.deepEqual(confirmed, [path("a.png"), path("a.png")]);
  });

  it("reads the confirmed file, even if its name belongs to another file afterwards", async () => {
    const swap = () => {
      writeFileSync(path("b.png"), "swapped");
      renameSync(path("b.png"), path("a.png"));
      return Promise.resolve(true);
    };
    assert.equal(text(await readFileUpTo(path("a.png"), 10, swap)), "0123456789");
    assert.equal(text(await readFileUpTo(path("a.png"), 10)), "swapped");
  });
});
