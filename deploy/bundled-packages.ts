// How packages become part of the bundles: what is left out of them, what they share, and what stays apart.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Plugin } from "esbuild";

const require = createRequire(import.meta.url);

/** Packages that read their own files by their path. They stay packages of their own. */
export const UNBUNDLED = ["@sparticuz/chromium", "esbuild", "pino", "piscina"];
/** Packages that few daemons load. They stay packages of their own, because the bundles would grow by them. */
export const SELDOM = ["@grpc/reflection", "@modelcontextprotocol/server", "pg"];

/** Large packages of several bundles. They have files of their own, by their names in the `imports` of package.json. */
const SHARED: Readonly<Record<string, string>> = {
  "@grpc/grpc-js": "#grpc",
  "@grpc/proto-loader": "#proto-loader",
  protobufjs: "#protobufjs",
  yaml: "#yaml",
};
const IS_SHARED = new RegExp(`^(?:${Object.keys(SHARED).join("|")})$`);

/** The shared packages' files below `dist/packages`, each with what it holds. */
export const sharedEntries = Object.fromEntries(
  Object.entries(SHARED).map(([name, key]) => [key.slice(1), `shared:${name}`]),
);

/** Makes the modules of {@link sharedEntries}. */
export const sharedModules: Plugin = {
  name: "modules of shared packages",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^shared:/ }, ({ path: entry }) => ({ path: entry.slice(7), namespace: "shared" }));
    onLoad({ filter: /./, namespace: "shared" }, ({ path: name }) => ({
      contents: `export { ${exportsOf(name).join(", ")} } from "${name}";`,
      resolveDir: import.meta.dirname,
    }));
  },
};

/** A package of CommonJS does not say its exports: they are those of its object, and the object by default. */
function exportsOf(name: string): string[] {
  const exported = require(name);
  const names = Object.keys(exported).filter((each) => each !== "__esModule" && each !== "default");
  return exported.__esModule ? names : ["default", ...names];
}

/** Leads to the shared packages' files. */
export const shared: Plugin = {
  name: "shared packages",
  setup({ onResolve }) {
    onResolve({ filter: IS_SHARED }, ({ path: name }) => ({ path: SHARED[name] ?? name, external: true }));
  },
};

/** Parts of puppeteer that download browsers or speak WebDriver BiDi, and of Fastify for schemas and tests. */
const UNUSED =
  /^(?:@fastify[/](?:ajv|fast-json-stringify)-compiler|light-my-request|proxy-agent|tar-fs|extract-zip|progress|yargs.*|unbzip2-stream|chromium-bidi.*)$|[/]bidi[/]\w+[.]js$/;
/** Zod's messages in other languages. */
const LOCALES = /^[.][.][/]locales[/]index[.]js$/;

/** Troupe uses none of these. */
export const leftOut: Plugin = {
  name: "left out",
  setup({ onResolve, onLoad }) {
    for (const filter of [UNUSED, LOCALES])
      onResolve({ filter }, () => ({ path: "unused", namespace: "unused" }));
    onLoad({ filter: /./, namespace: "unused" }, () => ({ contents: "module.exports = {};" }));
  },
};

/** The health service reads its description from the folder of its package, also from within a bundle. */
export const healthFolder: Plugin = {
  name: "folder of the health service",
  setup({ onLoad }) {
    onLoad({ filter: /[/]grpc-health-check[/]build[/]src[/]health[.]js$/ }, ({ path: file }) => ({
      contents: readFileSync(file, "utf8").replaceAll(
        "__dirname",
        'require("node:path").dirname(require.resolve("grpc-health-check"))',
      ),
    }));
  },
};

/**
 * All handlers of tools are loaded when a worker starts. As dynamic imports they would be chunks of their own, and so
 * would all that some of them share. Those 150 files would take a third of the start.
 */
export const handlersTogether: Plugin = {
  name: "handlers of tools together",
  setup({ onLoad }) {
    onLoad({ filter: /[/]worker[/]tools[/]all[.]ts$/ }, ({ path: file }) => {
      const parts = readFileSync(file, "utf8").split("await import(");
      if (parts.length !== 2) throw new Error(`${file} does not load the handlers in one place`);
      return { contents: parts.join("require("), loader: "ts" };
    });
  },
};

/** To import Node's http as a module reads all its exports. One of them is WebSocket, for which Node loads undici. */
export const httpWithoutWebSocket: Plugin = {
  name: "http without WebSocket",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:node:)?http$/ }, ({ kind }) =>
      kind === "import-statement" ? { path: "http", namespace: "built in" } : undefined,
    );
    onLoad({ filter: /./, namespace: "built in" }, () => ({
      contents: 'module.exports = process.getBuiltinModule("http");',
    }));
  },
};
