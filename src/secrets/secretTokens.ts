/** Secrets with a shape of their own: key blocks, tokens of services, and addresses with a password. */

/**
 * Key blocks. After the header comes a line end, real or escaped, or base64: code that only searches
 * for the header has neither.
 */
export const PRIVATE_KEY = new RegExp(
  [
    "-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}(?:PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1|PKCS12)-----" +
      "(?:[ \\t]{0,8}(?:\\r|\\n|\\\\+r|\\\\+n|$)|(?:[\\s\"'`+,;()\\\\.]|\\\\[rn]){0,80}[A-Za-z0-9+/=]{32})" +
      "(?:(?!-----END)[^]){0,16384}(?:-----END[^\\r\\n]{0,60})?",
    "---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY ----(?:(?!---- END)[^]){0,16384}",
    "^PuTTY-User-Key-File-\\d:[^]{0,8192}",
    "^untrusted comment: [^\\n]{0,60}\\bsecret key\\b[^]{0,1024}",
    "\\bAGE-(?:SECRET-KEY|PLUGIN-[A-Z0-9]{1,40})-1[A-Z0-9]{20,400}",
    // The first bytes of keys in DER, and of OpenSSH keys, in base64.
    "(?<![\\w+/])(?:MII[\\w+/]{3}IBAAK[BC]|MII[\\w+/]{3}IBADANBgkqhkiG9w0BAQEFAASC|" +
      "MII[\\w+/]{3}[\\w+/]{2}BgkqhkiG9w0BBQ0|MIG[H2]AgEAM|MHcCAQEE[I]|MC4CAQAwBQYDK2[V]|" +
      "b3BlbnNzaC1rZXkt\\w{3})[\\w+/=\\s]{0,16384}",
    // Up to the next name of the same kind, so that many names take linear time.
    '"kty"(?=(?:(?!"kty")[^{}]){0,4000}"d"\\s{0,4}:\\s{0,4}"[\\w-]{20})[^{}]{0,8000}|"d"\\s{0,4}:\\s{0,4}"[\\w-]{30,1000}"(?=(?:(?!"d")[^{}]){0,4000}"kty")',
  ].join("|"),
  "gm",
);

export const VAULT = /\$ANSIBLE_VAULT;(?<=^[ \t+-]{0,40}\$ANSIBLE_VAULT;)[^]{0,65536}/gm;

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

/** A digit among the next characters: distinguishes tokens from long identifiers. */
const DIGIT = "(?=[A-Za-z_-]{0,200}\\d)";

