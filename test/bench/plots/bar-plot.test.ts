import assert from "node:assert/strict";
import { test } from "node:test";
import { barPlot } from "./bar-plot.ts";

const plot = {
  title: "Looks & <more>",
  axis: "milliseconds",
  series: ["One", "Other"],
  groups: [
    { name: "first", values: [1, 100] },
    { name: "again", values: [10, undefined] },
  ],
};

const widthsOf = (svg: string, series: number) =>
  [...svg.matchAll(new RegExp(`class="s${series}" x="210" y="\\d+" width="(\\d+)"`, "g"))].map(([, width]) =>
    Number(width),
  );

test("a bar is as long as its value's logarithm, and a missing value has none", () => {
  const svg = barPlot(plot);
  const [one = 0, ten = 0] = widthsOf(svg, 0);
  const [hundred = 0] = widthsOf(svg, 1);
  assert.equal(widthsOf(svg, 1).length, 1);
  assert.ok(one > 0);
  assert.ok(Math.abs(hundred - ten - (ten - one)) <= 1);
});

test("the title is accessible, the axis has a label, and both are escaped", () => {
  const svg = barPlot(plot);
  assert.match(svg, /role="img" aria-labelledby="title"/);
  assert.match(svg, /<title id="title">Looks &amp; &lt;more><\/title>/);
  assert.match(svg, />milliseconds<\/text>/);
  assert.match(svg, /prefers-color-scheme:dark/);
});

test("the same values give the same picture, and it loads nothing", () => {
  assert.equal(barPlot(plot), barPlot(plot));
  assert.doesNotMatch(barPlot(plot), /href|url\(|<script/);
});
