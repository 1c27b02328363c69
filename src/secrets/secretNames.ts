/**
 * Recognizes files that usually hold secrets by their paths. Their text is never sent without a
 * question. Files that run programs are classified in sensitivePath.ts.
 */

/** Base names, in lower case. */
const NAMES = new Set(
  `
  .netrc _netrc .authinfo .pgpass pgpass.conf .pg_service.conf pg_service.conf .my.cnf .mylogin.cnf
  .htpasswd .htdigest .git-credentials git-credentials .gitcredentials .gitconfig .hgrc .cvspass
  .npmrc .yarnrc .yarnrc.yml .pypirc pip.conf pip.ini .condarc nuget.config .envrc .flaskenv
  .dockercfg .dockerconfigjson .s3cfg .boto .passwd-s3fs .terraformrc terraform.rc
  credentials.tfrc.json rclone.conf kubeconfig .kubeconfig wp-config.php config.inc.php
  localsettings.php local.settings.json keystore.properties key.properties
  application_default_credentials.json kaggle.json .databrickscfg .snowsql .cdsapirc .clasprc.json
  .sentryclirc .transifexrc .smbcredentials .msmtprc .fetchmailrc .mbsyncrc .offlineimaprc .ldaprc
  wpa_supplicant.conf .ftpconfig ftpconfig.json sftp.json sftp-config.json .remote-sync.json
  winscp.ini sitemanager.xml recentservers.xml .xauthority .iceauthority .erlang.cookie .rhosts
  .histfile consolehost_history.txt logins.json key3.db key4.db cookies.sqlite cookies.txt wallet.dat
  private_key privatekey private-key authorized_keys known_hosts sudoers passwd shadow gshadow hosts
  arduino_secrets.h token.json tokens.json token.pickle .token .claude.json .openai .anthropic
  .slack-token .slackcat .twurlrc .consul-token vault-token authorized_keys2 htpasswd .htaccess identity
  my.cnf .odbc.ini odbc.ini tnsnames.ora cwallet.sso rootkey.csv accesskeys.csv .rclone.conf passwd-s3fs
  kube.config kubeconfig.yaml kubeconfig.yml kube-config.yaml kube-config.yml kubelet.conf k3s.yaml
  config.kube talosconfig admin.conf sa-key.json google-services.json googleservice-info.plist
  signing.properties sentry.properties storagestate.json keypair.json cookies.json .cookies cookies
  cert9.db signons.sqlite sam ntds.dit .lesshst .viminfo .netrwhist .wakatime.cfg wakatime.cfg ngrok.yml
  .ngrok.yml .gemrc .esmtprc .muttrc .getmailrc getmailrc ssmtp.conf .k5login .pam_environment .mongorc.js .vncpasswd
  filezilla.xml credentials-config.json datasources.local.xml webservers.xml pgadmin4.db gitlab.rb knife.rb
  wp-config-local.php access_tokens.db accesstokens.json azureauth.json msal_token_cache.json
  .mcp.json unattend.xml autounattend.xml tomcat-users.xml web.config dump.rdb
  ipsec.conf ipsec.secrets userlist.txt hf_token discord_token.txt
  psk.txt groups.xml mcp_config.json claude_desktop_config.json .aider.conf.yml mailrc .mail.rc swanctl.conf
  pgbouncer.ini appendonly.aof minidump.dmp lsass.dmp ntuser.dat sysprep.xml lastpass.csv authinfo.gpg
  .rediscli_auth galaxy_token settings.local.php mcp.json
  .modal.toml .replicate state.vscdb
  secret_token.rb usersecrets.json keys.txt age-key.txt age-keys.txt seed.txt mnemonic.txt connectionstrings.config
  `
    .trim()
    .split(/\s+/),
);

/** Endings of names, after the last dot. */
const ENDINGS = new Set(
  `
  pem key p12 pfx pkcs12 p8 pk8 ppk pvk snk jks jceks keystore bks kdb kdbx psafe3 agilekeychain
  opvault 1pif 1pux bcfks ubr sso age rdg remmina keychain keychain-db keyring keytab agekey pubring ovpn nmconnection rdp mobileprovision
  provisionprofile mobileconfig publishsettings cscfg tfvars tfstate tfplan env envrc htpasswd netrc
  pgpass dockerconfigjson vault kubeconfig secret secrets credential credentials creds passwd
  password passwords token apikey har hprof psk
  `
    .trim()
    .split(/\s+/),
);

