/** Secrets are detected by their format; source code that only mentions secrets is not. */
import assert from "node:assert/strict";
import { secretIn, withoutSecrets } from "../../../src/secrets/secretText";
import type { SecretKind } from "../../../src/secrets/secretTokens";
import { itWithRounds } from "../../support/depth";
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
  '"minipass": "^7.1.3",',
  '"allPass": "overEvery",',
  "STENCIL_PASS_DEPTH_PASS: 0x0B96,",
  'type === "x" ? "password" : "damaged"',
  'const field = <input type="password" name="password" />;',
  '<label for="password">Password</label>',
  "password = process.env.DB_PASSWORD;",
  "DB_PASSWORD=$(pass show db)",
  "let token = lexer.token;",
  "function f() {\n  return;\n}\nimport a;\npassword = readline\n",
  'createToken("GTE0PRE", pattern)',
  '"tokens": 8192,',
  "--token <token>",
  "the --password option is required",
  "kind: SealedSecret\nencryptedData:\n  a: x\n",
  "secretName: shop-tls-2\n",
  `"publicKeyToken": "b03f5f7f11d50a3a"`,
  `"integrity": "sha512-${"aB3".repeat(28)}=="`,
  "src/a.ts:12:3:error",
  "Pass `--dry-run` to see",
  'COLOR_KEYS = ["color", "border"]',
  "password && user",
  "token || fallback",
  "| name | password |\n|---|---|\n| type | string |",
  "https://example.com/?page_token=2",
  `import x from "./auth/tokens/aBc123/index.js";`,
];

const HEX = "0123456789abcdef";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Returns characters that look random and are the same in each run. */
function some(length: number, alphabet = LETTERS): string {
  let text = "";
  for (let state = 12345; text.length < length;) {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    text += alphabet.charAt((state >> 8) % alphabet.length);
  }
  return text;
}
const hex = (length: number) => some(length, HEX);
const base64 = (text: string) => Buffer.from(text).toString("base64");
const UUID = "1f2e3d4c-5b6a-4798-8a9b-0c1d2e3f4a5b";
const pem = (kind: string) =>
  made("-----BEGIN ", kind, ` KEY-----\n${some(64)}\n-----END `, kind, " KEY-----\n");

