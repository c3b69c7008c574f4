/** The rules of imports. Each one stands beside an import that it must refuse and a similar one that it must allow. */
import { cruise, type IRegularForbiddenRuleType, type IViolation } from "dependency-cruiser";

type NamedRule = IRegularForbiddenRuleType & { name: string };
type IToRestriction = IRegularForbiddenRuleType["to"];

export interface ImportRule {
  rule: NamedRule;
  /** The importing file and the statement. The test makes their targets. */
  refused: [file: string, statement: string][];
  allowed: [file: string, statement: string][];
}

/** The folders of our own files. */
export const cruisedFolders = ["proto", "daemon", "worker", "client", "deploy", "test"];

/** Applications of real libraries. They import packages that are installed when they are played. */
export const foreignFolder = "^test/apps/site/";

const ours = `^(${cruisedFolders.join("|")})/`;
const worker = "^worker/(?!bridge/)";
const typesOnly = ["type-only", "type-import"] as const;

/** The rooms of each folder, from the edge inwards. A room imports only rooms that come after it. */
const rooms = {
  daemon:
    "startup doctor reload console control http grpc calls cluster evidence takeover telemetry supervisor worker-process store sessions config credentials admission config-schema state core",
  worker:
    "service person tools evidence actions snapshot page-scripts outside login doctor role session recording session-login storage tab debugging network activity refs failures approvals secrets policy chrome threads source-maps core",
  "worker/bridge":
    "settling queries actions identity aim incremental delta tree locators aria styles dom api",
};

/** Folders whose imports point in one direction. */
export const layeredFolders: string[] = Object.entries(rooms).flatMap(([folder, names]) =>
  names.split(" ").map((name) => `${folder}/${name}`),
);

