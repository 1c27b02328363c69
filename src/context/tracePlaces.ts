/**
 * Finds the lines of code that a stack trace, the output of a compiler or of a test names. A table
 * has one row for each format; text without a line of any format is no trace.
 */

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
  // V8 (https://v8.dev/docs/stack-trace-api), Rust's backtrace; also mocha, jest and Playwright.
  /^at (?:.{1,300} \()?(?:file:\/\/(?=\/))?(?<path>(?:[A-Za-z]:(?=[\\/]))?[^:()<>\s][^:()<>]{0,300}):(?<line>\d{1,7})(?::\d{1,7})?\)?$/,
  // Python (https://docs.python.org/3/library/traceback.html)
  /^File "(?<path>[^"]{1,300})", line (?<line>\d{1,7})/,
  // Java, Kotlin, Scala: java.lang.StackTraceElement.toString
  /^at (?:[\w.@-]{0,100}\/{1,2}){0,2}(?<type>[\w$.]{1,300})\.[\w$<>-]{1,200}\((?<path>[\w$-]{1,100}\.\w{1,6}):(?<line>\d{1,7})\)/,
  // .NET: System.Diagnostics.StackTrace.ToString
  /^at .{1,400} in (?<path>.{1,300}):line (?<line>\d{1,7})$/,
  // Go: runtime/debug.Stack
  /^(?<path>[^:]{1,300}\.go):(?<line>\d{1,7})(?: \+0x[\da-f]{1,16})?$/,
  // rustc (https://doc.rust-lang.org/rustc/json.html), and std::panicking
  /^(?:-->|:::) (?<path>[^:]{1,300}):(?<line>\d{1,7}):\d{1,7}/,
  /\bpanicked at (?:'.{0,300}', )?(?<path>[^:'\s][^:']{0,300}):(?<line>\d{1,7}):\d{1,7}/,
  // GNU (https://www.gnu.org/prep/standards/html_node/Errors.html): gcc, clang, swift, go, pytest
  /^(?:\d{1,3}>)?(?<path>(?:[A-Za-z]:(?=[\\/]))?[^:\s"'][^:"']{0,300}\.\w{1,10}):(?<line>\d{1,7}):(?:\d{1,7}:)? (?:(?:fatal |internal |syntax )?(?:error|warning|note)\b|\w{1,60}(?:Error|Exception|Failure|Failed)\b)/i,
  /^(?<path>(?:\.\.?\/)?[\w./-]{1,300}\.(?:go|swift|c|cc|cpp|h|hpp)):(?<line>\d{1,7}):\d{1,7}: /,
  // tsc and MSBuild (https://learn.microsoft.com/visualstudio/msbuild/msbuild-diagnostic-format-for-tasks)
  /^(?:\d{1,3}>)?(?<path>[^(]{1,300}\.\w{1,10})\((?<line>\d{1,7})(?:,\d{1,7}){0,3}\) ?: (?:fatal )?(?:error|warning)\b/,
  /^(?<path>[^:]{1,300}\.\w{1,10}):(?<line>\d{1,7}):\d{1,7} - (?:error|warning)\b/,
  // vitest and Playwright: packages/vitest/src/node/printError.ts, reporters/base.ts
  /^❯ (?:\S{1,200} )?(?<path>[^\s:][^:]{0,300}):(?<line>\d{1,7}):\d{1,7}$/,
  /^(?:\d{1,4}\) )?(?:\[[^\]]{1,60}\] › )?(?<path>[^\s:][^:]{0,300}):(?<line>\d{1,7}):\d{1,7} › /,
  // Ruby: Exception#full_message; PHP: Throwable::getTraceAsString; Elixir: Exception.format
  /^(?:from )?(?<path>[^:\s][^:]{0,300}\.\w{1,10}):(?<line>\d{1,7}):in /,
  /^#\d{1,4} (?<path>[^(:]{1,300})\((?<line>\d{1,7})\): /,
  /\bin (?<path>\S{1,300}\.php)(?::| on line )(?<line>\d{1,7})$/,
  /^\([\w .-]{1,80}\) (?<path>[^:\s]{1,300}\.exs?):(?<line>\d{1,7}): /,
  // Node prints the place of a syntax error alone.
  /^(?:file:\/\/(?=\/))?(?<path>(?:\/|[A-Za-z]:[\\/])[^:]{1,300}\.\w{1,10}):(?<line>\d{1,7})$/,
];

/** ESLint's "stylish": lines below the path of their file. */
const LISTED = /^(?<line>\d{1,7}):\d{1,7}\s{1,20}(?:error|warning)\s/;

