/** Draws horizontal bars in groups on a logarithmic axis, as SVG for light and dark pages. */

export interface BarPlot {
  title: string;
  /** The label of the axis, with the unit. */
  axis: string;
  /** The names of the bars in each group, in the order of their colours. */
  series: readonly string[];
  /** A missing value has no bar. */
  groups: readonly { name: string; values: readonly (number | undefined)[] }[];
}

const WIDTH = 760;
const LEFT = 210;
const RIGHT = 90;
const TOP = 74;
const BAR = 13;
const GAP = 14;
const FOOT = 46;
/** A bar of the least value can still be seen. */
const LEAST_SHARE = 0.6;

/** Returns the SVG. It is the same for the same values. */
export function barPlot(plot: BarPlot): string {
  const { title, axis, series, groups } = plot;
  const groupHeight = series.length * BAR + GAP;
  const bottom = TOP + groups.length * groupHeight;
  const height = bottom + FOOT;
  const scale = scaleOf(groups.flatMap(({ values }) => values.filter((value) => value !== undefined)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" role="img" aria-labelledby="title">`,
    `<title id="title">${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="page" x=".5" y=".5" width="${WIDTH - 1}" height="${height - 1}" rx="9"/>`,
    text({ x: 20, y: 30, kind: "title" }, title),
    ...series.map((name, index) => keyOf(name, index, series.length)),
    ...scale.ticks.flatMap((tick) => [
      `<line class="grid" x1="${scale.x(tick)}" y1="${TOP - 6}" x2="${scale.x(tick)}" y2="${bottom}"/>`,
      text({ x: scale.x(tick), y: bottom + 16, kind: "middle" }, shown(tick)),
    ]),
    ...groups.flatMap(({ name, values }, index) => {
      const top = TOP + index * groupHeight;
      const label = text({ x: LEFT - 10, y: top + (series.length * BAR) / 2 + 4, kind: "end" }, name);
      return [label, ...values.flatMap((value, at) => barOf(value, at, top, scale))];
    }),
    text({ x: (LEFT + WIDTH - RIGHT) / 2, y: height - 12, kind: "middle" }, axis),
    "</svg>",
    "",
  ].join("\n");
}

interface Scale {
  ticks: number[];
  x(value: number): number;
}

/** The axis runs between powers of ten. */
function scaleOf(values: readonly number[]): Scale {
  const least = Math.floor(Math.log10(Math.min(...values) * LEAST_SHARE));
  const most = Math.max(least + 1, Math.ceil(Math.log10(Math.max(...values))));
  const ticks = Array.from({ length: most - least + 1 }, (_, index) => 10 ** (least + index));
  const share = (value: number) => (Math.log10(value) - least) / (most - least);
  return { ticks, x: (value) => Math.round(LEFT + share(value) * (WIDTH - LEFT - RIGHT)) };
}

function barOf(value: number | undefined, at: number, top: number, scale: Scale): string[] {
  if (value === undefined) return [];
  const y = top + at * BAR;
  const width = scale.x(value) - LEFT;
  return [
    `<rect class="s${at}" x="${LEFT}" y="${y}" width="${width}" height="${BAR - 2}"/>`,
    text({ x: LEFT + width + 5, y: y + BAR - 3, kind: "value" }, shown(value)),
  ];
}

function keyOf(name: string, index: number, count: number): string {
  const x = 20 + index * Math.floor((WIDTH - 40) / count);
  return `<rect class="s${index}" x="${x}" y="43" width="11" height="11"/>${text({ x: x + 17, y: 53, kind: "key" }, name)}`;
}

function text({ x, y, kind }: { x: number; y: number; kind: string }, words: string): string {
  return `<text class="${kind}" x="${x}" y="${y}">${escaped(words)}</text>`;
}

const shown = (value: number) => value.toLocaleString("en-US", { maximumSignificantDigits: 3 });
const escaped = (words: string) =>
  words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** The four colours differ in lightness too, and stand out on both grounds. */
const STYLE = `
text{font:12px ui-sans-serif,system-ui,sans-serif;fill:#1f2328}
.title{font-size:16px;font-weight:600}
.middle{text-anchor:middle}.end{text-anchor:end}.value{font-size:11px}
.page{fill:#fff;stroke:#8c959f}.grid{stroke:#8c959f;stroke-opacity:.35}
.s0{fill:#0a7d55}.s1{fill:#d1742a}.s2{fill:#4a7fd6}.s3{fill:#8d7aa8}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}
.page{fill:#0d1117;stroke:#6e7681}
.s0{fill:#3fb98a}}
`;
