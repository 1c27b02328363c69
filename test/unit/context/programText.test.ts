/** Program output before it is sent: plain text without secrets and without absolute paths. */
import assert from "node:assert/strict";
import { endOf, plainOutput, withoutFolders } from "../../../src/context/programText";
import { secretIn, withoutSecrets } from "../../../src/secrets/secretText";

const ESC = "\u001b";

describe("the output of programs", () => {
  it("has no control sequences, and only the last version of an overwritten line", () => {
    const raw = `${ESC}]633;C\u0007${ESC}[31mred${ESC}[0m\r\n10%\r50%\r100%\r\n${ESC}]8;;http://x${ESC}\\link${ESC}]8;;${ESC}\\ \b\u0000end${ESC}(B${ESC}[?25h`;
    assert.equal(plainOutput(raw), "red\n100%\nlink end");
  });

  it("has relative paths", () => {
    const singleFolder = [{ path: "/home/me/p", shown: "" }];
    assert.equal(
      withoutFolders(
        "at f (/home/me/p/src/a.ts:1) in /home/me/p, file:///home/me/p/b.ts",
        singleFolder,
      ),
      "at f (src/a.ts:1) in ., b.ts",
    );
    assert.equal(
      withoutFolders("/home/me/p-old/a /srv/home/me/p/x", singleFolder),
      "~/p-old/a /srv/home/me/p/x",
    );
    const nestedFolders = [
      { path: "/w/a", shown: "a" },
      { path: "/w/a/sub", shown: "sub" },
    ];
    assert.equal(withoutFolders("/w/a/x.ts /w/a/sub/y.ts", nestedFolders), "a/x.ts sub/y.ts");
    const windows = [{ path: "c:\\Work\\p", shown: "" }];
    assert.equal(
      withoutFolders("C:\\work\\p\\src\\a.ts c:/Work/p/b.ts", windows),
      "src\\a.ts b.ts",
    );
    assert.equal(
      withoutFolders("/Users/ann/.nvm/x C:\\Users\\Ann\\y /root/z /rooted", []),
      "~/.nvm/x ~\\y ~/z /rooted",
    );
  });

  it("keeps its last whole lines", () => {
    assert.equal(endOf("short", 10), "short");
    assert.equal(endOf("first\nsecond\nthird", 9), "[… 13 characters left out …]\nthird");
    assert.match(endOf("x".repeat(100), 10), /left out …\]\nx{10}$/);
  });
});

describe("text without its secrets", () => {
  const secrets: [title: string, text: string, expected: string][] = [
    ["a token", `push ghp_${"a1B2".repeat(9)} done`, "push"],
    ["a key in a line of its own", "API_KEY=Zx81kfh27hd\nnext", "API_KEY="],
    ["an address with a password", "clone https://me:s3cretPw9@host/x.git", "https://me:"],
    ["a header", "curl -H 'Authorization: Bearer abcdef0123456789abcdef'", "curl"],
    [
      "a private key",
      `before\n-----BEGIN PRIVATE KEY-----\n${"MIIEvAIBADAN".repeat(5)}\n-----END PRIVATE KEY-----\nafter`,
      "before",
    ],
  ];
  for (const [title, text, expected] of secrets) {
    it(`does not contain ${title}`, () => {
      const redacted = withoutSecrets(text);
      assert.ok(redacted.includes(expected) && redacted.includes("[redacted]"), redacted);
      assert.equal(secretIn(redacted), undefined);
    });
  }

  it("is otherwise unchanged", () => {
    const text = "const token = readToken();\nError: expected 3 to equal 4\n  at a.ts:10:3";
    assert.equal(withoutSecrets(text), text);
  });
});