/** Prefixes and forms by which services mark their tokens. */
const SHAPES = [
  // Clouds and hosts.
  "(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\\b",
  `amzn\\.mws\\.${UUID}`,
  "AIza[\\w-]{30,40}",
  "GOCSPX-[\\w-]{20,40}",
  "ya29\\.[\\w-]{20,500}",
  "1//0[\\w-]{40,120}",
  `(?:LTAI)${DIGIT}[A-Za-z0-9]{12,24}\\b`,
  "AK(?:ID|LT)[A-Za-z0-9]{32,60}\\b",
  `AQVN${DIGIT}[\\w-]{35,40}`,
  "do[opr]_v1_[a-f0-9]{32,80}",
  "v1\\.0-[0-9a-f]{24}-[0-9a-f]{100,160}",
  "HRKU-[\\w-]{30,80}",
  "(?:fo1|fm[12])_[\\w+/=-]{43,2000}",
  "nfp_[A-Za-z0-9]{36,44}",
  "sbp_[0-9a-f]{40}",
  "sb_secret_[\\w-]{20,60}",
  "pscale_(?:tkn|pw|oauth)_[\\w.-]{30,64}",
  `napi_${DIGIT}[A-Za-z0-9]{40,80}`,
  "dapi[0-9a-f]{32}\\b",
  "cflt[A-Za-z0-9+/]{50,70}",
  // https://tailscale.com/kb/1277/key-prefixes
  "tskey-[a-z]{2,12}-[\\w-]{16,80}",
  // https://vercel.com/docs/sign-in-with-vercel/tokens and https://vercel.com/docs/vercel-blob
  `vc[piakr]_${DIGIT}[A-Za-z0-9]{24,80}`,
  `vercel_blob_rw_${DIGIT}\\w{20,80}`,
  // https://ai.google.dev/gemini-api/docs/api-key
  `AQ\\.${DIGIT}[\\w-]{30,120}`,
  // https://render.com/docs/api
  `rnd_${DIGIT}[A-Za-z0-9]{24,60}`,
  // https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html
  "ABSK[A-Za-z0-9+/]{80,300}={0,2}",
  // Code, packages and builds.
  // Since 2026: https://github.blog/changelog, an app's id and a JSON web token.
  "ghs_\\d{1,20}_eyJ[\\w.-]{40,2000}",
  "gh[pousr]_[A-Za-z0-9]{20,255}",
  "github_pat_[A-Za-z0-9_]{20,255}",
  "gl(?:pat|dt|rt|soat|ptt|cbt|ft|imt|agent|oas|wt|ffct)-[\\w-]{16,255}",
  "GR1348941[\\w-]{16,40}",
  `ATBB${DIGIT}[A-Za-z0-9]{24,40}\\b`,
  "AT(?:CTT|ATT)3[\\w=-]{60,400}",
  "npm_[A-Za-z0-9]{20,255}",
  "pypi-[\\w-]{30,500}",
  "oy2[a-z0-9]{43}\\b",
  `cio${DIGIT}[A-Za-z0-9]{32}\\b`,
  "CLOJARS_[0-9a-f]{40,80}",
  "rubygems_[0-9a-f]{32,80}",
  "dckr_(?:pat|oat)_[\\w-]{16,80}",
  "AKCp[A-Za-z0-9]{60,80}",
  "cmVmdGtu[A-Za-z0-9]{40,80}",
  "CCIPAT_\\w{16,30}_[0-9a-f]{40}",
  "bk(?:ua|at)_[0-9a-f]{40}",
  "sq[pua]_[0-9a-f]{40}",
  "pul-[0-9a-f]{40}",
  "hv[sbr]\\.[\\w-]{20,255}",
  "dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9]{20,80}",
  "ops_eyJ[\\w-]{50,2000}",
  // Messages and mail.
  "xox[abceoprs](?:\\.xox[bp])?-[A-Za-z0-9-]{10,255}",
  "xapp-\\d-[A-Za-z0-9-]{10,255}",
  "[MNO](?=[A-Za-z_-]{0,26}\\d)[\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,40}",
  "SG\\.[\\w-]{16,64}\\.[\\w-]{16,64}",
  "key-[0-9a-f]{32}\\b",
  "[0-9a-f]{32}-(?:[0-9a-f]{8}-[0-9a-f]{8}|us\\d{1,2})\\b",
  "xkeysib-[0-9a-f]{64}-\\w{16}",
  `re_(?=\\w{0,34}\\d)[A-Za-z0-9]{6,10}_${DIGIT}[A-Za-z0-9]{20,32}\\b`,
  "SK[0-9a-f]{32}\\b",
  // Payment.
  "[srp]k_(?:live|test)_[A-Za-z0-9]{10,255}",
  "whsec_[A-Za-z0-9+/=]{16,255}",
  "sq0(?:atp|csp)-[\\w-]{20,60}",
  `EAAA${DIGIT}[\\w-]{56,64}\\b`,
  "access_token\\$(?:production|sandbox)\\$[0-9a-z]{16}\\$[0-9a-f]{32}",
  "shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}",
  "shippo_(?:live|test)_[0-9a-f]{40}",
  "EZ[AT]K[A-Za-z0-9]{54}",
  `access-(?:production|development|sandbox)-${UUID}`,
  "FLWSECK(?:_TEST)?-\\w{12,40}-X",
  "rzp_(?:live|test)_[A-Za-z0-9]{14,24}",
  // Models.
  "sk-(?:ant|proj|svcacct|admin|or|lf|None)-[\\w-]{16,255}",
  "sk-(?=[\\w-]{0,255}\\d)(?=[\\w-]{0,255}[A-Z])[A-Za-z0-9]{20,255}",
  "(?:sk|csk)-(?=[a-z]{0,40}\\d)[a-z0-9]{32,64}\\b",
  "hf_[A-Za-z0-9]{20,255}",
  `r8_${DIGIT}[A-Za-z0-9]{37}\\b`,
  `(?:gsk_|pplx-|xai-|tvly-|nvapi-|pcsk_)${DIGIT}[\\w-]{24,120}`,
  "lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}",
  // https://docs.together.ai/docs/api-keys-authentication
  `tgp_v1_${DIGIT}[\\w-]{40,50}`,
  "fw_(?=[a-z\\d]{0,30}[A-Z])(?=[A-Za-z]{0,30}\\d)[A-Za-z0-9]{22,30}\\b",
  // https://cursor.com/docs/account/teams/admin-api
  "(?:key|crsr)_[0-9a-f]{64}\\b",
  // https://e2b.dev/docs/api-key
  "e2b_[0-9a-f]{40}\\b",
  // https://elevenlabs.io/docs/api-reference/authentication
  "sk_[0-9a-f]{48}\\b",
  // Other services.
  // https://posthog.com/docs/api: personal keys and secret keys of a project.
  `ph[xs]_${DIGIT}[A-Za-z0-9]{32,64}`,
  // https://developers.facebook.com/docs/facebook-login/guides/access-tokens
  `EAA[A-Z]${DIGIT}[A-Za-z0-9]{80,300}`,
  // https://github.com/nostr-protocol/nips/blob/master/19.md
  "nsec1[02-9ac-hj-np-z]{58}\\b",
  "lin_(?:api|oauth)_[A-Za-z0-9]{20,80}",
  `secret_${DIGIT}[A-Za-z0-9]{43}\\b`,
  `ntn_${DIGIT}[A-Za-z0-9]{40,50}`,
  "pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}",
  `pat-(?:na|eu)\\d-${UUID}`,
  "figd_[\\w-]{35,60}",
  // https://www.contentful.com/developers/docs/references/content-management-api/#/introduction/authentication
  `CFPAT-${DIGIT}[\\w-]{40,60}`,
  "PMAK-[0-9a-f]{24}-[0-9a-f]{34}",
  // https://developers.asana.com/docs/personal-access-token, since version 2 with an id of the token.
  "[0-2]/\\d{13,19}(?:/\\d{13,19})?:[0-9a-f]{32}",
  // https://launchdarkly.com/docs/home/account/api
  `(?:sdk|api)-${UUID}`,
  // https://developer.clickup.com/docs/authentication
  "pk_\\d{6,10}_[A-Z0-9]{32}\\b",
  // https://developers.intercom.com/docs/build-an-integration/learn-more/authentication: "tok:" in base64.
  "dG9rO[g-v][A-Za-z0-9+/]{40,80}={0,2}",
  // https://docs.readme.com/main/reference/authentication
  "rdme_[a-z0-9]{70}\\b",
  // https://docs.lob.com/#section/Authentication
  "live_[0-9a-f]{35}\\b",
  // https://docs.prefect.io/v3/how-to-guides/cloud/manage-users/api-keys
  `pn[ub]_${DIGIT}[A-Za-z0-9]{36}\\b`,
  // https://docs.x.com/fundamentals/authentication/oauth-2-0/application-only: part of it is percent-encoded.
  "A{19,30}(?=\\w{0,80}%[23][BDF])[\\w%]{60,160}",
  "sl\\.[\\w-]{130,160}",
  "sk\\.eyJ[\\w-]{20,400}\\.[\\w-]{20,40}",
  "gls?[ac]_(?=\\w{0,60}\\d)[\\w+/=]{32,400}",
  "sntry[su]_[\\w+/=-]{40,300}",
  "NRAK-[A-Z0-9]{27}",
  "dt0[cs]\\d{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}",
  `tfp_${DIGIT}[\\w-]{40,80}`,
  // https://infisical.com/docs/documentation/platform/token
  "st\\.[0-9a-f]{24}\\.[0-9a-f]{32}\\.[0-9a-f]{32}\\b",
  "[xyz]prv[1-9A-HJ-NP-Za-km-z]{100,112}",
  // JSON web tokens, signed or encrypted.
  "eyJ[\\w-]{10,2000}\\.eyJ[\\w-]{10,4000}\\.[\\w-]{10,2000}",
  "eyJ[\\w-]{10,2000}(?:\\.[\\w-]{0,2000}){2}\\.[\\w-]{10,8000}\\.[\\w-]{16,64}",
];