/** Endings of files that hold data and no program. */
const DATA =
  "(?:json[c5]?|ya?ml|toml|ini|conf|config|cfg|cnf|properties|xml|plist|txt|csv|enc|edn|hcl|env|sh|asc|gpg|db|xlsx?)";

/** Words for secrets, as parts of a name. */
const WORDS =
  "(?:secrets?|credentials?|creds?|passwords?|passwd|pass(?:phrase|code)s?|api[_-]?keys?|private[_-]?keys?|deploy[_-]?keys?|service[_-]?accounts?|access[_-]?tokens?|(?:recovery|backup)[_-]?codes?|seed[_-]?phrases?|(?:unseal|root)[_-]?(?:keys?|tokens?)|logins)";

/** Patterns of names. Reads at most 255 UTF-16 units. */
const NAME_PATTERNS: readonly RegExp[] = [
  // `.env`, `.env.local`, `.env-prod`; `prod.env` by its ending; `prod.env.local`.
  /^\.env(?:[._-].*)?$/,
  /^env(?:\.(?:local|dev\w*|prod\w*|stag\w*|test|ci|secrets?|private|keys|vault))?$/,
  /\.env\.(?:local|dev\w*|prod\w*|stag\w*|test|ci|secrets?|private)$/,
  /^\.dev\.vars(?:\..*)?$/,
  // SSH keys under their usual names.
  /^id_[\w@-]+$/,
  /^(?:.*[._-])?(?:rsa|dsa|ecdsa|ed25519)(?:[._-](?:sk|key|priv\w*|old|bak))?$/,
  /^ssh_host_.*_key$/,
  // Files named after secrets with any ending; longer names only for data files.
  /^[._]?(?:secrets?|credentials?)(?:\.[^.]+)*$/,
  new RegExp(`^(?:.*[._-])?${WORDS}(?:[._-].*)?\\.${DATA}$`),
  new RegExp(`^(?:.*[._-])?${WORDS}(?:[_-][^.]*)?$`),
  new RegExp(
    `^(?:client|app|oauth2?|jwt|aws|gcp|gcloud|azure|github|gitlab|firebase|google|openai|anthropic|stripe|slack|play[_-]?store|app[_-]?store)[_-]?(?:secrets?|tokens?|keys?|creds?|credentials?)(?:[._-].*)?\\.${DATA}$`,
  ),
  /firebase-adminsdk.*\.json$/,
  // `project-1a2b3c4d5e6f.json` as Google names keys, `api-123-456.json` of Google Play.
  /^[a-z][a-z\d-]{3,40}-(?=[a-f]*\d)[\da-f]{12}\.json$/,
  /^(?:api|pc-api)-[\d-]{4,30}\.json$/,
  // Exports of password managers, and browsers' own databases.
  /^(?:bitwarden|lastpass|1password|keepass|dashlane|chrome|firefox)[ _-].*\.(?:csv|json|xml|txt)$/,
  /^1password\.csv$/,
  /^(?:login data|web data)(?: for account)?$/,
  /^(?:pass|pw|pwd|2fa|cred|sasl_passwd|(?:open)?vpn[_-]?auth|\w{1,20}[_-]webhook(?:[_-]url)?)\.(?:txt|md|json|csv|db)$/,
  /^(?:openai|anthropic|github|gitlab|aws|gcp|azure|slack|stripe)[_-](?:key|token)$/,
  /^[\w .-]*passwords?(?:[ ._-].*)?\.(?:txt|csv|docx?|xlsx?|ods|odt|rtf)$/,
  /^wp-config[\w.-]*$/,
  // WireGuard and Kerberos.
  /^wg\d{1,3}\.conf$/,
  /^krb5cc_/,
  /^(?:shadow|gshadow|passwd)-$/,
  // Vaults of Ansible and HashiCorp.
  /^\.vault/,
  new RegExp(`^(?:.*[._-])?vault(?:[._-].*)?\\.${DATA}$`),
  /\.(?:tfvars|tfstate)\.(?:json|backup)$/,
  /\.tfstate\.[\w.-]*backup$/,
  /^appsettings\.(?:local|secrets?|dev\w*|prod\w*|stag\w*)\.json$/,
  /(?:private|secret|^sec|_sec|-sec|^key)[^/]*\.(?:asc|gpg|pgp)$/,
  /^secring\./,
  /^\.envrc\./,
  /(?:^|[._-])vault[_-]?pass(?:word)?s?(?:\.\w+)?$/,
  /^(?:\.\w+_history|fish_history|.*\.history)$/,
  /^utc--\d{4}-/,
  // Dumps of databases hold users and their passwords: https://www.postgresql.org/docs/current/backup-dump.html
  /(?:^|[._-])(?:\w{0,10}dump(?:all)?|backup|export|snapshot|prod|production)(?:[._-].*)?\.(?:sql|pgsql|rdb|dump)$/,
  // https://learn.microsoft.com/aspnet/core/host-and-deploy/iis/transform-webconfig
  /^web\.[\w-]+\.config$/,
  // https://docs.wildfly.org/34/Admin_Guide.html#add-user-utility
  /^(?:mgmt|application|jboss)-users\.properties$/,
  /^wpa_supplicant[\w-]*\.conf$/,
  // `telegram_token`, `bot-token.txt`
  /^(?:[a-z\d]+[_-])?(?:bot|discord|telegram|slack|hf|huggingface|npm|pypi|gh|ssh|vault|bearer|refresh)[_-](?:token|key)(?:\.(?:txt|json))?$/,
  /^mysql_history$/,
];

