// Pages that overload a role: each holds memory, floods, or makes requests without end, at its start or on a click.
import type { ServerResponse } from "node:http";
import type { Site } from "../site/serve.ts";

export interface StormPage {
  title: string;
  /** Returns its address. */
  serve(site: Site): string;
  /** True if the page may hold so much memory that the role's bound replaces its worker. */
  hogs?: boolean;
}

const BUTTON = "<h1>Storm</h1><button>Go</button><label>Name <input></label>";

/** A page with a script that runs after its load, and a script for its button. */
const page = (title: string, script: string, click = "") => ({
  title,
  serve: (site: Site) =>
    site.page(
      `<title>Storm</title>${BUTTON}<script>document.querySelector("button").onclick = () => { ${click} };
       setTimeout(() => { ${script} });</script>`,
    ),
});

/** Each megabyte is written to, so that it is resident. In the end one page holds this much. */
const HOGGED_MIB = 1200;
const HOG = `const kept = []; setInterval(() => {
  for (let i = 0; i < 8 && kept.length < ${HOGGED_MIB}; i++) kept.push(new Uint8Array(1 << 20).fill(kept.length + 1)); }, 20);`;
const ENDLESS_EVERY_MS = 20;
/** The pieces of an endless answer after which the other side must have stopped it. */
const ENDLESS_PIECES_MAX = 30_000;

export const stormPages: readonly StormPage[] = [
  page("a loop without end at the page's start", "for (;;);"),
  page("a loop without end on a click", "", "for (;;);"),
  page("a loop without end in promises", "", "const again = () => Promise.resolve().then(again); again();"),
  page(
    "loops without end in workers",
    "for (let i = 0; i < 2; i++) new Worker(URL.createObjectURL(new Blob(['for (;;);'])));",
  ),
  {
    title: "a loop without end in a frame of the same site",
    serve: (site) =>
      framed(site, site.page("<title>In</title><button>In</button><script>for (;;);</script>")),
  },
  {
    title: "a loop without end in a frame of another site",
    serve: (site) =>
      framed(
        site,
        site.elsewhere(site.page("<title>In</title><button>In</button><script>for (;;);</script>")),
      ),
  },
  ...(["alert", "confirm", "prompt"] as const).map((kind) =>
    page(`${kind} without end`, `for (let n = 0; ; n++) ${kind}("storm " + n);`),
  ),
  page("dialogs from a timer", "let n = 0; setInterval(() => alert('storm ' + n++), 5);"),
  page(
    "a page that does not want to be left",
    "",
    "addEventListener('beforeunload', (event) => { event.preventDefault(); event.returnValue = 'stay'; });",
  ),
  page("popups in a loop", "setInterval(() => open('about:blank'), 5);"),
  page(
    "popups that open popups",
    "const again = (of) => { const w = of.open(''); if (w) w.setTimeout(again, 5, w); }; again(window); again(window);",
  ),
  page(
    "popups that alert",
    "setInterval(() => { const w = open('about:blank'); w?.setTimeout('for (;;) alert(1)'); }, 20);",
  ),
  page(
    "history.pushState in a loop",
    "let n = 0; setInterval(() => { for (let i = 0; i < 50; i++) history.pushState(n, '', '#' + n++); });",
  ),
  page("location.hash in a loop", "let n = 0; setInterval(() => { location.hash = n++; });"),
  page("a page that loads itself again and again", "location.reload();"),
  {
    title: "two pages that replace each other",
    serve: (site) => {
      const [one, other] = [1, 2].map((turn) =>
        site.route((_request, response) =>
          html(response, `${BUTTON}<script>location.replace("${turn === 1 ? other : one}");</script>`),
        ),
      ) as [string, string];
      return one;
    },
  },
  page(
    "a flood of console messages",
    "setInterval(() => { for (let i = 0; i < 2000; i++) console.error('x'.repeat(5000), { i }); });",
  ),
  page(
    "a flood of uncaught errors",
    "setInterval(() => { for (let i = 0; i < 200; i++) setTimeout(() => { throw new Error('y'.repeat(1000)); }); });",
  ),
  page(
    "a flood of requests",
    "setInterval(() => { for (let i = 0; i < 50; i++) fetch('/nothing-' + Math.random()).catch(() => 0); }, 10);",
  ),
  page(
    "a flood of downloads",
    `setInterval(() => { const a = document.createElement("a");
       a.href = URL.createObjectURL(new Blob([new Uint8Array(1 << 20)])); a.download = "flood.bin"; a.click(); }, 20);`,
  ),
  page(
    "a tree that grows without end",
    "setInterval(() => { for (let i = 0; i < 300; i++) document.body.append(Object.assign(document.createElement('button'), { textContent: 'b' + i })); }, 5);",
  ),
  page(
    "a tree that deepens without end",
    "let at = document.body; setInterval(() => { for (let i = 0; i < 20; i++) at = at.appendChild(document.createElement('div')); at.textContent || at.append('deep'); }, 5);",
  ),
  page(
    "document.write without end",
    "document.open(); setInterval(() => document.write('<p>more <b>and more'), 1);",
  ),
  {
    title: "an answer without an end",
    serve: (site) => site.route((_request, response) => endless(response)),
  },
  { ...page("memory without end", HOG), hogs: true },
];

function framed(site: Site, inner: string): string {
  return site.page(`<title>Storm</title>${BUTTON}<iframe src="${inner}"></iframe>`);
}

function html(response: ServerResponse, body: string): void {
  response.writeHead(200, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" });
  response.end(`<!doctype html><title>Storm</title>${body}`);
}

function endless(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  response.write(`<!doctype html><title>Storm</title>${BUTTON}`);
  let pieces = 0;
  const timer = setInterval(() => {
    if (++pieces > ENDLESS_PIECES_MAX) response.destroy();
    else response.write(`<p>Piece ${pieces}`);
  }, ENDLESS_EVERY_MS);
  response.on("close", () => clearInterval(timer));
}
