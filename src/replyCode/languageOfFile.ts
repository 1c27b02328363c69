/**
 * Language of a file by its name, for files whose language VS Code does not know. Identifiers are
 * those of VS Code or of its usual extensions, which are also the labels of fences.
 */

/** Languages with their file endings and file names. Source: languages.yml of GitHub Linguist. */
const LANGUAGES: readonly (readonly [id: string, endings: string, names?: string])[] = [
  ["ada", ".adb .ads"],
  ["astro", ".astro"],
  ["bicep", ".bicep"],
  ["cmake", ".cmake", "CMakeLists.txt"],
  ["crystal", ".cr"],
  ["d", ".d"],
  ["elixir", ".ex .exs"],
  ["elm", ".elm"],
  ["erlang", ".erl .hrl"],
  ["fortran", ".f .f90 .f95 .f03 .f08 .for"],
  ["gdscript", ".gd"],
  ["gleam", ".gleam"],
  ["graphql", ".graphql .gql .graphqls"],
  ["haskell", ".hs .lhs"],
  ["haxe", ".hx"],
  ["groovy", "", "Jenkinsfile"],
  ["ini", ".cfg .conf .env .service", ".env .npmrc"],
  ["just", ".just", "justfile"],
  ["kotlin", ".kt .kts"],
  ["liquid", ".liquid"],
  ["nim", ".nim .nims"],
  ["nix", ".nix"],
  ["ocaml", ".ml .mli"],
  ["odin", ".odin"],
  ["pascal", ".pas .pp .lpr"],
  ["prisma", ".prisma"],
  ["prolog", ".pro .plt"],
  ["proto", ".proto"],
  ["puppet", ".pp"],
  ["purescript", ".purs"],
  ["racket", ".rkt"],
  ["scala", ".scala .sbt .sc"],
  ["scheme", ".scm .ss .sld"],
  ["solidity", ".sol"],
  ["starlark", ".bzl .star", "BUILD WORKSPACE Tiltfile"],
  ["svelte", ".svelte"],
  ["tcl", ".tcl"],
  ["terraform", ".tf .tfvars .hcl"],
  ["toml", ".toml", "Cargo.lock poetry.lock Pipfile"],
  ["typespec", ".tsp"],
  ["verilog", ".v .vh .sv .svh"],
  ["vhdl", ".vhd .vhdl"],
  ["vue", ".vue"],
  ["wgsl", ".wgsl"],
  ["zig", ".zig .zon"],
];

/** Endings of plain text; a name without an ending, as README, is plain text too. */
const TEXT_ENDINGS = new Set([".txt", ".text", ".log", ".md", ".me", ".1st", ".nfo"]);

const BY_ENDING = mapOf(([id, endings]) => [id, endings]);
const BY_NAME = mapOf(([id, , names = ""]) => [id, names]);

function mapOf(
  entryOf: (row: (typeof LANGUAGES)[number]) => readonly [id: string, words: string],
): ReadonlyMap<string, string> {
  const rows = LANGUAGES.map(entryOf).filter(([, words]) => words !== "");
  return new Map(
    rows.flatMap(([id, words]) =>
      words.split(" ").map((word) => [word.toLowerCase(), id] as const),
    ),
  );
}

/**
 * Returns the language of a document. Its name decides where VS Code says plain text; empty for a
 * language that the name does not give either.
 */
export function languageOfFile(languageId: string, path: string): string {
  if (languageId !== "plaintext") return languageId;
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const ending = /.(\.[^.]+)$/.exec(name)?.[1] ?? "";
  const isText = ending === "" || TEXT_ENDINGS.has(ending);
  return BY_NAME.get(name) ?? BY_ENDING.get(ending) ?? (isText ? languageId : "");
}
