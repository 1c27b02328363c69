/**
 * Settings of released versions still exist and have the same meaning. The fixture of a released
 * version never changes; the fixture of the next release is completed until then.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { readSettings } from "../../../src/host/settings/settings";
import { withSettings } from "../../support/fakes/fakeVscode";

const FOLDER = "test/fixtures/released";

describe("the settings of a released version", () => {
  const versions = readdirSync(FOLDER).sort();
  const settingsOf = (version: string) =>
    JSON.parse(readFileSync(`${FOLDER}/${version}/settings.json`, "utf8")) as Record<
      string,
      unknown
    >;

  for (const version of versions) {
    it(`keep their meaning (${version})`, () => {
      const written = settingsOf(version);
      const { settings, badNames } = withSettings(written, readSettings);
      assert.deepEqual(badNames, []);
      const read = Object.entries(settings)
        .map(([name, value]) => [`coreChat.${name}`, value] as const)
        .filter(([name]) => name in written);
      assert.deepEqual(Object.fromEntries(read), written);
    });
  }
});
