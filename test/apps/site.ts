// Serves one application on loopback: its page, bundled from the real libraries, its own server, and the record of what
// it did.
import { glob, readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type BuildOptions, build } from "esbuild";
import fastify, { type FastifyInstance } from "fastify";
import { siteFolder } from "./packages.ts";

export interface Site extends AsyncDisposable {
  url: string;
  /** The application's reports of what it did, in order. */
  record: readonly string[];
  /** Resolves when this was recorded so often, or after the deadline. */
  recorded(what: string, times: number): Promise<void>;
}

/** An application's server adds its routes, and may record what it did. */
type Serve = (app: FastifyInstance, say: (what: string) => void) => void | Promise<void>;

const RECORD_MS_MAX = 5_000;
const types: Record<string, string> = { ".js": "text/javascript", ".css": "text/css", ".html": "text/html" };

export async function openSite(name: string): Promise<Site> {
  const folder = siteFolder(name);
  const app = fastify({ forceCloseConnections: true });
  const record: string[] = [];
  const waiting = new Set<() => void>();
  const say = (what: string) => {
    record.push(what);
    for (const look of waiting) look();
  };
  app.addContentTypeParser("text/plain", { parseAs: "string" }, (_request, body, done) => done(null, body));
  app.post("/said", (request, reply) => {
    say(String(request.body));
    return reply.code(204).send();
  });
  const files = await filesOf(folder);
  for (const { path, contents } of files)
    app.get(path, (_request, reply) =>
      reply.type(types[extname(path)] ?? "application/octet-stream").send(contents),
    );
  const html = await pageOf(
    folder,
    name,
    files.some(({ path }) => path === "/page.css"),
  );
  // The last page. Its record comes after those of the earlier pages.
  app.get("/the-end", (_request, reply) =>
    reply.type("text/html").send(`<script>navigator.sendBeacon("/said", "the end")</script>`),
  );
  app.get("/", (_request, reply) => reply.type("text/html; charset=utf-8").send(html));
  for await (const file of glob("server.js", { cwd: folder })) {
    const server = (await import(pathToFileURL(join(folder, file)).href)) as { default: Serve };
    await server.default(app, say);
  }
  await app.listen({ host: "127.0.0.1", port: 0 });
  return {
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    record,
    recorded: async (what, times) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = () => record.filter((each) => each === what).length >= times && resolve();
      waiting.add(look);
      const timer = setTimeout(resolve, RECORD_MS_MAX);
      look();
      await promise;
      clearTimeout(timer);
      waiting.delete(look);
    },
    [Symbol.asyncDispose]: () => app.close(),
  };
}

/**
 * Bundles the application's programs with their imports: `page.*` and its workers. `build.js` holds the settings of
 * their build.
 */
async function filesOf(folder: string): Promise<{ path: string; contents: Uint8Array }[]> {
  const entryPoints = await Array.fromAsync(glob("{page,*worker}.{js,jsx,ts,tsx}", { cwd: folder }));
  if (entryPoints.length === 0) return [];
  const [own] = await Array.fromAsync(glob("build.js", { cwd: folder }));
  const needs = own
    ? ((await import(pathToFileURL(join(folder, own)).href)) as { default: BuildOptions })
    : undefined;
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints,
    outdir: "/",
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    target: "chrome120",
    jsx: "automatic",
    loader: {
      ".woff": "dataurl",
      ".woff2": "dataurl",
      ".ttf": "dataurl",
      ".svg": "dataurl",
      ".png": "dataurl",
      ".gif": "dataurl",
      ".eot": "empty",
    },
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "silent",
    ...needs?.default,
  });
  return (outputFiles ?? []).map(({ path, contents }) => ({ path, contents }));
}

/** Returns the page's own HTML, or an empty one, with `say` for the page's reports. */
async function pageOf(folder: string, name: string, isStyled: boolean): Promise<string> {
  const has = async (pattern: string) => (await Array.fromAsync(glob(pattern, { cwd: folder }))).length > 0;
  const body = (await has("page.html"))
    ? await readFile(join(folder, "page.html"), "utf8")
    : '<div id="root"></div>';
  const style = isStyled ? '<link rel="stylesheet" href="/page.css">' : "";
  const script = (await has("page.{js,jsx,ts,tsx}")) ? '<script type="module" src="/page.js"></script>' : "";
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${name}</title><link rel="icon" href="data:,">
<script>const say = (what) => navigator.sendBeacon("/said", what);</script>
${style}${script}</head><body>${body}</body></html>`;
}
