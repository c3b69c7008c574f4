// Sales in ECharts: a chart drawn as SVG with a legend, a zoom and a tooltip; filtered, chosen from, and noted.
import * as echarts from "echarts";

document.body.innerHTML = `<h1>Sales</h1><label>Kind <select id="kind"><option value="bar">Bars</option><option value="line">Lines</option></select></label><label>From <input id="from" type="range" min="0" max="4" value="0"></label><fieldset><legend>Shops</legend><label><input type="checkbox" value="North" checked>North</label><label><input type="checkbox" value="South" checked>South</label></fieldset><div id="chart" style="width: 640px; height: 320px"></div><p role="status"></p><form><label>Remark <input name="remark" required></label><button>Save remark</button></form><ul aria-label="Remarks"></ul>`;
const $ = (selector) => document.querySelector(selector);
const months = ["January", "February", "March", "April", "May"];
const sales = { North: [10, 20, 30, 40, 50], South: [15, 25, 35, 45, 55] };
const chart = echarts.init($("#chart"), undefined, { renderer: "svg" });
chart.setOption({
  aria: { enabled: true },
  animationDuration: 200,
  animationDurationUpdate: 200,
  legend: { selectedMode: true },
  tooltip: { trigger: "item" },
  xAxis: { type: "category", data: months },
  yAxis: {},
  dataZoom: [{ type: "inside" }],
  series: Object.entries(sales).map(([name, data]) => ({ type: "bar", name, data })),
});
const tell = (what) => {
  say(what);
  $("[role=status]").textContent = what;
};
$("#kind").addEventListener("change", ({ target }) => {
  chart.setOption({ series: Object.keys(sales).map((name) => ({ name, type: target.value })) });
  say(`kind ${target.value}`);
});
$("#from").addEventListener("change", ({ target }) => {
  chart.dispatchAction({ type: "dataZoom", startValue: Number(target.value), endValue: months.length - 1 });
  say(`from ${months[target.value]}`);
});
$("fieldset").addEventListener("change", ({ target }) =>
  chart.dispatchAction({ type: target.checked ? "legendSelect" : "legendUnSelect", name: target.value }),
);
chart.on("legendselectchanged", ({ name, selected }) =>
  say(`${name} ${selected[name] ? "shown" : "hidden"}`),
);
for (const type of ["legendselected", "legendunselected"])
  chart.on(type, ({ name, selected }) => tell(`${name} ${selected[name] ? "shown" : "hidden"}`));
chart.on("click", ({ seriesName, name, value }) => tell(`${seriesName} in ${name}: ${value}`));
$("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const item = document.createElement("li");
  item.textContent = $("[name=remark]").value;
  $("ul").append(item);
  say(`remark ${item.textContent}`);
  event.target.reset();
});