export const TOKENS = new RegExp(`(?<![\\w-])(?:${SHAPES.join("|")})`, "g");

/** Tokens that begin with any sign; searched only if their `hint` is there, because that takes as long. */
export const MARKED_TOKENS: readonly { readonly hint: string; readonly pattern: RegExp }[] = [
  { hint: "8Q~", pattern: /(?<![\w-])\w{3}8Q~[\w.~-]{31,40}/g },
  // https://learn.microsoft.com/azure/devops/organizations/accounts/use-personal-access-tokens-to-authenticate
  { hint: "AZDO", pattern: /(?<![\w-])[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}\b/g },
  // Keys of Azure services with a signature: https://learn.microsoft.com/purview/sit-defn-azure-cognitive-service-key
  {
    hint: "JQQJ99",
    pattern: /(?<![\w-])[A-Za-z0-9]{52}JQQJ99[A-Z0-9][A-L][A-Za-z0-9]{16}[A-Za-z][A-Za-z0-9]{7}\b/g,
  },
  { hint: ".atlasv1.", pattern: /(?<![\w-])[A-Za-z0-9]{14}\.atlasv1\.[\w-]{30,255}/g },
  { hint: ":AA", pattern: /(?<![\w-])\d{8,10}:AA[\w-]{32,40}/g },
  // https://firebase.google.com/docs/cloud-messaging/migrate-v1: a key of a server.
  { hint: ":APA91b", pattern: /(?<![\w-])AAAA[\w-]{7}:APA91b[\w-]{100,160}/g },
  { hint: "NRAL", pattern: /(?<![\w-])[0-9a-f]{36}NRAL/g },
];

