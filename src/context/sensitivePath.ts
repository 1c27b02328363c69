/**
 * Recognizes files in which a few lines can run programs or grant access. A model's edits to such
 * files are confirmed once more before they are kept.
 */
import { mayHoldSecrets } from "./secretNames";

/** Reason why a file is sensitive. */
export type Sensitivity =
  /** Runs when a shell, an editor, git or a build starts or works. */
  | "runs-by-itself"
  /** Holds secrets or access rules. */
  | "guards-access";

const RUNS_BY_ITSELF: readonly RegExp[] = [
  // Shells, editors, debuggers and interpreters read these when they start.
  /(^|\/)\.(bash|zsh|ksh|csh|tcsh|fish|k)(rc|env|profile|login|logout|_profile|_login|_logout)$/,
  /(^|\/)\.(profile|zprofile|zshenv|zlogin|xprofile|xinitrc|xsession|inputrc|envrc|tmux\.conf|screenrc)$/,
  /(^|\/)[._](vimrc|gvimrc|exrc|nvimrc|nvim\.lua|emacs|dir-locals\.el|gdbinit|lldbinit)$/,
  /(^|\/)\.(pythonrc(\.py)?|pdbrc|irbrc|pryrc|rprofile|octaverc|curlrc|wgetrc|psqlrc|sqliterc)$/,
  /(^|\/)(\.config\/nvim|\.vim|\.emacs\.d|\.ipython\/profile_[^/]+\/startup|\.julia\/config)\//,
  // Extensions of editors run these configurations as programs when a file is opened.
  /(^|\/)(\.(eslintrc|prettierrc|stylelintrc|mocharc)|(eslint|prettier|stylelint)\.config)\.[cm]?[jt]s$/,
  /(^|\/)conftest\.py$/,
  /(^|\/)(config\.fish|[^/]*_profile\.ps1|profile\.ps1|sitecustomize\.py|usercustomize\.py|[^/]+\.pth)$/,
  // Editors and assistants: tasks, launch configurations, servers, hooks.
  /(^|\/)\.(vscode|vscode-server|cursor|claude|windsurf|zed|idea|fleet|devcontainer|codex|gemini|continue)\//,
  /(^|\/)(\.?mcp\.json|\.?devcontainer\.json|\.claude\.json)$/,
  /\.code-workspace$/,
  // Git and its hooks.
  /(^|\/)\.(git|husky|githooks)\//,
  /(^|\/)\.(gitconfig|gitattributes|gitmodules)$/,
  /(^|\/)(\.pre-commit-config\.ya?ml|\.?lefthook(-local)?\.ya?ml|\.lintstagedrc(\.\w+)?|lint-staged\.config\.\w+)$/,
  // Continuous integration.
  /(^|\/)\.(github|gitea|forgejo)\/(workflows|actions)\//,
  /(^|\/)\.(circleci|buildkite|woodpecker)\//,
  /(^|\/)(\.gitlab-ci\.yml|jenkinsfile|azure-pipelines\.ya?ml|bitbucket-pipelines\.ya?ml|\.?appveyor\.ya?ml|cloudbuild\.ya?ml|buildspec\.ya?ml|\.travis\.yml|\.drone\.yml|\.woodpecker\.ya?ml)$/,
  // Package managers and build tools: files that an install, a build or an import runs.
  /(^|\/)(package\.json|\.npmrc|\.yarnrc(\.yml)?|\.pnpmfile\.cjs|binding\.gyp|composer\.json)$/,
  /(^|\/)(pip\.conf|pip\.ini|\.condarc|setup\.py|\.?mise\.toml|conanfile\.py)$/,
  /(^|\/)\.yarn\/(releases|plugins|sdks)\//,
  /(^|\/)(gnu)?makefile$|\.mk$/,
  /(^|\/)\.?(justfile|taskfile\.ya?ml|rakefile|vagrantfile|build\.rs|\.bazelrc|bazelrc)$/,
  /(^|\/)\.cargo\/config(\.toml)?$/,
  /\.gradle(\.kts)?$|(^|\/)(gradlew|mvnw)(\.bat|\.cmd)?$|(^|\/)(gradle|maven)-wrapper\.properties$/,
  /(^|\/)directory\.build\.(props|targets)$/,
  // The system.
  /(^|\/)(autorun\.inf|crontab|cron\.(d|daily|hourly|weekly|monthly)\/.*|[^/]+\.(service|timer|desktop|plist|reg))$/,
  /(^|\/)\.config\/(autostart|systemd)\//,
];

/** Returns the sensitivity of a path of any platform, in any case; undefined for other files. */
export function sensitivityOf(path: string): Sensitivity | undefined {
  const plain = path
    .replaceAll("\\", "/")
    .toLowerCase()
    .replace(/::?\$data$/, "")
    .replace(/[. ]{1,20}$/, "");
  if (RUNS_BY_ITSELF.some((pattern) => pattern.test(plain))) return "runs-by-itself";
  return mayHoldSecrets(path) ? "guards-access" : undefined;
}
