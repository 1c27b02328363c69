/**
 * Finds the lines of code that a stack trace, the output of a compiler or of a test names. A table
 * has one row for each format; text without a line of any format is no trace.
 */
import { ANSI_SEQUENCES } from "../base/ansi";

/** Upper limits: the searched text and one of its lines, in UTF-16 units, and the places. */
const MAX_TRACE_LENGTH = 100_000;
const MAX_LINE_LENGTH = 1_000;
const MAX_PLACES = 30;

/** Line of a file as a trace names it; 1-based. */
export interface TracePlace {
  readonly path: string;
  readonly line: number;
}

export interface Trace {
  /** Such as TypeError or "error TS2322"; undefined if the text has no name of an error. */
  readonly name: string | undefined;
  /** In the order of the text, each once. */
  readonly places: readonly TracePlace[];
}

/** Formats of a line, each with a group for the path and the line number. */
const FORMATS: readonly RegExp[] = [
  // V8 (https://v8.dev/docs/stack-trace-api), Rust's backtrace. Node names only its own files without a folder.
  /^at (?:.{1,300} \()?(?<path>(?:file:\/\/)?(?:\/?[A-Za-z]:)?[^:()<>\s]{0,20}[\\/][^:()<>]{1,300}):(?<line>\d{1,7})(?::\d{1,7})?\)?(?: \{)?$/g,
  // Python (https://docs.python.org/3/library/traceback.html)
  /^(?:\| {1,9})?File "(?<path>[^"]{1,300})", line (?<line>\d{1,7})/g,
  // Java, Kotlin, Scala: java.lang.StackTraceElement.toString
  /^at (?:[\w.@-]{0,100}\/{1,2}){0,2}(?<type>[\w$.]{1,300})\.[\w$<>-]{1,200}\((?<path>[\w$-]{1,100}\.\w{1,6}):(?<line>\d{1,7})\)/g,
  // .NET: System.Diagnostics.StackTrace.ToString, whose words are in the user's language
  /^\p{L}{1,5} .{1,400} \p{L}{1,5} (?<path>(?:[A-Za-z]:|\/|\w)[^:]{1,300}):\p{L}{1,10} (?<line>\d{1,7})$/gu,
  // Unity: StackTraceUtility.ExtractFormattedStackTrace
  /\(at (?<path>[^():]{1,300}\.\w{1,10}):(?<line>\d{1,7})\)$/g,
  // Dart: package:stack_trace; a package has its code in "lib".
  /^#\d{1,4} {1,9}.{1,300} \(package:(?<package>\w{1,100})(?<path>\/[^:()]{1,300}):(?<line>\d{1,7})(?::\d{1,7})?\)$/g,
  // Go: runtime/debug.Stack
  /^(?<path>[^:]{1,300}\.go):(?<line>\d{1,7})(?: \+0x[\da-f]{1,16})?$/g,
  // rustc (https://doc.rust-lang.org/rustc/json.html), and std::panicking
  /^(?:-->|:::) (?<path>[^:]{1,300}):(?<line>\d{1,7}):\d{1,7}/g,
  /\bpanicked at (?:'.{0,300}', )?(?<path>[^:'\s][^:']{0,300}):(?<line>\d{1,7}):\d{1,7}/g,
  // GNU (https://www.gnu.org/prep/standards/html_node/Errors.html): gcc, clang, swift, go, pytest
  /^(?:\d{1,3}>)?(?<path>(?:[A-Za-z]:(?=[\\/]))?[^:\s"'][^:"']{0,300}\.\w{1,10}):(?<line>\d{1,7}):(?:\d{1,7}:)? (?:(?:fatal |internal |syntax )?(?:error|warning|note)\b|\w{1,60}(?:Error|Exception|Failure|Failed)\b)/gi,
  /^(?<path>(?:\.\.?\/)?[\w./-]{1,300}\.(?:go|swift|c|cc|cpp|h|hpp)):(?<line>\d{1,7}):(?:\d{1,7}:)? /g,
  // pytest: ReprFileLocation, with the type of the exception or, with "--tb=short", the function
  /^(?<path>[^:\s][^:]{0,300}\.py):(?<line>\d{1,7}):(?: \w{1,80}| in .{1,200})?$/g,
  /^(?:In file included )?from (?<path>[^:]{1,300}):(?<line>\d{1,7})(?::\d{1,7})?[,:]$/g,
  // vitest and Playwright: packages/vitest/src/node/printError.ts, reporters/base.ts
  /^❯ (?:\S{1,200} )?(?<path>[^\s:][^:]{0,300}):(?<line>\d{1,7}):\d{1,7}$/g,
  /^(?:\d{1,4}\) )?(?:\[[^\]]{1,60}\] › )?(?<path>[^\s:][^:]{0,300}):(?<line>\d{1,7}):\d{1,7} › /g,
  // ESLint's "codeframe"; GitHub's workflow command "error"
  / at (?<path>[^\s:()]{1,300}\.\w{1,10}):(?<line>\d{1,7}):\d{1,7}:$/g,
  /^::(?:error|warning|notice) file=(?<path>[^,:]{1,300}),(?:[^:]{0,100},)?line=(?<line>\d{1,7})/g,
  // tsc, MSBuild (https://learn.microsoft.com/visualstudio/msbuild/msbuild-diagnostic-format-for-tasks) and its list
  /^(?:\d{1,3}>)?(?<path>[^(]{1,300}\.\w{1,10})\((?<line>\d{1,7})(?:,\d{1,7}){0,3}\) ?: (?:fatal )?(?:error|warning|note|message)\b/g,
  /^(?:Error|Warning)\t\w{1,12}\t[^\t]{1,500}\t[^\t]{0,100}\t(?<path>[^\t]{1,300})\t(?<line>\d{1,7})\b/g,
  /^(?<path>[^:]{1,300}\.\w{1,10}):(?<line>\d{1,7}):\d{1,7}(?: - (?:error|warning)\b|$)/g,
  // Maven's compiler, and kotlinc
  /^(?<path>(?:[A-Za-z]:)?[^:]{1,300}\.\w{1,10}):\[(?<line>\d{1,7}),\d{1,7}\] /g,
  /^[ew]: (?<path>(?:file:\/\/)?(?:\/?[A-Za-z]:)?[^:]{1,300}):(?: \()?(?<line>\d{1,7})[,:] ?\d{1,7}/g,
  // Ruby: Exception#full_message; PHP: Throwable::getTraceAsString; Elixir: Exception.format
  /^(?:from )?(?<path>[^:\s][^:]{0,300}\.\w{1,10}):(?<line>\d{1,7}):in /g,
  /^#\d{1,4} (?<path>[^(:]{1,300})\((?<line>\d{1,7})\): /g,
  /\bin (?<path>\S{1,300}\.\w{1,10})(?:\((?=\d{1,7}\) : eval)|:(?=\d{1,7}$)| on line )(?<line>\d{1,7})/g,
  /^(?:\((?!(?:eex|elixir|ex_unit|iex|logger|mix)[ )])[\w .+-]{1,80}\) )?(?<path>[^:\s()]{1,300}\.exs?):(?<line>\d{1,7}): /g,
  // Node prints the place of a syntax error alone.
  /^(?<path>(?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^:]{1,300}\.\w{1,10}):(?<line>\d{1,7})$/g,
];

