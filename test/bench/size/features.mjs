/**
 * Counts the lines of `src` for each feature, and the lines that would go if the feature went: its
 * own and those that only it imports, directly or not. Types count as imports.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";

/** Features as beginnings of paths below `src`. A file belongs to the longest beginning. */
const FEATURES = {
  "transcript and composer": ["webview/"],
  "replies as Markdown": ["renderer/", "markdown/"],
  "code colors": ["renderer/highlight/", "host/theme/"],
  diagrams: ["renderer/diagrams/"],
  pictures: ["webview/pictures/", "pictures/", "chat/pictures/", "host/pictures/"],
  "positions in pictures": ["pointing/", "webview/pointing/", "chat/pictures/pointing"],
  preview: ["webview/preview/", "host/preview/", "webview/previewMain"],
  "what goes with a question": ["host/context/", "context/", "chat/composerContext"],
  "secrets and access": ["secrets/", "host/access/"],
  "Apply and links": ["host/replyActions/"],
  "inline edits": ["inline/", "edit/", "replyCode/", "host/inline/"],
  "commit messages": ["host/sourceControl/", "inline/commit", "replyCode/commit"],
  "editor commands": ["host/editorCommands/", "host/pictureCommands/"],
  "VS Code's chat and models": ["host/chatApi/"],
  "conversations on disk": ["history/", "host/storage/"],
  "list and search": ["search/", "webview/history/", "chat/view/historyList"],
  "import and export": [
    ...["conversation/import", "conversation/export", "conversation/redact"],
    ...[
      "conversation/markdownText",
      "host/transfer/exportConversations",
      "host/storage/registerTransfer",
    ],
  ],
  "requests and the service": ["service/", "ask/"],
  "tests of the connection, log of requests": ["host/diagnostics/"],
  "settings, keys, profiles": ["host/settings/"],
};

/** @param {{ entries: readonly string[], log: (line: string) => void }} options */
export function logFeatures({ entries, log }) {
  const files = readSource();
  const all = total(
    reachable(files, entries, () => false),
    files,
  );
  const rows = Object.keys(FEATURES).map((feature) => {
    const isOwn = (path) => featureOf(path) === feature;
    const own = total([...files.keys()].filter(isOwn), files);
    return { feature, own, gone: all - total(reachable(files, entries, isOwn), files) };
  });
  rows.sort((one, other) => other.gone - one.gone);
  log(`\n${"lines of src".padEnd(42)} own   would go`);
  for (const { feature, own, gone } of rows) {
    log(`${feature.padEnd(40)} ${String(own).padStart(5)} ${String(gone).padStart(8)}`);
  }
  const rest = all - rows.reduce((sum, { own }) => sum + own, 0);
  log(`${"the rest, which all share".padEnd(40)} ${String(rest).padStart(5)}`);
  log(`${"all".padEnd(40)} ${String(all).padStart(5)}`);
}

/** Returns the scripts of `src` with their numbers of lines and their imports. */
function readSource() {
  const files = new Map();
  for (const name of readdirSync("src", { recursive: true })) {
    const path = join("src", String(name).replaceAll("\\", "/"));
    if (!/\.tsx?$/.test(path)) continue;
    const text = readFileSync(path, "utf8");
    const imported = [...text.matchAll(/\b(?:from|import) ?\(?"(\.[^"]+)"/g)].map(([, to]) =>
      resolved(join(dirname(path), to ?? "")),
    );
    files.set(path, { lines: text.split("\n").length - 1, imported });
  }
  return files;
}

function resolved(path) {
  return [`${path}.ts`, `${path}.tsx`].find((file) => existsSync(file)) ?? path;
}

/** Returns the files that the entries need if the files that went are left out. */
function reachable(files, entries, isGone) {
  const seen = new Set();
  const visit = (path) => {
    if (seen.has(path) || isGone(path) || !files.has(path)) return;
    seen.add(path);
    files.get(path).imported.forEach(visit);
  };
  entries.forEach(visit);
  return seen;
}

function total(paths, files) {
  return [...paths].reduce((sum, path) => sum + files.get(path).lines, 0);
}

function featureOf(path) {
  let longest = "";
  let found;
  for (const [feature, beginnings] of Object.entries(FEATURES)) {
    for (const beginning of beginnings) {
      if (!path.startsWith(`src/${beginning}`) || beginning.length <= longest.length) continue;
      longest = beginning;
      found = feature;
    }
  }
  return found;
}
