/** Lint for meaning: promises, types, exhaustive switches. Layout is prettier's alone. */
import regexp from "eslint-plugin-regexp";
import tseslint from "typescript-eslint";

const literalSpread = [
  "SpreadElement > ObjectExpression",
  "SpreadElement > TSAsExpression > ObjectExpression",
  ":matches(CallExpression, NewExpression) > SpreadElement > ArrayExpression",
  ":matches(CallExpression, NewExpression) > SpreadElement > TSAsExpression > ArrayExpression",
].map((selector) => ({ selector, message: "Write properties and arguments without a spread." }));

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
      "no-restricted-syntax": ["error", ...literalSpread],
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
    // Patterns read replies, files and pictures that others made, so matching must take linear time.
    files: ["src/**/*.{ts,tsx}"],
    plugins: { regexp },
    rules: {
      "regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
      "regexp/no-super-linear-move": ["error", { report: "potential" }],
    },
  },
  {
    // A browser's extension host has no globals of Node.
    files: ["src/**/*.{ts,tsx}"],
    ignores: ["src/host/node/**"],
    rules: {
      "no-restricted-globals": ["error", "Buffer", "process", "global", "setImmediate"],
    },
  },
  {
    // Text of files that is sent passes host/access, which resolves links, checks and asks.
    files: ["src/host/**/*.ts"],
    ignores: ["src/host/access/**", "src/host/storage/workspaceFiles.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        ...literalSpread,
        {
          selector: "MemberExpression[property.name='readFile'][object.property.name='fs']",
          message: "Read text that is sent with host/access; say why this text is not sent.",
        },
      ],
    },
  },
  {
    files: ["src/host/{context,editorCommands,chatApi,diagnostics}/**/*.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        ...literalSpread,
        {
          selector:
            "MemberExpression[property.name='readFile'][object.property.name='fs'], CallExpression[callee.property.name='getText']",
          message: "Read text that is sent with host/access; say why this text is not sent.",
        },
      ],
    },
  },
  {
    files: ["src/webview/**/*.{ts,tsx}"],
    rules: {
      "no-restricted-syntax": [
        "error",
        ...literalSpread,
        {
          selector:
            "AssignmentExpression[left.property.name='value'][left.object.type='MemberExpression'][left.object.object.type!='ThisExpression']:not([left.object.property.name=/^(currentTarget|shown|view)$/])",
          message: "Only the class that owns a signal writes it; call a method of this class.",
        },
        {
          selector:
            "CallExpression[callee.name='useEffect'] CallExpression:matches([callee.property.name=/^focus/], [callee.name=/^focus/])",
          message: "Move the focus in useLayoutEffect; keys pressed before useEffect are lost.",
        },
        {
          selector:
            "CallExpression[callee.name='useEffect'] CallExpression:matches([callee.name='addEventListener'], [callee.property.name=/^(?:addEventListener|on|subscribe)$/], [callee.property.name=/^on[A-Z]/]:has(> ArrowFunctionExpression))",
          message: "Listen in useLayoutEffect; what happens before useEffect is lost.",
        },
        {
          // A browser writes the state of forms into its profile, so also the draft of an unsaved conversation.
          selector:
            "JSXOpeningElement[name.name=/^(?:input|textarea)$/]:not(:has(> JSXAttribute[name.name='autocomplete'][value.value='off'])):not(:has(> JSXAttribute[name.name='type'][value.value=/^(?:checkbox|range)$/]))",
          message:
            'Write autocomplete="off": a browser stores the text of a box without it on disk.',
        },
      ],
    },
  },
  {
    // Programs that are started from a terminal print to the terminal.
    files: ["test/**/*.ts"],
    rules: {
      "no-console": "off",
      "@typescript-eslint/no-non-null-assertion": "off",
      "no-restricted-syntax": [
        "error",
        ...literalSpread,
        {
          selector: "CallExpression[callee.property.name=waitForFunction] > [async=true]",
          message: "Playwright treats the promise as true: poll from the test instead.",
        },
      ],
    },
  },
);