/** Lines below the path of their file: ESLint's "stylish", and webpack with ts-loader. */
const ABOVE = /^(?:ERROR in )?(?<path>(?:[A-Za-z]:[\\/])?[^\s:*?"<>|][^:*?"<>|]{0,300}\.\w{1,10})$/;
const LISTED = /^\(?(?<line>\d{1,7})[:,]\d{1,7}(?:\):)?\s{1,20}(?:error|warning)\b/;

/** Times of logs (GitHub Actions, Docker, Heroku, Vercel), steps of BuildKit, and the levels of tools. */
const LOG_PREFIX =
  /^\uFEFF?(?:.{0,8}?\d{4}-\d\d-\d\dT[\d:.]{8,18}(?:Z|[+-]\d\d:\d\d) ?|\d\d:\d\d:\d\d\.\d{3} )?(?:(?:#\d{1,3} )?\d{1,5}\.\d{1,3} )?(?:##\[\w{1,20}\]|\[(?:ERROR|error)\] |Error: (?=\S{1,300}\())?/;

/** Exceptions: the last name of the type, in front of its message. */
const EXCEPTION =
  /(?:^|[\s.:("])(?<name>(?:[A-Z][\w$]{0,80})?(?:Error|Exception(?:Group)?|Interrupt))(?=:|$| \[| \(|\) | was thrown)/;

/** Errors of compilers, and of Go and Rust. */
const CODE =
  /(?:^|[\s:])(?<name>error(?: [A-Z]{1,4}\d{2,5}\b|\[E\d{4}\]|(?=\t)\t[A-Z]{1,4}\d{2,5}\b)|panic(?=:|ked at))/i;

/** Folders of packages, of languages and of systems: nobody edits their files in a project. */
const INSTALLED =
  /(?:^|[\\/\s])(?:node_modules|site-packages|dist-packages|\.?cargo[\\/]registry|\.rustup|rustc|pkg[\\/]mod|\.m2|\.gradle|\.nuget|gems|vendor|lib[\\/]python[\d.]+|Python\d+[\\/]Lib|Program Files(?: \(x86\))?)[\\/]|^\/(?:usr\/(?:lib\d*|include|share|local\/(?:lib|go|include))\/|lib\/|nix\/|System\/|Library\/)|^[<\[]|^(?:internal|lib[a-z]+)\//i;

/** Returns the places that a text names; undefined if it is no trace, or only of installed code. */
export function traceIn(text: string): Trace | undefined {
  if (text.length > MAX_TRACE_LENGTH) return undefined;
  const places = new Map<string, TracePlace>();
  const names: string[] = [];
  let above = "";
  const add = (path: string, line: number) => {
    if (line === 0 || INSTALLED.test(path) || places.size >= MAX_PLACES) return;
    places.set(`${path}:${line}`, { path, line });
  };
  for (const [line, withPrefix] of linesOf(text)) {
    const errorName = (EXCEPTION.exec(withPrefix) ?? CODE.exec(withPrefix))?.groups?.["name"];
    if (errorName !== undefined) names.push(errorName.replace(/^error\s/i, "error "));
    const listed = LISTED.exec(line)?.groups?.["line"];
    if (listed !== undefined && above !== "") {
      add(above, Number(listed));
      continue;
    }
    above = ABOVE.exec(line)?.groups?.["path"] ?? "";
    const matches = [...new Set([line, withPrefix])].flatMap((form) =>
      FORMATS.map((format) => [...form.matchAll(format)]),
    );
    for (const { groups = {} } of matches.find(({ length }) => length > 0) ?? []) {
      add(pathOf(groups), Number(groups["line"]));
    }
  }
  if (places.size === 0) return undefined;
  // Tools write "Error:" before any message; as the name of a type it stands above frames.
  const hasFrames = /^[^\n]{0,200}\bat /m.test(text);
  const types = names.filter((name) => name !== "Error" || hasFrames);
  // Python names the exception that was raised last at the end, and a group in front of its members.
  const isLast = /(?<!Group )\bTraceback \(most recent call last\)/.test(text);
  const name = types.at(isLast ? -1 : 0);
  return { name, places: [...places.values()] };
}

/**
 * Returns the lines without colors and indentation: each without what several programs or a log put
 * before it, and as it is.
 */
function linesOf(text: string): readonly (readonly [line: string, withPrefix: string])[] {
  const lines = text
    .replaceAll(ANSI_SEQUENCES, "")
    .split(/\r?\n/)
    .filter(({ length }) => length <= MAX_LINE_LENGTH)
    .map((line) => line.replace(LOG_PREFIX, ""));
  const counts = new Map<string, number>();
  for (const line of lines) {
    for (const { index } of line.slice(0, 80).matchAll(/[|:>\]](?=\s|$)/g)) {
      const prefix = line.slice(0, index + 1);
      counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
    }
  }
  const common = [...counts].filter(([, count]) => count > 1 && count * 2 >= lines.length);
  const longest = common.reduce(
    (most, [prefix]) => (prefix.length > most.length ? prefix : most),
    "",
  );
  return lines.map((line) => [
    line.slice(line.startsWith(longest) ? longest.length : 0).trim(),
    line.trim(),
  ]);
}

/** Returns the path with the folders of its package: a trace of the JVM names only the file. */
function pathOf(groups: Readonly<Record<string, string | undefined>>): string {
  const { type, package: dartPackage } = groups;
  const path = (groups["path"] ?? "")
    .replaceAll(/[\\/]\.(?=[\\/])/g, "")
    .replaceAll(/[\\/](?!\.\.)[^\\/]{1,100}[\\/]\.\.(?=[\\/])/g, "");
  if (type !== undefined) return [...type.split(".").slice(0, -1), path].join("/");
  if (dartPackage !== undefined) return `${dartPackage}/lib${path}`;
  if (!path.startsWith("file://")) return path;
  const local = path.replace(/^file:\/\/(?:\/(?=[A-Za-z]:))?/, "");
  return local.includes("%") ? decoded(local) : local;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A file of a workspace folder. */
export interface WorkspaceFile {
  /** Name of the folder, and the path below it with "/". */
  readonly folder: string;
  readonly path: string;
}

/**
 * Folders into which containers and build services put a project. Sources: Docker's guides, Dev
 * Containers, GitHub's "workspace" variable, AWS Lambda, the images of Apache; read 2026-11-28.
 */
const PROJECT_FOLDER =
  /^(?:\/(?:app|code|src|work|workspace|workspaces\/[^/]+|usr\/src\/app|var\/task|var\/www\/html|github\/workspace|(?:home\/runner\/work|__w)\/[^/]+\/[^/]+)|[A-Z]:\/a\/[^/]+\/[^/]+)\//;

/** Names at the end of a path of an unknown root that prove the file. */
const PROVEN_NAMES = 3;

/** Returns the only file that a path of a trace names. */
export function fileOf<File extends WorkspaceFile>(path: string, files: readonly File[]) {
  const [file, ...further] = filesOf(path, files);
  return further.length === 0 ? file : undefined;
}

/**
 * Returns the files that a path of a trace can name. A path, without the folder of a container, is the
 * end of a file's path; else the longest shared end counts that holds the file's whole path, or at
 * least three names.
 */
export function filesOf<File extends WorkspaceFile>(
  path: string,
  files: readonly File[],
): readonly File[] {
  const slashed = path.replaceAll("\\", "/").replace(/^(?:\.{1,2}\/)+/, "");
  const inProject = slashed.replace(PROJECT_FOLDER, "");
  // A relative path, or one whose root is known, is in the project as a whole.
  const isWhole = inProject !== slashed || !/^(?:\/|[A-Za-z]:)/.test(slashed);
  const names = inProject.split("/").toReversed();
  const provenLength = (file: File) => {
    const below = file.path.split("/");
    const whole = [file.folder, ...below].toReversed();
    const differing = names.findIndex((name, at) => name !== whole[at]);
    const length = differing === -1 ? names.length : differing;
    // More names than the file has must be those of its folder.
    const isEnd = isWhole ? length === names.length : length >= PROVEN_NAMES;
    const isFile =
      length >= below.length && (isWhole ? isEnd || length > below.length : length > 1);
    if (isFile) return length + (length > below.length ? 1 : 0.5);
    return isEnd ? length : 0;
  };
  const lengths = files.map(provenLength);
  const longest = Math.max(0, ...lengths);
  return longest === 0 ? [] : files.filter((_, at) => lengths[at] === longest);
}