/** Addresses that accept messages from everybody who knows them. */
export const WEBHOOKS = new RegExp(
  [
    "hooks\\.slack\\.com/(?:services/T\\w{4,20}/B\\w{4,20}/\\w{10,40}|workflows/T\\w{4,20}/A\\w{4,20}/\\d{6,24}/\\w{10,40})",
    "discord(?:app)?\\.com/api/webhooks/\\d{10,24}/[\\w-]{30,100}",
    "webhook\\.office\\.com/webhookb2/[\\w-]{36}@[\\w-]{36}/\\w{4,40}/[0-9a-f]{32}",
    `(?:feishu\\.cn|larksuite\\.com)/open-apis/bot/v2/hook/${UUID}`,
  ].join("|"),
  "g",
);

/** Hashes of passwords, as in `shadow` and `.htpasswd`. */
export const HASHES =
  /\$(?:2[abxy]\$\d\d\$[./\w]{53}|(?:1|5|6|7|y|apr1|md5)\$(?:[\w=,]{1,40}\$)?[./\w]{1,40}\$[./\w]{22,100}|argon2id?\$v=\d{1,4}\$[\w=,]{1,60}\$[+/\w]{8,100}\$[+/\w]{16,200})/g;

/** A value within a text. */
interface EmbeddedValue {
  /** Text without which the pattern, which takes longer, cannot match. */
  readonly hint: string;
  /** True if a program writes the value: it is no placeholder and may have any signs. */
  readonly isGenerated?: true;
  /** Each match ends with the value, which is group 1; a lookbehind may hold it. */
  readonly pattern: RegExp;
}

