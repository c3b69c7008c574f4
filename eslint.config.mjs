// What biome cannot see: promises and exhaustiveness, which need types, and empty catches, which a comment hides.
import tseslint from "typescript-eslint";

const swallowed =
  "Catch to translate, to retry within a bound, or to record; an empty catch hides what went wrong";
const handler =
  "CallExpression[callee.property.name='catch'] > :matches(ArrowFunctionExpression, FunctionExpression)";

export default [
  { ignores: ["proto/gen/**", "**/*.js", "**/*.cjs", "**/*.mjs"] },
  {
    files: ["**/*.ts"],
    plugins: { "@typescript-eslint": tseslint.plugin },
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "@typescript-eslint/await-thenable": "error",
      "@typescript-eslint/no-floating-promises": [
        "error",
        {
          // node:test itself waits for what these return.
          allowForKnownSafeCalls: [
            { from: "package", package: "node:test", name: ["test", "it", "describe", "suite"] },
          ],
        },
      ],
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "no-restricted-syntax": [
        "error",
        { selector: "CatchClause > BlockStatement[body.length=0]", message: swallowed },
        { selector: `${handler} > BlockStatement[body.length=0]`, message: swallowed },
        { selector: `${handler}[body.name='undefined']`, message: swallowed },
      ],
    },
  },
];
