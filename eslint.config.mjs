/** Lint for meaning: promises, types, exhaustive switches. Layout is prettier's alone. */
import regexp from "eslint-plugin-regexp";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist", "out", ".vscode-test", "node_modules", "test/fixtures"] },
  {
    files: ["src/**/*.{ts,tsx}", "test/**/*.{ts,tsx}"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ["tsconfig.json", "src/webview/tsconfig.json", "test/tsconfig.json"],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      "no-console": "error",
      eqeqeq: "error",
      "no-restricted-properties": [
        "error",
        { object: "URL", property: "canParse", message: "Use base/parseUrl.ts, which says why." },
      ],
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
    },
  },
  {
    // Replies, files and pictures of others run through these: none may cost more than their length.
    files: ["src/**/*.{ts,tsx}"],
    plugins: { regexp },
    rules: {
      "regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
      "regexp/no-super-linear-move": ["error", { report: "potential" }],
    },
  },
  {
    // Programs a person starts from a terminal talk to that person.
    files: ["test/**/*.ts"],
    rules: {
      "no-console": "off",
      "@typescript-eslint/no-non-null-assertion": "off",
      "no-restricted-syntax": [
        "error",
        {
          selector: "CallExpression[callee.property.name=waitForFunction] > [async=true]",
          message: "Playwright takes the promise itself for true: ask from the test instead.",
        },
      ],
    },
  },
);