export const EMBEDDED: readonly EmbeddedValue[] = [
  // Password=…; in a connection string, also in that of a JDBC driver.
  {
    hint: "=",
    pattern:
      /(?<![\w.-])(?:password|pwd|accountkey|sharedaccesskey|sharedsecret)=(?=([^;&"'\s\\]{4,128}))\1(?=[;&]|\\?["'])/gi,
  },
  { hint: "=", pattern: /(?:accountkey|sharedaccesskey)=([\w+/]{20,120}={0,2})/gi },
  { hint: "jdbc:oracle:", pattern: /jdbc:oracle:\w{1,20}:[\w$]{1,60}\/([^@\s"']{3,100})(?=@)/g },
  // host=db password=secret dbname=x
  {
    hint: "password=",
    pattern: /\bhost=[^\s=]{1,255}[ \t](?:(?!\bhost=)[^\n"']){0,255}?\bpassword=([^\s"']{3,255})/g,
  },
  // user:secret@tcp(host)/db
  { hint: "@tcp(", pattern: /(?=@tcp\()(?<=(?<![\w/:@-])[\w.-]{1,60}:([^\s/:@"'`]{3,200}))/g },
  // https://www.elastic.co/docs/reference/beats/filebeat/configure-cloud-id
  {
    hint: "cloud.auth",
    pattern: /\bcloud\.auth["']?[ \t]{0,4}[:=][ \t]{0,4}["']?[\w.-]{1,60}:([^\s"']{6,200})/g,
  },
  // https://learn.microsoft.com/purview/sit-defn-azure-devops-personal-access-token
  {
    hint: "_PAT",
    pattern: /_PAT\\?["']?[ \t]{0,4}[:=][ \t]{0,4}\\?["']?((?=[a-z]{0,51}\d)[a-z0-9]{52})(?!\w)/g,
  },
  // .npmrc
  {
    hint: ":_",
    pattern: /:_(?:authtoken|auth|password)[ \t]{0,4}=[ \t]{0,4}["']?([^\s"']{5,512})/gi,
  },
  // .netrc
  {
    hint: "machine",
    pattern:
      /^[ \t+-]{0,8}machine\s{1,40}\S{1,255}\s(?:[\s+-]{0,40}(?:login|account)\s{1,40}\S{1,255}\s){0,2}[\s+-]{0,40}password\s{1,40}(\S{3,512})/gm,
  },
  // .pgpass: host:port:database:user:secret
  {
    hint: ":",
    pattern:
      /:(?:\d{4,5}|\*)(?<=^[+-]?[\w.*-]{1,255}:(?:\d{4,5}|\*)):[\w.*-]{1,64}:[\w.*@-]{1,64}:([^\s:]{3,255})$/gm,
  },
  // https://user:secret@host, https://token@host
  { hint: "://", pattern: /:\/\/[^\s/:@"'<>`]{0,100}:([^\s/@"'<>`]{4,300})(?=@[\w[/])/g },
  { hint: "://", pattern: /:\/\/((?=[a-z_-]{0,40}\d)[\w-]{20,300})(?=@[\w[])/gi },
  // ?access_token=secret
  {
    hint: "=",
    pattern:
      /[?&;](?:[\w-]{0,20}(?:token|api[_-]?key|secret|password|passwd|signature)|sig|key|code|auth)=((?=[a-z.~%+/_-]{0,60}\d)(?=[\d.~%+/_-]{0,60}[a-z])[\w.~%+/=-]{16,2000})/gi,
  },
  // Authorization: Bearer secret
  {
    hint: "uthorization",
    pattern:
      /authorization\\?["'`\]]{0,2}(?:[ \t]{0,4}[:=,]?[ \t]{0,4}|\s{0,8},\s{0,40}\\?"value\\?"\s{0,4}:\s{0,4})\\?["'`]?[ \t]{0,2}(?:bearer|token|apikey|bot|digest|negotiate)[ \t]{1,4}((?=[a-z._~+/-]{0,60}\d)(?=[\d._~+/-]{0,60}[a-z])[\w.~+/=-]{12,4000})/gi,
  },
  // https://developer.okta.com/docs/reference/core-okta-api/#authentication
  { hint: "SSWS", pattern: /\bSSWS[ \t]{1,4}([\w-]{30,60})/g },
  // https://httpd.apache.org/docs/2.4/misc/password_encryptions.html
  { hint: "{S", pattern: /\{S?SHA(?:256|512)?\}([A-Za-z0-9+/]{27,120}={0,2})/g },
  // Private keys of Ethereum: 32 bytes. Hashes have the same form, so a name comes before.
  // https://hardhat.org/hardhat-runner/docs/config and https://viem.sh/docs/accounts/local/privateKeyToAccount
  {
    hint: "0x",
    pattern:
      /(?:private[\w "'-]{0,20}[:=]|(?:deployer|signer|wallet|owner|operator|admin|relayer|validator|minter|sender|account|eth(?:ereum)?|evm|secret)[\w-]{0,20}key\\?["'`\]]{0,2}[ \t]{0,4}[:=]|(?<![a-z])pk["'`]?[ \t]{0,4}[:=]|\baccounts?["']?[ \t]{0,4}[:=]\s{0,4}\[|\bwallet\(|privatekeytoaccount\()\s{0,40}["'`]?(0x[0-9a-f]{64})(?!\w)/gi,
  },
  // RFC 7517: a symmetric key has the value "k".
  {
    hint: "oct",
    pattern:
      /"kty"\s{0,4}:\s{0,4}"oct"(?:(?!"kty")[^{}]){0,400}?"k"\s{0,4}:\s{0,4}"([\w-]{16,400})/g,
  },
  {
    hint: "oct",
    pattern:
      /"k"\s{0,4}:\s{0,4}"([\w-]{16,400})(?="(?:(?!"k")[^{}]){0,400}"kty"\s{0,4}:\s{0,4}"oct")/g,
  },
  // RFC 6265: any cookie of a header, also in the headers of a HAR file and in curl's option.
  // http://www.softwareishard.com/blog/har-12-spec/
  {
    hint: "=",
    pattern:
      /(?:\bcookie\\?["'`]?(?:[ \t]{0,4}(?::|,|=>?)[ \t]{0,4}|\s{0,8},\s{0,40}\\?"value\\?"\s{0,4}:\s{0,4})|[ \t](?:-b|--cookie)[ \t=])\\?["'`]?(?:[\w.-]{1,60}=[^;\s"'`]{0,400};[ \t]{0,4}){0,30}?[\w.-]{1,60}=((?=[a-z._~+/-]{0,60}\d)[\w.%~+/-]{24,4000})/gi,
  },
  // The list of cookies of a HAR file and of Playwright's storage state.
  {
    hint: '"cookies"',
    pattern:
      /"cookies"\s{0,8}:\s{0,8}\[\s{0,80}\{(?:(?!"cookies")[^\]]){0,1000}?"value"\s{0,8}:\s{0,8}"((?=[^"\d]{0,60}\d)[^"\\\s]{24,4000})/g,
  },
  // https://www.twilio.com/docs/usage/requests-to-twilio: the account, then its token.
  {
    hint: ",",
    pattern: /(?:\bAC[0-9a-f]{32}["']|sid)[ \t]{0,4},\s{0,40}["']([0-9a-f]{32})(?=["'])/gi,
  },
  // https://registry.terraform.io/providers/hashicorp/random/latest/docs/resources/password
  {
    hint: '"random_password"',
    isGenerated: true,
    pattern:
      /"random_password"(?:(?!"random_password"|"mode")[^]){0,4000}?"result"\s{0,8}:\s{0,8}"((?:(?!"(?:random_password|mode)")[^]){4,16384})/g,
  },
  // https://support.google.com/accounts/answer/185833: 16 letters, shown in four groups.
  {
    hint: " ",
    pattern:
      /(?:(?:(?:gmail|smtp)[^]{0,40}?|(?:app|google|mail)[\w .-]{0,20}?)pass(?:word|wd)?\\?["'`\]]{0,2}[ \t]{0,4}[:=][ \t]{0,4}|@gmail\.com["'`][ \t]{0,4},\s{0,40})\\?["'`]?([a-z]{4}(?: [a-z]{4}){3})(?![\w-]| \w)/gi,
  },
  // A comment that ends with a user's name and a password: `# login: admin / secret1`.
  {
    hint: ":",
    pattern:
      /(?:#|\/\/|\/\*|--|;)[^\n:#;/]{0,20}\b(?:log-?in|accounts?|creds|credentials?|user(?:name)?s?)[ \t]{0,4}:[ \t]{0,4}[\w.@+-]{2,60}(?:[ \t]{1,4}[/|][ \t]{1,4}|[/:])((?=[^\s\d]{0,60}\d)(?=[^\sa-z]{0,60}[a-z])[^\s"'`/<>(),:]{6,60})(?=[ \t]{0,8}(?:\*\/|-->)?[ \t]{0,8}\r?$)/gim,
  },
  // https://www.pgbouncer.org/config.html#authentication-file-format
  {
    hint: '"',
    isGenerated: true,
    pattern:
      /^"[^"\n]{1,64}"[ \t]{1,8}"(md5[0-9a-f]{32}|SCRAM-SHA-256\$\d{1,9}:[\w+/=]{8,64}\$[\w+/=]{44}:[\w+/=]{44})(?=")/gm,
  },
  // https://learn.microsoft.com/windows-hardware/customize/desktop/unattend/microsoft-windows-shell-setup-useraccounts
  { hint: "assword>", pattern: /password>\s{0,80}<value>([^<>\s]{4,400})(?=<)/gi },
  // https://docs.strongswan.org/docs/latest/swanctl/swanctlConf.html and ipsec.secrets
  { hint: "PSK", pattern: /:[ \t]{0,8}PSK[ \t]{1,8}"([^"\n]{4,200})(?=")/g },
  // Programs: curl -u user:secret, mysql -psecret, sshpass -p secret, docker login -p secret
  {
    hint: "curl",
    pattern:
      /\bcurl\b(?:(?!\bcurl\b)[^\n]){0,500}?[ \t](?:-u|--(?:proxy-)?user)[ \t=]{0,4}["']?[^\s:"'$<{]{1,100}:([^\s"'$<{][^\s"']{2,200})/g,
  },
  {
    hint: " -p",
    pattern:
      /\b(?:mysql|mysqldump|mysqladmin|mariadb)\b(?:(?!\b(?:mysql|mariadb))[^\n]){0,300}?[ \t]-p(?!ort\b|assword\b|rotocol\b)([^\s"'$<{-][^\s"']{2,200})/g,
  },
  { hint: "sshpass", pattern: /\bsshpass[ \t]{1,4}-p[ \t]{0,4}["']?([^\s"'$<{-][^\s"']{2,200})/g },
  {
    hint: "login",
    pattern:
      /\b(?:docker|podman|oc|helm registry|az)[ \t]{1,4}login\b[^\n]{0,300}?[ \t](?:-p|--password|--token)[ \t=]{1,4}["']?([^\s"'$<{-][^\s"']{2,200})/g,
  },
  {
    hint: " -",
    pattern:
      /\b(?:redis-cli|mongo(?:sh|dump|restore)?|ldap\w{3,8}|zip|unzip|ssh-keygen|7z|gpg)\b(?:(?!\b(?:redis-cli|mongo|ldap|zip|unzip|ssh-keygen|7z|gpg))[^\n]){0,300}?[ \t]-[apwPN][ \t]?["']?((?=[^\s"']{0,60}\d)(?=[^\s"']{0,60}[a-z])[^\s"'$<{/.-][^\s"'/]{5,200})/g,
  },
  { hint: "--from-literal", pattern: /--from-literal[ =]["']?[\w.-]{1,60}=([^\s"'$<{]{4,255})/g },
  // Arguments of functions that connect: host and user come before the password.
  {
    hint: ",",
    pattern:
      /\b(?:mysqli(?:_connect)?|PDO|getConnection|Sequelize|login|auth=|BasicAuth)\((?:[^()\n"',]{0,40}(?:["'][^"'\n]{0,200}["'])?[ \t]{0,4},[ \t]{0,4}){1,3}["']((?=[^"'\n]{0,60}\d)[^"'\s]{6,200})(?=["'])/g,
  },
  // A table with a column of passwords.
  {
    hint: "assword",
    pattern:
      /^\uFEFF?(?=[^\n]{0,500}[,;\t])(?:[^\n,;\t]{1,60}[,;\t]){0,20}["']?[\w ]{0,40}password["']?(?:[,;\t][^\n]{0,500})?\r?\n((?=[^\n]{0,1000}[,;\t])[^]{6,20000})/gi,
  },
  {
    hint: "assword",
    pattern:
      /\|[ \t]{0,20}password[ \t]{0,20}\|[^\n]{0,200}\n[ \t]{0,8}\|[-| :\t]{3,200}\n((?=[^\n]{0,400}\d)[ \t]{0,8}\|[^\n]{3,1000})/gi,
  },
  // SQL
  {
    hint: "'",
    pattern:
      /\bidentified[ \t]{1,4}(?:with[ \t]{1,4}\S{1,60}[ \t]{1,4})?by[ \t]{1,4}(?:password[ \t]{1,4})?'([^'\n]{3,200})/gi,
  },
  { hint: "otpauth://", pattern: /\botpauth:\/\/[^\s"']{1,400}?[?&]secret=([A-Z2-7]{8,128})/gi },
];

/** `user:secret` in base64, after a name; group 1 is the base64. */
export const BASIC =
  /(?:auth(?:orization)?|basic|credentials?)\\?["'`\]]{0,2}[ \t]{0,4}[:=,]?[ \t]{0,4}\\?["'`]?(?:basic[ \t]{1,4})?([A-Za-z0-9+/]{8,1000}={0,2})(?![\w+/])/gi;