/** Parts of the whole path. Reads at most 1,024 UTF-16 units. */
const PATH_PATTERNS: readonly RegExp[] = [
  /(?:^|\/)\.(?:ssh|gnupg|aws|azure|kube|docker|oci|chef|password-store|pki|minikube|bluemix|jfrog|fly|heroku|ngrok2|snowflake|snowsql|vnc|wireguard|solana|remmina|digitalocean|electrum|doppler|lastpass|config\/(?:gcloud|gh|hub|glab-cli|op|doctl|configstore|rclone|heroku|solana|ngrok|stripe|hcloud|scw|linode-cli|age|crush))(?:\/|$)/,
  // Sessions of browser tests, and keys of wallets.
  /(?:^|\/)\.auth\/[^/]+\.json$/,
  /(?:^|\/)solana\/id\.json$/,
  /(?:^|\/)wireguard\/[^/]+\.conf$/,
  /(?:^|\/)(?:openvpn\/auth\.txt|poetry\/auth\.toml|\.bundle\/config|\.circleci\/cli\.yml|\.travis\/config\.yml|\.dbt\/profiles\.yml|\.jupyter\/[^/]+\.json|\.mc\/config\.json|fastlane\/[^/]+\.json|doctl\/config\.ya?ml|app\/etc\/(?:env\.php|local\.xml)|gitlab-runner\/config\.toml|group_vars\/(?:[^/]+\/)?vault)$/,
  // `.env/` itself is a usual name of a Python environment: https://docs.python.org/3/library/venv.html
  /(?:^|\/)\.(?:envs|env\.d)\//,
  // https://symfony.com/doc/current/configuration.html and https://guides.rubyonrails.org/configuring.html
  /(?:^|\/)config\/(?:database|parameters)\.ya?ml$/,
  // https://docs.continue.dev/reference, https://docs.windsurf.com/windsurf/cascade/mcp
  /(?:^|\/)\.(?:continue|codeium|railway|wrangler)\/(?:.*\/)?(?:config|default)\.(?:ya?ml|json|toml)$/,
  /(?:^|\/)(?:gcloud|github-copilot|gh)\/(?:.*\/)?(?:hosts\.(?:ya?ml|json)|apps\.json|[^/]*\.db)$/,
  /(?:^|\/)gcloud\/legacy_credentials\//,
  /(?:^|\/)\.git\/(?:.*\/)?(?:config(?:\.worktree)?|credentials)$/,
  /(?:^|\/)\.?git\/credentials$/,
  /(?:^|\/)\.(?:cargo|gem|composer|codex|netlify|subversion|gitlab-runner|gradle|m2|huggingface|jupyter|nuget|vercel|expo)\/(?:.*\/)?(?:credentials|auth|config|gradle|settings|settings-security|token|state|nuget)(?:\.\w+)?$/,
  /(?:^|\/)com\.vercel\.cli\/auth\.json$/,
  /(?:^|\/)(?:huggingface\/token|\.?sops\/(?:age\/keys|age)\.txt|atuin\/key|io\.datasette\.llm\/keys\.json|\.config\/llm\/keys\.json)$/,
  /(?:^|\/)(?:composer\/)?auth\.json$/,
  /(?:^|\/)sites\/[^/]+\/settings[^/]*\.php$/,
  /(?:^|\/)(?:run|var\/run)\/secrets\//,
  /(?:^|\/)ssl\/private\//,
  /^\/proc\/[^/]+\/(?:environ|cmdline|mem)$/,
  new RegExp(
    `(?:^|/)\\.?(?:secrets?|credentials|private[_-]?keys?)/(?:.*/)?[^/]*(?:\\.${DATA}|/[^./]+)$`,
  ),
  /(?:^|\/)\.?(?:secrets?|credentials|private[_-]?keys?)\/(?:.*\/)?[^./]+$/,
];