/** Each in a form that programs and services really write, with the secret that must not be left. */
const SHAPES: readonly (readonly [string, string, string])[] = [
  // Tokens of services.
  ...(
    [
      ["AWS", `${made("AKI", "A")}${some(16, "ABCDEFGH234567")}`],
      ["Azure", `abc8Q~${some(34)}`],
      ["GitLab runner", `GR1348941${some(20)}`],
      ["Bitbucket", `ATBB${some(32)}`],
      ["Atlassian", `ATATT3xFfGF0${some(180)}`],
      ["Slack rotation", made("xox", `e.xoxp-1-${some(60)}`)],
      ["Discord", `M${some(23)}.${some(6)}.${some(38)}`],
      ["Telegram", `1234567890:AA${some(33)}`],
      ["Square", `sq0csp-${some(43)}`],
      ["Braintree", `access_token$production$${hex(16)}$${hex(32)}`],
      ["Mailgun", `${hex(32)}-${hex(8)}-${hex(8)}`],
      ["Mailchimp", `${hex(32)}-us12`],
      ["SendGrid", made("S", `G.${some(22)}.${some(43)}`)],
      ["Replicate", `r8_${some(37)}`],
      ["Groq", `gsk_${some(52)}`],
      ["xAI", `xai-${some(80)}`],
      ["DeepSeek", `sk-${hex(32)}`],
      ["NVIDIA", `nvapi-${some(64)}`],
      ["NuGet", `oy2${some(43, "abcdefgh0123456789")}`],
      ["Docker", made("dckr", `_pat_${some(27)}`)],
      ["New Relic", `NRAK-${some(27, "ABCDEFG0123456789")}`],
      ["Grafana", `glsa_${some(32)}_${hex(8)}`],
      ["Heroku", `HRKU-${some(60)}`],
      ["Supabase", `sbp_${hex(40)}`],
      ["Notion", `ntn_${some(46)}`],
      ["Airtable", `pat${some(14)}.${hex(64)}`],
      ["Postman", `PMAK-${hex(24)}-${hex(34)}`],
      ["HubSpot", `pat-na1-${UUID}`],
      ["Pulumi", `pul-${hex(40)}`],
      ["Sonar", `sqp_${hex(40)}`],
      ["Plaid", `access-production-${UUID}`],
      ["Alibaba", `LTAI${some(20)}`],
      [
        "an encrypted JSON web token",
        made("ey", `JhbGciOiJSU0Ei.${some(60)}.${some(16)}.${some(60)}.${some(22)}`),
      ],
      ["a webhook of Discord", `discord.com/api/webhooks/123456789012345678/${some(68)}`],
      ["a webhook of Feishu", `open.feishu.cn/open-apis/bot/v2/hook/${UUID}`],
      ["a hash of a password", `$2b$12$${some(53)}`],
    ] as const
  ).map(([name, token]) => [name, `value: ${token} # local\n`, token] as const),
  // Keys.
  ["a key in a block of YAML", `k: |\n  ${pem("RSA PRIVATE").replaceAll("\n", "\n  ")}`, some(64)],
  [
    "a key in pieces of a program",
    made(`k = "-----BEGIN PRIVATE`, ` KEY-----" +\n "${some(64)}"`),
    some(64),
  ],
  [
    "a key on one line",
    made("-----BEGIN PRIVATE", ` KEY----- ${some(64)} -----END PRIVATE KEY-----`),
    some(64),
  ],
  ["the body of a key", `${made("MIIEpAIBA", "AKCAQEA")}${some(48)}\n${some(64)}\n`, some(64)],
  ["a key of OpenVPN", made("-----BEGIN OpenVPN Static", ` key V1-----\n${hex(32)}\n`), hex(32)],
  ["a JSON web key", `{"kty":"EC","crv":"P-256","x":"abc","d":"${some(43)}"}`, some(43)],
  // Names and values of data files.
  ["JSON on one line", '{"user":"bob","password":"swordfish","x":1}', "swordfish"],
  ["JSON in a string", '{\\"password\\": \\"tr0ub4dor\\"}', "tr0ub4dor"],
  ["a word in YAML", "db:\n  password: swordfish\n", "swordfish"],
  ["digits in YAML", "password: 12345678\n", "12345678"],
  ["a block in YAML", "password: >-\n  one-two-three-x9\n", "one-two-three-x9"],
  ["a list in YAML", "passwords:\n  - tr0ub4dor\n", "tr0ub4dor"],
  ["a comment in YAML", "# password: tr0ub4dor\n", "tr0ub4dor"],
  ["INI", "[pypi]\nusername = bob\npassword = swordfish\n", "swordfish"],
  [
    "words in INI",
    "[db]\npassword = correct horse battery staple\n",
    "correct horse battery staple",
  ],
  ["properties", "spring.datasource.password=swordfish\n", "swordfish"],
  ["TOML of several lines", 'secret = """\ntr0ub4dor9\n"""\n', "tr0ub4dor9"],
  ["an XML element", "<password>swordfish</password>", "swordfish"],
  ["an XML attribute", '<user name="bob" password="swordfish9"/>', "swordfish9"],
  ["a pair in XML", '<add key="ApiKey" value="x9Qz-12345678" />', "x9Qz-12345678"],
  ["a property list", "<key>API_KEY</key>\n<string>x9Qz12345</string>", "x9Qz12345"],
  ["a container in YAML", "- name: DB_PASSWORD\n  value: tr0ub4dor\n", "tr0ub4dor"],
  ["a container in JSON", '{"name": "API_TOKEN", "value": "x9Qz12345"}', "x9Qz12345"],
  ["a list of Compose", '    - "POSTGRES_PASSWORD=swordfish"\n', "swordfish"],
  [
    "a secret of Kubernetes",
    `kind: Secret\ndata:\n  conf: ${base64("plain words")}\n`,
    base64("plain words"),
  ],
  ["a secret of Kubernetes in text", "stringData:\n  any: plainword\nkind: Secret\n", "plainword"],
  [
    "a variable of Terraform",
    'variable "db_password" {\n  default = "sw0rdfish"\n}\n',
    "sw0rdfish",
  ],
  ["base64 of a .env file", `c: ${base64("# local\nDB_PASSWORD=swordfish-1\n")}`, "c3dvcmRmaXNo"],
  [
    "base64 of a key",
    `client-key-data: ${base64(pem("EC PRIVATE"))}`,
    base64(pem("EC PRIVATE")).slice(40, 80),
  ],
  [
    "a login of Docker",
    `{"auths":{"x.io":{"auth":"${base64("bob:swordfish")}"}}}`,
    base64("bob:swordfish"),
  ],
  // Shells and programs.
  ["quotation marks in .env", 'DB_PASS="hunter 2"\n', "hunter 2"],
  ["brackets in .env", "DB_PASSWORD=p@ss(w0rd)#1\n", "p@ss(w0rd)#1"],
  ["spaces around the sign", "API_KEY = swordfish\n", "swordfish"],
  ["a key of any service", "STRIPE_KEY=x9qz12345\n", "x9qz12345"],
  ["a command with a variable", "PGPASSWORD=tr0ub4dor psql -h db", "tr0ub4dor"],
  ["an option", "tool --password tr0ub4dor --now", "tr0ub4dor"],
  ["a login of curl", "curl -u bob:tr0ub4dor https://example.com", "tr0ub4dor"],
  ["a login of mysql", "mysql -u root -ptr0ub4dor shop", "tr0ub4dor"],
  ["a Dockerfile", "ENV DB_PASSWORD tr0ub4dor\n", "tr0ub4dor"],
  ["systemd", 'Environment="DB_PASSWORD=tr0ub4dor"\n', "tr0ub4dor"],
  ["fish", "set -gx API_TOKEN x9Qz12345\n", "x9Qz12345"],
  ["a header", `Authorization: Basic ${base64("bob:swordfish")}`, base64("bob:swordfish")],
  ["a header in code", `fetch(u, { headers: { Authorization: "Bearer ${hex(32)}" } })`, hex(32)],
  ["a query", `https://api.example.com/v1?api_key=${hex(32)}`, hex(32)],
  ["a token in an address", `https://${hex(40)}@github.com/a/b.git`, hex(40)],
  ["an argument", `connect("eu", aws_secret_access_key="${some(40)}")`, some(40)],
  ["a field in a line", `new S3({ secretAccessKey: "${some(40)}", region: "x" })`, some(40)],
  ["a call", 'source.setPassword("sw0rdfish");', "sw0rdfish"],
  ["a definition in PHP", "define('DB_PASSWORD', 'swordfish');", "swordfish"],
  ["an array in PHP", "'password' => 'swordfish',", "swordfish"],
  ["an index", 'os.environ["API_KEY"] = "sw0rdfish9"', "sw0rdfish9"],
  ["a declaration in Go", 'password := "swordfish"', "swordfish"],
  ["a declaration with a type", 'const password: string = "swordfish";', "swordfish"],
  ["a macro", '#define WIFI_PASSWORD "swordfish"', "swordfish"],
  ["SQL", "CREATE USER bob WITH PASSWORD 'swordfish';", "swordfish"],
  ["a connection in words", "host=db user=app password=tr0ub4dor dbname=x", "tr0ub4dor"],
  ["a line of .pgpass", "db.example.com:5432:shop:app:swordfish\n", "swordfish"],
  ["a login of .netrc", "machine example.com\n  login bob\n  password swordfish\n", "swordfish"],
  ["a recovery phrase", `MNEMONIC="${"abandon ability able about ".repeat(3).trim()}"`, "abandon"],
  ["a list in JSON", '{"secrets": ["tr0ub4dor-1"]}', "tr0ub4dor-1"],
  ["a tag of YAML", "password: !!str swordfish1\n", "swordfish1"],
  ["an assignment in JSON", '{"env":"DB_PASSWORD=tr0ub4dor\\nX=1"}', "tr0ub4dor"],
  ["a login in code", 'auth: { user: "a@example.com", pass: "swordfish" }', "swordfish"],
  ["a default", 'const key = process.env.API_KEY ?? "x9Qz-12345";', "x9Qz-12345"],
  ["arguments that connect", 'new Sequelize("db", "user", "sw0rdfish")', "sw0rdfish"],
  [
    "an argument of a shell",
    "kubectl create secret generic x --from-literal=a=swordfish",
    "swordfish",
  ],
  ["Gradle", "storePassword 'sw0rdfish'", "sw0rdfish"],
  ["nginx", 'proxy_set_header X-Api-Key "x9Qz-12345";', "x9Qz-12345"],
  ["Basic", 'Dim password As String = "sw0rdfish"', "sw0rdfish"],
  ["a table", "url,username,password\nhttps://example.com,bob,sw0rdfish\n", "sw0rdfish"],
  ["a table in Markdown", "| user | password |\n|---|---|\n| bob | sw0rdfish |\n", "sw0rdfish"],
  ["Japanese", "パスワード: tr0ub4dor\n", "tr0ub4dor"],
  ["Markdown", "**Password:** tr0ub4dor\n", "tr0ub4dor"],
  ["Chinese", "数据库密码：tr0ub4dor\n", "tr0ub4dor"],
];

