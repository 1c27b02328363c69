/** Secrets are detected by their format; source code that only mentions secrets is not. */
import assert from "node:assert/strict";
import { secretIn, type SecretKind } from "../../../src/context/secretText";
import { filesBelow } from "../../support/source/files";
import { readFileSync } from "node:fs";

/** Joins the pieces of a secret at run time, so that secret scanners ignore this file. */
const made = (...pieces: string[]) => pieces.join("");

const FOUND: readonly (readonly [string, SecretKind, string])[] = [
  [
    "a key of OpenSSH",
    "private-key",
    made("-----BEGIN OPENSSH PRIV", "ATE KEY-----\nb3BlbnNzaC1rZXk\n"),
  ],
  [
    "a key in one line of JSON",
    "private-key",
    made('{"k":"-----BEGIN PRIV', 'ATE KEY-----\\nMIIE"}'),
  ],
  ["a key of PGP", "private-key", made("-----BEGIN PGP PRIV", "ATE KEY BLOCK-----\r\n\r\nlQ")],
  ["a key in a diff", "private-key", made("+-----BEGIN RSA PRIV", "ATE KEY-----\n+MIIE")],
  ["a key of PuTTY", "private-key", "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none"],
  ["a key of AWS", "token", made("id = AKIA", "ABCDEFGHIJKLMNOP")],
  ["a token of GitHub", "token", made("use ghp", "_abcdefghijklmnopqrstuvwxyz0123456789 here")],
  ["a fine-grained token of GitHub", "token", made("github", "_pat_11ABCDEFG0abcdefghij_klmnop")],
  ["a token of GitLab", "token", made("glpat", "-abcdefghij0123456789")],
  ["a token of Slack", "token", made("xoxb", "-1234567890-abcdefghij")],
  ["a key of Google", "token", made("AIza", "SyA0123456789abcdefghijklmnopqrstuv")],
  ["a key of Stripe", "token", made("sk", "_live_0123456789abcdefghij")],
  ["a key of Anthropic", "token", made("sk", "-ant-api03-abcdefghijklmnop")],
  ["a key of OpenAI", "token", made("sk", "-Abcdefghij0123456789abcdefghij")],
  [
    "a JSON web token",
    "token",
    made("ey", "JhbGciOiJIUzI1NiJ9.ey", "JzdWIiOiIxMjM0In0.abcdefghijk"),
  ],
  ["a line of .env", "password", "# local\nAPI_KEY=untracked-canary\n"],
  ["an exported password", "password", "export DB_PASSWORD='hunter2!'"],
  ["an upper-case name in YAML", "password", "env:\n  AUTH_TOKEN: correct-horse\n"],
  ["a secret of Django", "password", 'SECRET_KEY = "django-insecure-abc1"'],
  ["a constant of a program", "password", 'export const password = "tr0ub4dor-x9Qz";'],
  ["a field of a program", "password", '  private static final String apiKey = "x9Qz-tr0ub4dor";'],
  ["a removed line of a diff", "password", "-DB_PASS=hunter"],
  ["a password in YAML", "password", "db:\n  password: tr0ub4dor\n"],
  ["a password in JSON", "password", '  "clientSecret": "abc123def456",'],
  ["a password of npm", "password", "//registry.example.com/:_authToken=abcdef12345"],
  ["a connection string", "password", "Server=db;User Id=a;Password=hunter2;"],
  ["an address with a password", "password", "postgres://app:hunter2@db.example.com/shop"],
  ["a machine of .netrc", "password", "machine example.com login me password hunter2"],
  ["a vault of Ansible", "vault", "$ANSIBLE_VAULT;1.1;AES256\n6162\n"],
];

const ORDINARY: readonly string[] = [
  "const API_KEY = process.env.API_KEY;",
  "API_KEY=${API_KEY}",
  "API_KEY=",
  "API_KEY=changeme",
  "API_KEY=your-key-here",
  "password: string;",
  "  password: string1;",
  "  token: cancellationToken,",
  "  token: accessToken2,",
  'API_TOKEN_HEADER = "X-Api-Token"',
  'ACCESS_TOKEN: "access_token",',
  'API_KEY = "x-api-key"',
  "MAX_TOKENS=8192",
  "SORT_KEY=created_at",
  '"password": "Password",',
  '"forgotPassword": "Forgot your password?",',
  "TOKEN: ${{ secrets.TOKEN }}",
  'password = os.environ["PASSWORD"]',
  "const password = hash(input, 12);",
  'if (text.includes("-----BEGIN PRIVATE KEY-----")) refuse();',
  "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
  "https://example.com:8080/a@b",
  "git@github.com:owner/name.git",
  "postgres://user:password@localhost/db",
  "postgres://${user}:${password}@db/shop",
  "class='sk-fading-circle-container-outer'",
  "compass: north-by-north-west",
  "secretary: alice-and-bob-1",
  "4f3c2b1a0987654321fedcba0123456789abcdef",
];

describe("secretIn", () => {
  for (const [name, kind, text] of FOUND) {
    it(`finds ${name}`, () => assert.equal(secretIn(text), kind));
  }
  for (const text of ORDINARY) {
    it(`finds nothing in ${JSON.stringify(text)}`, () => assert.equal(secretIn(text), undefined));
  }

  it("counts a range within a private key, even if its first line is outside", () => {
    const key = made(
      "one\n-----BEGIN PRIV",
      "ATE KEY-----\nMIIE\nabcd\n-----END PRIV",
      "ATE KEY-----\ntwo\n",
    );
    const at = key.indexOf("abcd");
    assert.equal(secretIn(key, at, at + 4), "private-key");
    assert.equal(secretIn(key, 0, 3), undefined);
    assert.equal(secretIn(key, key.indexOf("two"), key.length), undefined);
  });

  it("finds a password between escaped quotes, as in the JSON of a notebook", () => {
    assert.equal(secretIn('    "API_KEY = \\"hunter2-and-more\\"\\n",\n'), "password");
    assert.equal(secretIn('    "API_KEY = read(\\"API_KEY\\")\\n",\n'), undefined);
  });

  it("finds a secret at the end of a very long text", () => {
    const text = `${"ordinary words\n".repeat(200_000)}API_TOKEN=canary-1\n`;
    assert.equal(secretIn(text, text.length - 30), "password");
    assert.equal(secretIn(text), "password");
  });

  it("finds almost nothing in this project's own source", () => {
    const found = filesBelow("src", /\.tsx?$/).filter(
      (file) => secretIn(readFileSync(file, "utf8")) !== undefined,
    );
    assert.deepEqual(found, []);
  });
});
