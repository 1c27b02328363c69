/**
 * An API key that is missing, cannot be decrypted, or changes in another window: the key is
 * requested when a question needs one, and no conversation is affected.
 */
import assert from "node:assert/strict";
import { Emitter } from "../../../src/base/event";
import type { Log } from "../../../src/base/log";
import { KEY_PREFIX, StoredSecrets } from "../../../src/host/settings/storedSecrets";
import { KnownSecrets } from "../../../src/host/settings/secrets";
import { PanelRig } from "../../support/chat/panelRig";
import { startService, type ReferenceService } from "../../service/server";

const ORIGIN = "https://maas.test";
const KEY = "a-key-that-was-stored";

/** VS Code's secret storage, with errors on demand. */
class SecretStore {
  readonly stored = new Map<string, string>();
  failure: Error | undefined;
  readonly changed = new Emitter<{ key: string }>();
  readonly onDidChange = this.changed.event;

  get(name: string): Promise<string | undefined> {
    return this.failure ? Promise.reject(this.failure) : Promise.resolve(this.stored.get(name));
  }

  store(name: string, value: string): Promise<void> {
    this.stored.set(name, value);
    this.changed.fire({ key: name });
    return Promise.resolve();
  }

  delete(name: string): Promise<void> {
    this.stored.delete(name);
    this.changed.fire({ key: name });
    return Promise.resolve();
  }

  keys(): Promise<string[]> {
    return Promise.resolve([...this.stored.keys()]);
  }
}

describe("a lost key", () => {
  let service: ReferenceService;

  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  function openKeys() {
    const store = new SecretStore();
    const logged: string[] = [];
    const logLine = (line: string) => void logged.push(line);
    const log: Log = { info: logLine, warn: logLine, error: logLine };
    const keys = new StoredSecrets(store, KEY_PREFIX, new KnownSecrets(), log);
    return { store, logged, keys };
  }

  it("is undefined when it cannot be decrypted, which is logged", async () => {
    const { store, logged, keys } = openKeys();
    await keys.set(ORIGIN, KEY);
    assert.equal(await keys.get(ORIGIN), KEY);
    store.failure = new Error("it cannot be decrypted");
    assert.equal(await keys.get(ORIGIN), undefined);
    assert.match(logged.join("\n"), /^secrets: the store could not be read .*$/);
    store.failure = undefined;
    assert.equal(await keys.get(ORIGIN), KEY, "the stored key is not deleted");
  });

  it("is reported when another window changes it, and no other secret is", async () => {
    const { store, keys } = openKeys();
    let changes = 0;
    keys.onChanged(() => changes++);
    await keys.set(ORIGIN, KEY);
    await store.store("another-extension", "secret");
    await keys.remove(ORIGIN);
    assert.equal(changes, 2);
    assert.equal(await keys.get(ORIGIN), undefined);
  });

  it("is requested once a question needs it; the conversation and the text stay", async () => {
    const { store, keys } = openKeys();
    await keys.set(ORIGIN, KEY);
    const rig = new PanelRig(service.url);
    const page = await rig.openPage();
    await page.askToEnd("before");
    store.failure = new Error("the keyring is locked");
    rig.prepare = async () => {
      assert.equal(await keys.get(ORIGIN), undefined);
      return { kind: "no-key", origin: ORIGIN };
    };
    const files = new Map(rig.files.files);
    const answer = await page.ask("precious");
    assert.equal(answer?.isAccepted, false);
    assert.equal(answer.notice?.text, "no-key");
    assert.equal(page.shown.messages.length, 2);
    for (const [path, bytes] of files) assert.deepEqual(rig.files.files.get(path), bytes);
    await page.post({ type: "snapshot-asked" });
    assert.equal(page.shown.draft, "precious");
  });
});
