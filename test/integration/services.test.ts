/** Tests that a question uses a base URL that is still being saved. */
import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { silentLog } from "../support/fakes/silentLog";
import { KnownSecrets } from "../../src/host/settings/secrets";
import { Services } from "../../src/host/settings/services";
import { HEADER_PREFIX, KEY_PREFIX, StoredSecrets } from "../../src/host/settings/storedSecrets";
import { referenceUrl } from "./reference";
import { clearUserSettings, setUserSettings } from "./settings";

describe("the service's address", () => {
  const none = { get: () => Promise.resolve(undefined) } as unknown as vscode.SecretStorage;
  const nothing = { get: () => undefined } as unknown as vscode.Memento;
  const secrets = (prefix: typeof KEY_PREFIX | typeof HEADER_PREFIX) =>
    new StoredSecrets(none, prefix, new KnownSecrets(), silentLog);
  const services = new Services(secrets(KEY_PREFIX), secrets(HEADER_PREFIX), nothing, () =>
    Promise.resolve(false),
  );

  beforeEach(() => setUserSettings({ baseUrl: "https://before.invalid" }));
  after(() => clearUserSettings("baseUrl", "path"));

  it("applies to a question asked while it is being saved", async () => {
    const writing = services.writeBaseUrl(referenceUrl());
    const turn = await services.prepareTurn([]);
    assert.ok(!("kind" in turn));
    assert.equal(turn.connection.baseUrl, referenceUrl());
    await writing;
  });

  it("has the path of a pasted endpoint, and the specification's once its address is pasted", async () => {
    const pathOf = async () => {
      const turn = await services.prepareTurn([]);
      assert.ok(!("kind" in turn));
      return turn.connection.path;
    };
    await services.writeBaseUrl(referenceUrl());
    const specified = await pathOf();
    await services.writeBaseUrl(referenceUrl(), "/v1/chat/completions");
    assert.equal(await pathOf(), "/v1/chat/completions");
    await services.writeBaseUrl(referenceUrl());
    assert.equal(await pathOf(), "/v1/chat/completions", "the path was reset without a word");
    await services.writeBaseUrl(referenceUrl(), specified);
    assert.equal(await pathOf(), specified);
  });
});
