/** Language of files that VS Code calls plain text. */
import assert from "node:assert/strict";
import { languageOfFile } from "../../../src/replyCode/labels";

describe("languageOfFile", () => {
  it("knows the language of files that VS Code calls plain text", () => {
    for (const [path, language] of [
      ["/a/Cargo.toml", "toml"],
      ["/a/main.KT", "kotlin"],
      ["/a/App.vue", "vue"],
      ["/a/main.tf", "terraform"],
      ["/a/nginx.conf", "ini"],
      ["/a/Jenkinsfile", "groovy"],
      ["/a/.env", "ini"],
    ] as const) {
      assert.equal(languageOfFile("plaintext", path), language, path);
    }
  });

  it("keeps plain text for text files and for names without an ending", () => {
    for (const path of ["/a/notes.txt", "/a/build.log", "/a.b/README", "Untitled-1"]) {
      assert.equal(languageOfFile("plaintext", path), "plaintext", path);
    }
  });

  it("treats an unknown ending as code of any language", () => {
    assert.equal(languageOfFile("plaintext", "/a/rules.xyz"), "");
  });

  it("keeps a language that VS Code knows", () => {
    assert.equal(languageOfFile("python", "/a/b.toml"), "python");
  });
});
