import assert from "node:assert/strict";
import type { Memento, Uri } from "vscode";
import { News } from "../../../src/host/panel/news";

/** The state that all windows share. */
class Shared implements Memento {
  readonly values = new Map<string, unknown>();
  keys(): readonly string[] {
    return [...this.values.keys()];
  }
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- VS Code's type
  get<T>(key: string): T | undefined {
    return this.values.get(key) as T | undefined;
  }
  update(key: string, value: unknown): Promise<void> {
    this.values.set(key, value);
    return Promise.resolve();
  }
}

/** Not opened in these tests. */
const noFile = undefined as unknown as Uri;

describe("News", () => {
  let memory: Shared;
  let changes = 0;
  beforeEach(() => {
    memory = new Shared();
    changes = 0;
  });
  const window = (version: string) => new News(memory, version, noFile, () => (changes += 1));

  it("has nothing at the first installation, and later in that version", () => {
    assert.equal(window("0.3.0").unread(), undefined);
    assert.equal(window("0.3.1").unread(), undefined);
  });

  it("names a new minor version until it is read, in each window", () => {
    window("0.9.4");
    const [here, there] = [window("0.10.1"), window("0.10.1")];
    assert.equal(here.unread(), "0.10");
    assert.equal(there.unread(), "0.10");
    here.markRead();
    assert.equal(changes, 1);
    assert.equal(there.unread(), undefined);
    assert.equal(window("0.10.2").unread(), undefined);
    assert.equal(window("1.0.0").unread(), "1.0");
  });

  it("is not changed by a conversation when there is nothing to read", () => {
    window("0.2.0").markRead();
    assert.equal(changes, 0);
  });

  it("has nothing after a downgrade, nor when the known version comes back", () => {
    window("0.4.0");
    const older = window("0.3.2");
    assert.equal(older.unread(), undefined);
    older.markRead();
    assert.equal(window("0.4.0").unread(), undefined);
    assert.equal(window("0.5.0").unread(), "0.5");
  });

  it("stays silent about a version that is not readable", () => {
    memory.values.set("coreChat.knownVersion", { x: 1 });
    assert.equal(window("0.4.0").unread(), undefined);
  });
});
