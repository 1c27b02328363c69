/**
 * Files in which a few lines can run programs or let somebody in: whatever a model wrote for them
 * is asked about once more before it is kept there.
 */

/** Why a file is sensitive. */
export type Sensitivity =
  /** Runs when a shell, an editor, git or a build does something. */
  | "runs-by-itself"
  /** Holds secrets or decides who may come in. */
  | "guards-access";

const RUNS_BY_ITSELF: readonly RegExp[] = [
  /(^|\/)\.(bash|zsh|ksh|csh|tcsh|fish|k)(rc|env|profile|login|logout|_profile|_login|_logout)$/,
  /(^|\/)\.(profile|zprofile|zshenv|zlogin|xprofile|xinitrc|xsession|inputrc|envrc|vimrc|emacs)$/,
  /(^|\/)(config\.fish|[^/]*_profile\.ps1|profile\.ps1)$/,
  /(^|\/)\.vscode\/(settings|tasks|launch|extensions|mcp)\.json$/,
  /\.code-workspace$/,
  /(^|\/)\.(git|husky|githooks)\//,
  /(^|\/)\.gitconfig$/,
  /(^|\/)(\.github\/workflows|\.circleci|\.gitea\/workflows)\//,
  /(^|\/)(\.gitlab-ci\.yml|jenkinsfile|azure-pipelines\.ya?ml|\.travis\.yml)$/,
  /(^|\/)(\.devcontainer\/.*|devcontainer\.json)$/,
  /(^|\/)(\.npmrc|\.yarnrc(\.yml)?|\.pnpmfile\.cjs|pip\.conf|\.condarc)$/,
  /(^|\/)(crontab|cron\.d\/.*|[^/]+\.service|[^/]+\.timer|[^/]+\.desktop|[^/]+\.plist)$/,
  /(^|\/)\.config\/autostart\//,
];

const GUARDS_ACCESS: readonly RegExp[] = [
  /(^|\/)\.(ssh|gnupg|aws|kube|docker)\//,
  /(^|\/)\.env(\.[^/]+)?$/,
  /(^|\/)(\.netrc|\.pgpass|\.htpasswd|authorized_keys|known_hosts|sudoers|passwd|shadow|hosts)$/,
  /\.(pem|key|p12|pfx)$/,
];

/** Whether a path (with `/` between names, any case) is of that kind; undefined if not. */
export function sensitivityOf(path: string): Sensitivity | undefined {
  const plain = path.replaceAll("\\", "/").toLowerCase();
  if (RUNS_BY_ITSELF.some((pattern) => pattern.test(plain))) return "runs-by-itself";
  return GUARDS_ACCESS.some((pattern) => pattern.test(plain)) ? "guards-access" : undefined;
}