/** Time of a log of GitHub Actions, its commands, and "Error: " of an annotation. */
const LOG_PREFIX =
  /^\uFEFF?(?:\d{4}-\d\d-\d\dT[\d:.]{8,18}Z ?)?(?:##\[\w{1,20}\]|Error: (?=\S+\())?\s*/;

/** Name of an error at the start of a line, after what a runtime says before. */
const NAME =
  /^(?:Uncaught |Unhandled (?:exception\. )?|Caused by: |E {1,8}|Exception in thread "[^"]{1,100}" |\[\w{1,20}\] )*(?:[\w$]{1,80}\.){0,12}(?<name>[A-Z][\w$]{0,80}(?:Error|Exception|Warning|Failure|Interrupt))\b/;

/** Name of an error inside a line. */
const NAME_INSIDE =
  /\b(?<name>(?:error(?: \[?|\[)|fatal error )[A-Z]{1,6}\d{1,5}|panic(?=:|ked at)|(?:Fatal|Parse) error|NoMethodError|(?<=:\d{1,7}: )[A-Z]\w{0,60}Error)\b/;

/** Folders of packages, of languages and of systems: nobody edits their files in a project. */
const INSTALLED =
  /(?:^|[\\/])(?:node_modules|site-packages|dist-packages|\.cargo|\.rustup|rustc|pkg[\\/]mod|go[\\/]src|\.m2|\.gradle|\.nuget|gems|vendor|lib[\\/]python[\d.]+|Python\d+[\\/]Lib|Program Files(?: \(x86\))?)[\\/]|^\/(?:usr\/(?!src\/)|lib\/|nix\/|System\/|Library\/)|^<|^node:|^internal\//i;

/** Returns the places that a text names; undefined if it is no trace, or only of installed code. */
export function traceIn(text: string): Trace | undefined {
  if (text.length > MAX_TRACE_LENGTH) return undefined;
  const places = new Map<string, TracePlace>();
  let name: string | undefined;
  let above = "";
  const add = (path: string, line: number) => {
    if (line === 0 || INSTALLED.test(path) || places.size >= MAX_PLACES) return;
    places.set(`${path}:${line}`, { path, line });
  };
  for (const written of text.split(/\r?\n/)) {
    if (written.length > MAX_LINE_LENGTH) continue;
    const line = written.replace(LOG_PREFIX, "").trimEnd();
    name ??= (NAME.exec(line) ?? NAME_INSIDE.exec(line))?.groups?.["name"]?.replace(/ \[|\[/, " ");
    const listed = LISTED.exec(line)?.groups?.["line"];
    if (listed !== undefined && above !== "") add(above, Number(listed));
    else {
      above =
        /^[^\s:*?"<>|][^:*?"<>|]{0,300}\.\w{1,10}$|^[A-Za-z]:[\\/][^:*?"<>|]{1,300}$/.exec(
          line,
        )?.[0] ?? "";
      const groups = FORMATS.map((format) => format.exec(line)).find((match) => match)?.groups;
      if (groups) add(pathOf(groups), Number(groups["line"]));
    }
  }
  return places.size === 0 ? undefined : { name, places: [...places.values()] };
}

/** Returns the path with the folders of its package: a trace of the JVM names only the file. */
function pathOf({ path = "", type }: Readonly<Record<string, string | undefined>>): string {
  if (type === undefined) return path;
  return [...type.split(".").slice(0, -1), path].join("/");
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
  /^(?:app|code|src|work|workspace|workspaces\/[^/]+|usr\/src\/app|var\/task|var\/www\/html|github\/workspace|(?:home\/runner\/work|__w|[A-Z]:\/a)\/[^/]+\/[^/]+)$/;

/**
 * Returns the only file that a path of a trace names: a relative path is the end of the file's path,
 * an absolute one ends with it, or shares the longest end of at least two names.
 */
export function fileOf<File extends WorkspaceFile>(
  path: string,
  files: readonly File[],
): File | undefined {
  const slashed = path.replaceAll("\\", "/");
  const isAbsolute = /^(?:\/|[A-Za-z]:\/)/.test(slashed);
  const names = slashed.split("/").filter((name) => !["", ".", ".."].includes(name));
  const provenLength = (file: File) => {
    const below = file.path.split("/");
    const whole = [file.folder, ...below].reverse();
    const shared = names.toReversed().findIndex((name, at) => name !== whole[at]);
    const length = shared === -1 ? names.length : shared;
    if (!isAbsolute) return length === names.length || length >= below.length ? length : 0;
    if (length >= 2) return length;
    const before = names.slice(0, -1).join("/");
    return length === below.length && PROJECT_FOLDER.test(before) ? length : 0;
  };
  const lengths = files.map(provenLength);
  const longest = Math.max(0, ...lengths);
  const [file, ...further] = files.filter((_, at) => lengths[at] === longest);
  return longest > 0 && further.length === 0 ? file : undefined;
}