/** Names of examples, declarations and public keys, which hold no secrets. */
const HARMLESS = [
  /(?:[._-](?:example|sample|template|tmpl|dist|schema|defaults?)(?:\.\w+)?|\.pub|\.md|\.mdx|\.rst|\.d\.[cm]?ts)$/,
  /(?:^|[._-])pub(?:lic)?(?:[._-]?key)?\.(?:pem|key|der)$/,
  // Encrypted for a cluster, and references: https://github.com/bitnami-labs/sealed-secrets, https://external-secrets.io
  /(?:^|[._-])(?:sealed|external)[_-]?secrets?(?:[_-][^.]{0,60})?\.ya?ml$/,
];

/** Texts of an interface, as in `locales/en/password.json`: https://www.i18next.com/how-to/add-or-load-translations */
const TRANSLATION =
  /(?:^|\/)(?:locales?|i18n|l10n|translations?|lang)\/(?:[\w-]+\/){0,4}[\w-]+\.(?:json|ya?ml|po)$/;

/** Endings of copies: `.env.bak`, `id_rsa.old`, `secrets.yaml~`, `.credentials.json.swp`. */
const COPY =
  /(?:~|\.(?:bak|backup|old|orig|save|saved|copy|tmp|sw[a-p]|dpkg-\w+|rpm\w+|\d{1,14})|[ _-]copy(?: \d+)?| \(\d+\))$/;

/**
 * Longest path that is checked, in UTF-16 units: the patterns take quadratic time. A longer path raises
 * concern unread; systems hardly have one (PATH_MAX of macOS is 1,024 bytes).
 */
export const MAX_PATH = 1_024;
const MAX_NAME = 255;

/** Limit of copy endings that are removed from a name. */
const MAX_COPIES = 5;

/**
 * Returns true if a file with this path usually holds secrets, and for a path over the limit.
 * @param path of any platform, in any case
 */
export function mayHoldSecrets(path: string): boolean {
  if (path.length > MAX_PATH) return true;
  const plain = path
    .normalize("NFKC")
    .replaceAll("\\", "/")
    // Windows reads `.env.` and `.env::$DATA` as `.env`.
    .replace(/::?\$data$/i, "")
    .replace(/[. ]{1,20}$/, "");
  // serviceAccountKey.json
  const hyphenated = plain.replace(/([a-z])(?=[A-Z][a-z])/g, "$1-");
  return (
    isOrCopies(plain.toLowerCase()) ||
    (hyphenated !== plain && isOrCopies(hyphenated.toLowerCase()))
  );
}

/** True if the path, or for a copy the path of its original, is known to hold secrets. */
function isOrCopies(path: string): boolean {
  let plain = path;
  for (let copies = 0; copies <= MAX_COPIES; copies++) {
    if (isSecretPath(plain)) return true;
    // Backup copies of editors also begin with a mark.
    const original = plain
      .replace(COPY, "")
      .replace(/(?: \(\d+\)|[ _-]copy(?: \d+)?)(?=\.\w+$)/, "")
      .replace(/(^|\/)(?:\.#|#|~\$)([^/]+?)#?$/, "$1$2");
    if (original === plain || original.endsWith("/") || original === "") return false;
    plain = original;
  }
  return false;
}

function isSecretPath(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1).slice(-MAX_NAME);
  if (TRANSLATION.test(path) || HARMLESS.some((pattern) => pattern.test(name))) return false;
  const ending = name.slice(name.lastIndexOf(".") + 1);
  return (
    NAMES.has(name) ||
    (ending !== name && ENDINGS.has(ending)) ||
    NAME_PATTERNS.some((pattern) => pattern.test(name)) ||
    PATH_PATTERNS.some((pattern) => pattern.test(path))
  );
}