export const importRules: ImportRule[] = [
  {
    rule: forbid("proto-imports-itself", "^proto/", { path: ours, pathNot: "^proto/" }),
    refused: [
      ["proto/a.ts", `import "../daemon/b.ts"`],
      ["proto/a.ts", `import type { B } from "../worker/bridge/b.ts"`],
    ],
    allowed: [["proto/a.ts", `import "./b.ts"`]],
  },
  {
    rule: forbid("daemon-imports-proto", "^daemon/(?!startup/run-daemon\\.ts$)", {
      path: ours,
      pathNot: "^(proto|daemon)/",
    }),
    refused: [
      ["daemon/a.ts", `import "../worker/b.ts"`],
      ["daemon/a.ts", `import type { B } from "../client/b.ts"`],
      ["daemon/a.ts", `import "../deploy/example/b.ts"`],
    ],
    allowed: [["daemon/a.ts", `import "../proto/b.ts"`]],
  },
  {
    rule: forbid("daemon-runs-the-example", "^daemon/startup/run-daemon\\.ts$", {
      path: ours,
      pathNot: "^(proto|daemon|deploy/example)/",
    }),
    refused: [
      ["daemon/startup/run-daemon.ts", `import "../../deploy/b.mjs"`],
      ["daemon/startup/run-daemon.ts", `await import("../../worker/b.ts")`],
    ],
    allowed: [["daemon/startup/run-daemon.ts", `await import("../../deploy/example/b.ts")`]],
  },
  {
    rule: forbid("worker-imports-proto", worker, { path: ours, pathNot: "^(proto|worker)/" }),
    refused: [
      ["worker/a.ts", `import "../daemon/b.ts"`],
      ["worker/a.ts", `import "../client/b.ts"`],
    ],
    allowed: [["worker/a.ts", `import "../proto/b.ts"`]],
  },
  {
    rule: forbid("worker-imports-types-of-the-bridge", worker, {
      path: "^worker/bridge/",
      dependencyTypesNot: [...typesOnly],
    }),
    refused: [
      ["worker/a.ts", `import { b } from "./bridge/b.ts"`],
      ["worker/a.ts", `import { type B, b } from "./bridge/b.ts"`],
      ["worker/a.ts", `import type { B } from "./bridge/b.ts"; export { b } from "./bridge/b.ts"`],
      ["worker/a.ts", `await import("./bridge/b.ts")`],
    ],
    allowed: [
      ["worker/a.ts", `import type { B } from "./bridge/b.ts"`],
      ["worker/a.ts", `export type C = import("./bridge/b.ts").B`],
    ],
  },
  {
    rule: forbid("bridge-imports-itself", "^worker/bridge/", { pathNot: "^worker/bridge/" }),
    refused: [
      ["worker/bridge/a.ts", `import "../b.ts"`],
      ["worker/bridge/a.ts", `import type { B } from "../../proto/b.ts"`],
      ["worker/bridge/a.ts", `import "node:fs"`],
      ["worker/bridge/a.ts", `import "runtime-package"`],
    ],
    allowed: [["worker/bridge/a.ts", `import "./b.ts"`]],
  },
  {
    rule: forbid("console-page-imports-itself", "^daemon/console/page/", {
      pathNot: "^(daemon/console/(page/|(wire|changes)\\.ts$)|node_modules/(preact|uplot)/)",
    }),
    refused: [
      ["daemon/console/page/a.ts", `import "../b.ts"`],
      ["daemon/console/page/a.ts", `import type { B } from "../../../proto/b.ts"`],
      ["daemon/console/page/a.ts", `import "node:fs"`],
      ["daemon/console/page/a.ts", `import "runtime-package"`],
    ],
    allowed: [["daemon/console/page/a.ts", `import "./b.ts"`]],
  },
  {
    rule: forbid("console-page-runs-in-browsers", "^(?!daemon/console/page/)", {
      path: "^daemon/console/page/",
    }),
    refused: [["daemon/console/a.ts", `import "./page/b.ts"`]],
    allowed: [["daemon/console/a.ts", `import "../control/b.ts"`]],
  },
  ...Object.entries(rooms).flatMap(([folder, names]) => layers(folder, names.split(" "))),
  {
    rule: forbid("client-imports-proto", "^client/", { path: ours, pathNot: "^(proto|client)/" }),
    refused: [
      ["client/a.ts", `import "../daemon/b.ts"`],
      ["client/a.ts", `import "../worker/b.ts"`],
    ],
    allowed: [["client/a.ts", `import "../proto/b.ts"`]],
  },
  {
    rule: forbid("deploy-imports-itself", "^deploy/(?!(build|newer)\\.ts$)", {
      path: ours,
      pathNot: "^deploy/",
    }),
    refused: [["deploy/example/a.ts", `import "../../proto/b.ts"`]],
    allowed: [["deploy/example/a.ts", `import "./b.ts"`]],
  },
  {
    rule: {
      ...forbid("set-up-needs-nothing-installed", "^deploy/[^/]*\\.mjs$", {
        pathNot: "^deploy/[^/]*\\.mjs$",
        dependencyTypesNot: ["core"],
      }),
      comment: "it runs before any package is there, and on the machine's own Node",
    },
    refused: [
      ["deploy/a.mjs", `import "runtime-package"`],
      ["deploy/a.mjs", `import "./example/b.ts"`],
    ],
    allowed: [
      ["deploy/a.mjs", `import "node:fs"`],
      ["deploy/a.mjs", `import "./b.mjs"`],
    ],
  },
  {
    rule: forbid("nothing-imports-the-tests", "^(?!test/)", { path: "^test/" }),
    refused: [["worker/a.ts", `import "../test/b.ts"`]],
    allowed: [["test/a.ts", `import "./b.ts"`]],
  },
  {
    rule: {
      name: "worker-alone-drives-the-browser",
      severity: "error",
      from: { pathNot: [worker, "^test/"] },
      to: {
        path: "node_modules/(puppeteer|puppeteer-core|playwright|playwright-core|chromium-bidi|chrome-remote-interface)/",
      },
    },
    refused: [
      ["daemon/a.ts", `import "puppeteer-core"`],
      ["client/a.ts", `import type { B } from "puppeteer-core"`],
    ],
    allowed: [["worker/a.ts", `import "puppeteer-core"`]],
  },
  {
    rule: {
      ...forbid("generated-types-are-only-types", ours, {
        path: "^proto/gen/",
        dependencyTypesNot: [...typesOnly],
      }),
      comment: "proto/gen is not in the repository and not in the package",
    },
    refused: [["daemon/a.ts", `import { b } from "../proto/gen/b.ts"`]],
    allowed: [["daemon/a.ts", `import type { B } from "../proto/gen/b.ts"`]],
  },
  {
    // The build copies puppeteer, preact, uplot and OpenTelemetry's SDK into the package, and leaves esbuild behind.
    // Node's types are their users' own.
    rule: forbid("what-runs-needs-no-development-package", "^(?!test/|deploy/build\\.ts$)", {
      dependencyTypes: ["npm-dev"],
      pathNot:
        "^node_modules/(?:puppeteer-core|preact|uplot|@opentelemetry/(?:sdk-trace-node|exporter-trace-otlp-proto|resources)|esbuild|@types/node)/",
    }),
    refused: [["worker/a.ts", `import "development-package"`]],
    allowed: [["test/a.ts", `import "development-package"`]],
  },
  {
    rule: forbid("packages-are-declared", ours, {
      dependencyTypes: ["npm-no-pkg", "npm-unknown", "undetermined"],
    }),
    refused: [["worker/a.ts", `import "undeclared-package"`]],
    allowed: [["worker/a.ts", `import "runtime-package"`]],
  },
  {
    rule: forbid("imports-resolve", ours, { couldNotResolve: true }),
    refused: [
      ["client/a.ts", `import "./nowhere.ts"`],
      ["client/a.ts", `import "runtime-package/inner.js"`],
    ],
    allowed: [
      ["client/a.ts", `import "./b.ts"`],
      ["client/a.ts", `import "runtime-package/outer.js"`],
    ],
  },
  {
    rule: {
      name: "no-cycles-of-folders",
      severity: "error",
      scope: "folder",
      from: { path: ours },
      to: { circular: true },
    } as NamedRule,
    refused: [["client/two/a.ts", `import "../one/b.ts"`]],
    allowed: [["client/one/a.ts", `import "../two/b.ts"`]],
  },
  {
    rule: forbid("no-cycles", ours, { circular: true }),
    refused: [["client/cycle.ts", `import "./cycle-back.ts"`]],
    allowed: [["client/a.ts", `import "./b.ts"`]],
  },
];