describe("secretIn", () => {
  for (const [name, text, secret] of SHAPES) {
    it(`finds and removes ${name}`, () => {
      assert.notEqual(secretIn(text), undefined);
      const rest = withoutSecrets(text);
      assert.ok(!rest.includes(secret), rest);
    });
  }

  for (const [name, kind, text] of FOUND) {
    it(`finds ${name}`, () => assert.equal(secretIn(text), kind));
  }
  for (const text of ORDINARY) {
    it(`finds nothing in ${JSON.stringify(text)}`, () => assert.equal(secretIn(text), undefined));
  }

  // Forms from the vendors' documentation, which secretTokens.txt names.
  const letters = "aB3dE5gH7jK9mN1pQ".repeat(20);
  const hex = "0a1b2c3d4e5f".repeat(20);
  const newer: Readonly<Record<string, string>> = {
    Tailscale: `tskey-auth-${letters.slice(0, 30)}`,
    Vercel: `vercel_blob_rw_${letters.slice(0, 40)}`,
    "Google's newer keys": `AQ.${letters.slice(0, 50)}`,
    Render: `rnd_${letters.slice(0, 28)}`,
    "Amazon Bedrock": `ABSK${letters.slice(0, 128)}`,
    "Azure DevOps": `${letters.slice(0, 76)}AZDO1a2B`,
    "GitHub's newer tokens of apps": `ghs_12345_eyJ${letters.slice(0, 60)}.${letters.slice(0, 60)}`,
    ElevenLabs: `sk_${hex.slice(0, 48)}`,
    PostHog: `phx_${letters.slice(0, 40)}`,
    Facebook: `EAAB${letters.slice(0, 150)}`,
    Okta: `SSWS 00${letters.slice(0, 40)}`,
    "a hash of .htpasswd": `joe:{SHA}${letters.slice(0, 27)}=`,
    "a private key of Ethereum": `const privateKey = "0x${hex.slice(0, 64)}"`,
    "a cookie that is set": `Set-Cookie: sid=${letters.slice(0, 40)}; Path=/`,
    "a symmetric key": `{"kty":"oct","k":"${letters.slice(0, 43)}"}`,
    "Twilio's second argument": `twilio("AC${hex.slice(0, 32)}", "${hex.slice(0, 32)}")`,
    "Twilio's second argument after a name": `new Twilio(accountSid, '${hex.slice(0, 32)}')`,
    "a generated password of Terraform":
      '"type": "random_password", "instances": [{"attributes": {"result": "k(s]d$fjLq"}}]',
    "an app password": 'GMAIL_APP_PASSWORD: "abcd efgh ijkl mnop"',
    "an app password of a mail program":
      'service: "gmail", auth: { user: "a", pass: "abcd efgh ijkl mnop" }',
    "a login in a comment": "# login: admin / hunter22",
    "a login in a comment of SQL": "-- user: sa / P@ssw0rd12",
    "a login in a comment of CSS": "/* accounts: bob@example.com:Passw0rd! */",
    "a second cookie": `Cookie: lang=en; sid=${letters.slice(0, 32)}`,
    "a cookie of curl": `curl -b 'sid=${letters.slice(0, 32)}' https://example.com`,
    "a header of a HAR file": `{"name": "Cookie", "value": "sid=${letters.slice(0, 32)}"}`,
    "a token of a HAR file": `{"name": "Authorization", "value": "Bearer ${letters.slice(0, 32)}"}`,
    "the cookies of a HAR file": `"cookies": [{"name": "sid", "value": "${letters.slice(0, 32)}"}]`,
    "a wallet": `new ethers.Wallet("0x${hex.slice(0, 64)}")`,
    "accounts of Hardhat": `accounts: ["0x${hex.slice(0, 64)}"]`,
    Nostr: `nsec1${"qpzry9x8gf2tvdw0s3jn54khce6mua7l".repeat(2).slice(0, 58)}`,
    "a symmetric key with its type last": `{"k":"${letters.slice(0, 43)}","kty":"oct"}`,
    PgBouncer: `"bob" "md5${hex.slice(0, 32)}"`,
    Windows: "<Password><Value>UABhAHMAcwA=</Value></Password>",
    strongSwan: '10.0.0.1 : PSK "correct-horse"',
    Contentful: `CFPAT-${letters.slice(0, 43)}`,
    "Together AI": `tgp_v1_${letters.slice(0, 43)}`,
    Infisical: `st.${hex.slice(0, 24)}.${hex.slice(0, 32)}.${hex.slice(0, 32)}`,
    Bitwarden: `export BW_SESSION="${letters.slice(0, 86)}=="`,
    "an address with $ in its password": "postgres://app:Zx9$kLm2@db.example.com/shop",
    Polish: `hasło = "${letters.slice(0, 12)}"`,
    Turkish: `şifre: ${letters.slice(0, 12)}`,
    Spanish: `clave: "${letters.slice(0, 12)}"`,
    Cursor: `key_${hex.slice(0, 64)}`,
    E2B: `e2b_${hex.slice(0, 40)}`,
    "Fireworks with a digit first": `fw_1${letters.slice(0, 23)}`,
    "Asana's newer tokens": `2/1234567890123456/1234567890123456:${hex.slice(0, 32)}`,
    LaunchDarkly: "sdk-9e50f454-02d2-41f7-ae9f-ec31633f46f0",
    ClickUp: `pk_12345678_${letters.toUpperCase().slice(0, 32)}`,
    Intercom: `token: dG9rOj${letters.slice(0, 50)}=`,
    ReadMe: `rdme_${letters.toLowerCase().slice(0, 70)}`,
    Lob: `live_${hex.slice(0, 35)}`,
    Prefect: `pnu_${letters.slice(0, 36)}`,
    X: `${"A".repeat(21)}MLhe0%2B${letters.slice(0, 20)}%3D${letters.slice(0, 50)}`,
    "Firebase's server": `AAAA1b2C3d4:APA91b${letters.slice(0, 134)}`,
    "Elastic's cloud": `cloud.auth: "elastic:${letters.slice(0, 24)}"`,
    "Azure DevOps in a variable": `AZURE_DEVOPS_EXT_PAT=${letters.toLowerCase().slice(0, 52)}`,
  };
  for (const [name, text] of Object.entries(newer)) {
    it(`finds a secret of ${name}`, () => assert.notEqual(secretIn(text), undefined));
  }

  for (const text of [
    "# login: optional / required",
    "// user: owner/repository",
    "# see account: docs",
    'mail password: "must have some text here"',
    `"transactionHash": "0x${hex.slice(0, 64)}"`,
    "Cookie: theme=dark; lang=en",
    '"cookies": [{"name": "theme", "value": "dark"}]',
    "twilio(accountSid, authToken)",
    '"random_pet", "result": "calm-otter"',
    '{"kty":"RSA","k":"v"}',
    // As in public projects of 2025 and 2026.
    "ANTHROPIC_API_KEY=sk-ant-api03-xxxxxxxxxxxxx",
    "ANTHROPIC_API_KEY=sk-ant-api03-your-actual-key-here",
    `"apiKey": "1db37ba5d0************98cb326e3"`,
    "N8N_BASIC_AUTH_PASSWORD: ${N8N_BASIC_AUTH_PASSWORD:-changeme}",
    "new OpenAI({ apiKey: 'not-needed' })",
    "const apiKey = 'fake-api-key';",
    "existingSecret: postgres-secret",
    "Pass：以上软件都是绿色版本，没有什么问题",
    `const ZEROS = "${"A".repeat(120)}";`,
  ]) {
    it(`finds nothing in ${text.slice(0, 60)}`, () => assert.equal(secretIn(text), undefined));
  }

  it("removes the generated passwords of all instances of a resource", () => {
    const rest = withoutSecrets(
      '{"mode":"managed","type":"random_password","instances":[{"result":"one(1two"},{"result":"three$4x"}]},{"mode":"data"}',
    );
    assert.doesNotMatch(rest, /one|three/);
    assert.match(rest, /"mode":"data"/);
  });

  it("finds no password in words that only end like one", () => {
    assert.equal(secretIn(`enclave = "${letters.slice(0, 12)}"`), undefined);
  });

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

  itWithRounds(
    "finds nothing in this project's own source",
    { quick: 150, all: 1_000 },
    (count) => {
      const files = filesBelow("src", /\.tsx?$/);
      const step = Math.ceil(files.length / count);
      const found = files.filter(
        (file, at) => at % step === 0 && secretIn(readFileSync(file, "utf8")) !== undefined,
      );
      assert.deepEqual(found, []);
    },
  );
});
