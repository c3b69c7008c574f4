// Writes the evidence of calls as one HTML file that opens anywhere and asks nothing of the network. It is pure. All
// words of pages and agents are text.
import { createHash } from "node:crypto";
import type { CallEvidence } from "../../../proto/gen/troupe.ts";
import { VERSION } from "../../../proto/machine/version.ts";
import { linesSpelledOut } from "../../../proto/text/quote.ts";
import { timeText } from "../../../proto/wire/proto-json.ts";
import { SCRIPT, STYLE } from "./page-parts.ts";

const POLICY = [
  "default-src 'none'",
  "img-src data:",
  `style-src '${hashOf(STYLE)}'`,
  `script-src '${hashOf(SCRIPT)}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Writes the parts of one page in their order: the head, each call, the end. */
export class EvidencePage {
  readonly #session: string;
  readonly #links: string[] = [];
  /** By role and tab, the id of the newest picture. */
  readonly #pictures = new Map<string, string>();

  constructor(session: string) {
    this.#session = session;
  }

  /** The number of the calls so far. */
  get calls(): number {
    return this.#links.length;
  }

  head(exportedAt: Date): string {
    const title = `Evidence of session ${this.#session}`;
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${text(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${text(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${text(title)}</h1>
<p class="soft">Exported at ${text(exportedAt.toISOString())} by Troupe ${text(VERSION)}. The arrow keys go from call to call.</p>
</header>
<main>
<div class="scrub">
<button type="button" id="back">Previous</button>
<input type="range" id="at" min="1" max="1" value="1" aria-label="Call">
<button type="button" id="on">Next</button>
<span id="place" role="status"></span>
</div>
`;
  }

  call({ call, plan, seen, picture }: CallEvidence): string {
    const number = this.#links.length + 1;
    const tool = call?.tool || seen?.tool || "a call";
    const outcome = call?.outcome ?? "no outcome: the daemon ended first";
    const at = call?.at ? (timeText(call.at) ?? "") : "";
    const name = `${number}. ${tool}: ${outcome}`;
    const id = `c${number}`;
    const what = [tool, seen?.element].filter(Boolean).join(" ");
    this.#links.push(`<li value="${number}"><a href="#${id}">${text(`${what}: ${outcome}`)}</a></li>`);
    const place = `${call?.role ?? ""} ${seen?.tab ?? ""}`;
    const before = this.#pictures.get(place);
    if (picture?.image.length) this.#pictures.set(place, `p${number}`);
    const took = call ? `${Math.round(call.durationMs)} ms` : "";
    const facts: [string, string][] = [
      ["Ended", [at, took && `after ${took}`].filter(Boolean).join(", ")],
      ["Role and tab", [call?.role, seen?.tab].filter(Boolean).join(", ")],
      ["Element", seen?.element ?? ""],
      ["Arguments", seen?.arguments ?? ""],
      ["Page", [seen?.title, seen?.url].filter(Boolean).join(", ")],
      ["Request", call?.requestId ?? ""],
    ];
    const rows = facts.filter(([, value]) => value !== "");
    return `<article id="${id}" aria-labelledby="h${number}">
<h2 id="h${number}"${call && call.outcome !== "OK" ? ' class="bad"' : ""}>${text(name)}</h2>
<dl>${rows.map(([term, value]) => `<dt>${text(term)}</dt><dd>${text(value)}</dd>`).join("")}</dl>
<div class="pictures">
<figure><figcaption>Before</figcaption>${before ? `<img data-as="${before}" alt="The page before call ${number}">` : "<p>No earlier picture of this tab.</p>"}</figure>
<figure><figcaption>After</figcaption>${pictureOf(number, picture)}</figure>
</div>
${section("Plan", plan, number)}${section("Reply", seen?.reply ?? "", number)}</article>
`;
  }

  end(): string {
    return `</main>
<nav aria-labelledby="all">
<h2 id="all">Calls</h2>
<ol>
${this.#links.join("\n")}
</ol>
</nav>
<script>${SCRIPT}</script>
</body>
</html>
`;
  }
}

function pictureOf(number: number, picture: CallEvidence["picture"]): string {
  if (!picture?.image.length) return `<p>No picture: ${text(picture?.missing || "none was taken")}.</p>`;
  const data = Buffer.from(picture.image).toString("base64");
  return `<img id="p${number}" src="data:image/webp;base64,${data}" alt="The page after call ${number}">`;
}

function section(title: string, words: string, number: number): string {
  if (words === "") return "";
  const id = `${title.toLowerCase()}${number}`;
  return `<h3 id="${id}">${title}</h3>
<pre tabindex="0" role="region" aria-labelledby="${id}">${text(words)}</pre>
`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Returns foreign words as the text of an element or attribute, with nothing hidden in them. */
function text(words: string): string {
  return linesSpelledOut(words).replace(/[&<>"']/g, (each) => ESCAPES[each] ?? each);
}

function hashOf(content: string): string {
  return `sha256-${createHash("sha256").update(content).digest("base64")}`;
}
