/** Recognizes test files by their paths and chooses the one that says most about a file. */

/** Glob of the names that test files usually have. */
export const TEST_FILES =
  "**/{*.test.*,*.spec.*,*_test.*,*_spec.*,test_*.*,*Test.*,*Tests.*,__tests__/**,*-test.*}";

/** Endings of languages that test each other. */
const FAMILIES = [
  ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "vue", "svelte"],
  ["c", "h", "cc", "cpp", "cxx", "hpp"],
  ["java", "kt", "kts", "scala", "groovy"],
];

/** Endings of files that tests read or write. */
const NO_CODE = /\.(?:snap|json|ya?ml|md|txt|png|svg|csv|html|lock|map|d\.ts)$/i;

/** Returns the test files by their use as an example for a file's tests, the best first. */
export function bestTests<T extends { readonly path: string }>(
  path: string,
  tests: readonly T[],
): T[] {
  const scored = tests
    .filter((test) => !NO_CODE.test(test.path) && familyOf(test.path) === familyOf(path))
    .filter((test) => test.path !== path)
    .map((test) => ({ test, score: scoreOf(path, test.path) }));
  return scored
    .toSorted((a, b) => b.score - a.score || (a.test.path < b.test.path ? -1 : 1))
    .map(({ test }) => test);
}

/** A test of the file itself counts most, then the number of common folders. */
function scoreOf(path: string, test: string): number {
  const folders = path.split("/").slice(0, -1);
  const testFolders = test.split("/").slice(0, -1);
  const differing = folders.findIndex((folder, at) => folder !== testFolders[at]);
  const common = differing === -1 ? folders.length : differing;
  const isOfFile = subjectOf(test) === subjectOf(path);
  return (isOfFile ? 1_000 : 0) + common * 10 - testFolders.length;
}

/** Returns the name without the words that mark a test: "cart" for "cart.test.ts" and "test_cart.py". */
function subjectOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const base = name.replace(/\.[^.]+$/, "");
  return base
    .replace(/[._-](?:test|tests|spec)$/i, "")
    .replace(/^test[_-]/i, "")
    .replace(/(?<=[a-z0-9])Tests?$/, "")
    .toLowerCase();
}

function familyOf(path: string): string {
  const ending = (/\.([^./]+)$/.exec(path)?.[1] ?? "").toLowerCase();
  return FAMILIES.find((family) => family.includes(ending))?.[0] ?? ending;
}