/** Makes one rule for each room: it imports no room that comes before it. */
function layers(folder: string, names: readonly string[]): ImportRule[] {
  return names.slice(1).map((room, index) => ({
    rule: forbid(`${folder.replace("/", "-")}-${room}-imports-rooms-below`, `^${folder}/${room}/`, {
      path: `^${folder}/(${names.slice(0, index + 1).join("|")})/`,
    }),
    refused: [[`${folder}/${room}/a.ts`, `import type { B } from "../${names[0]}/b.ts"`]],
    allowed: [],
  }));
}

export interface Cruise {
  /** Our files that were read, relative to the base. */
  files: string[];
  violations: IViolation[];
}

/** Checks every import of our files below `baseDir` against the rules. */
export async function cruiseImports(baseDir: string): Promise<Cruise> {
  const { output } = await cruise(
    cruisedFolders,
    {
      baseDir,
      validate: true,
      ruleSet: { forbidden: importRules.map(({ rule }) => rule) },
      tsPreCompilationDeps: "specify",
      doNotFollow: { path: "node_modules" },
      exclude: { path: foreignFolder },
    },
    // A package's exports are resolved as Node resolves them.
    { exportsFields: ["exports"], conditionNames: ["node", "import"] },
  );
  if (typeof output === "string") throw new Error(`dependency-cruiser answered in words: ${output}`);
  return {
    files: output.modules.map(({ source }) => source).filter((source) => new RegExp(ours).test(source)),
    violations: output.summary.violations,
  };
}

function forbid(name: string, from: string, to: IToRestriction): NamedRule {
  return { name, severity: "error", from: { path: from }, to };
}
