// What biome cannot see: promises and exhaustiveness, which need types; catches emptied behind a comment; sleeps; spans of
// time that a clock which is set would bend.
// Inline comments change nothing here: what must be an exception is made one at the end, with its reason.
import tseslint from "typescript-eslint";

const swallowed =
  "Catch to translate, to retry within a bound, or to record; an empty catch hides what went wrong";
const handler =
  "CallExpression[callee.property.name='catch'] > :matches(ArrowFunctionExpression, FunctionExpression)";

const slept =
  "Wait for an event with a deadline; a sleep is too short on one machine and too long on another";
const executor = "NewExpression[callee.name='Promise'] > ArrowFunctionExpression";
const timer = "CallExpression[callee.name='setTimeout']";
const wakes = `${timer}[arguments.0.type='Identifier'][arguments.0.name!=/rej/]`;

const bent =
  "How long something lasts, and when it must end, goes by performance.now(): this clock may be set at any moment";

export default [
  // The applications in test/apps/site are written as such are, against packages that a checkout need not have.
  // test/e2e/vendors.test.ts compiles those in examples/.
  { ignores: ["dist/**", "proto/gen/**", "test/apps/site/**", "examples/**"] },
  {
    files: ["**/*.{ts,tsx,mts,js,mjs,cjs}"],
    languageOptions: { parser: tseslint.parser },
    linterOptions: { noInlineConfig: true },
    rules: {
      "no-restricted-imports": [
        "error",
        { name: "node:timers/promises", importNames: ["setTimeout", "scheduler"], message: slept },
      ],
      "no-restricted-syntax": [
        "error",
        { selector: "CatchClause > BlockStatement[body.length=0]", message: swallowed },
        { selector: `${handler} > BlockStatement[body.length=0]`, message: swallowed },
        { selector: `${executor} > ${wakes}`, message: slept },
        { selector: `${executor} > BlockStatement > ExpressionStatement > ${wakes}`, message: slept },
      ],
    },
  },
  {
    files: ["**/*.{ts,tsx}"],
    plugins: { "@typescript-eslint": tseslint.plugin },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
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
    },
  },
  {
    files: ["{client,daemon,worker}/**/*.{ts,tsx}"],
    rules: { "no-restricted-properties": ["error", { object: "Date", property: "now", message: bent }] },
  },
  {
    // Here it is a date: one that is told, a file's, or gRPC's deadline, which is made what is left again at once.
    files: [
      "client/connection/{call-error,connection}.ts",
      "client/cli/commands/{approve,sessions,status}.ts",
      "client/cli/terminal/role-table.ts",
      "daemon/core/clock.ts",
      "daemon/console/page/live/use-live.ts",
      "daemon/startup/greeting.ts",
      "daemon/calls/forward.ts",
      "daemon/doctor/main.ts",
      "worker/doctor/started-browser.ts",
      "worker/approvals/approvals.ts",
      "daemon/http/error-handler.ts",
      "daemon/worker-process/worker-link.ts",
      "worker/chrome/embedded.ts",
      "worker/service/{answer,worker-service}.ts",
      "worker/failures/failure-log.ts",
      "worker/storage/role-login.ts",
      "worker/tools/acting/save-auth.ts",
    ],
    rules: { "no-restricted-properties": "off" },
  },
  {
    // The death of another set-up is no event to this one: its lock is looked at again, within a deadline.
    files: ["deploy/setup-lock.mjs"],
    rules: { "no-restricted-imports": "off" },
  },
];
