// Draws a session as a terminal that fills line by line: an SVG with CSS, for light and dark pages.
import type { Turn } from "./session.ts";

const WIDTH = 760;
const LINE = 21;
const LEFT = 20;
const TOP = 58;
/** The characters that fit in a line. */
const COLUMNS = 86;
const PROMPT = "As customer, put product 42 into the cart and order it. Then look as admin.";
const SECONDS = 20;
/** The part of the time in which the lines appear; for the rest they stay. */
const APPEARING = 0.7;

interface Line {
  text: string;
  kind: "ask" | "call" | "reply" | "note" | "error";
  /** Lines with the same step appear together. */
  step: number;
}

/** Returns the SVG of the turns and of the first and last lines of an error. */
export function picture(turns: readonly Turn[], failed: Turn): string {
  const lines = linesOf(turns, failed);
  const height = TOP + lines.length * LINE + 6;
  const steps = (lines.at(-1)?.step ?? 0) + 1;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" role="img" aria-labelledby="title">`,
    `<title id="title">An agent orders in a shop as customer, finds the order as admin, and gets a plan for a failed click</title>`,
    `<style>${style(steps)}</style>`,
    `<rect x=".5" y=".5" width="${WIDTH - 1}" height="${height - 1}" rx="9" fill="#0d1117" stroke="#6e7681"/>`,
    ...["#ff5f57", "#febc2e", "#28c840"].map(
      (colour, index) => `<circle cx="${LEFT + 5 + index * 18}" cy="22" r="5.5" fill="${colour}"/>`,
    ),
    ...lines.map(
      ({ text, kind, step }, index) =>
        `<text x="${LEFT}" y="${TOP + index * LINE}" class="${kind} s${step}">${escaped(text)}</text>`,
    ),
    "</svg>",
    "",
  ].join("\n");
}

function linesOf(turns: readonly Turn[], failed: Turn): Line[] {
  const lines: Line[] = [{ text: `> ${PROMPT}`, kind: "ask", step: 0 }];
  for (const [index, { call, shown }] of turns.entries()) {
    lines.push({ text: call, kind: "call", step: 2 * index + 1 });
    lines.push({ text: `  ${shown}`, kind: "reply", step: 2 * index + 2 });
  }
  const step = 2 * turns.length + 1;
  const said = failed.shown.split("\n");
  const plan = said.slice(said.findIndex((line) => line.startsWith("🔧")));
  lines.push({ text: "# On a page that has rendered its button anew:", kind: "note", step });
  lines.push({ text: failed.call, kind: "call", step });
  for (const text of [said[0] ?? "", ...plan])
    lines.push({ text: `  ${text}`, kind: "error", step: step + 1 });
  return lines;
}

/** Each line is there from its step to the end of the round. Readers who want no motion see all lines at once. */
function style(steps: number): string {
  const shown = Array.from({ length: steps }, (_, step) => {
    const from = ((100 * APPEARING * step) / steps).toFixed(1);
    return `@keyframes k${step}{0%,${from}%{opacity:0}${(Number(from) + 0.5).toFixed(1)}%,100%{opacity:1}}.s${step}{animation-name:k${step}}`;
  });
  return [
    "text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre;fill:#c9d1d9}",
    `text{animation:${SECONDS}s linear infinite}.ask{fill:#f0f6fc;font-weight:600}.call{fill:#79c0ff}.note{fill:#8b949e}.error{fill:#ffa198}`,
    ...shown,
    "@media(prefers-reduced-motion:reduce){text{animation:none}}",
  ].join("");
}

function escaped(text: string): string {
  const cut = text.length > COLUMNS ? `${text.slice(0, COLUMNS - 1)}…` : text;
  return cut.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
