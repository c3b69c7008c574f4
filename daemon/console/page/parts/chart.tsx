// A line chart with a name and a summary in words, for those who do not see it.
import { useEffect, useRef } from "preact/hooks";
import UPlot from "uplot";

export interface ChartProps {
  title: string;
  summary: string;
  /** Times in seconds, and the values at those times. null leaves a gap. */
  times: number[];
  values: (number | null)[];
  /** The end of the scale, if it is fixed. */
  max?: number;
  unit: string;
}

const HEIGHT_PX = 160;
/** A time such as 12:30pm, with room beside it. */
const TIME_PX = 80;

export function Chart({ title, summary, times, values, max, unit }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<UPlot>(undefined);
  const data: UPlot.AlignedData = [times, values];
  const latest = useRef(data);
  latest.current = data;
  useEffect(() => {
    const { current: element } = place;
    if (!element) return undefined;
    const draw = () => {
      chart.current?.destroy();
      chart.current = new UPlot(optionsOf(element, unit, max), latest.current, element);
    };
    const theme = matchMedia("(prefers-color-scheme: dark)");
    theme.addEventListener("change", draw);
    const resized = new ResizeObserver(() =>
      chart.current?.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    );
    resized.observe(element);
    draw();
    return () => {
      theme.removeEventListener("change", draw);
      resized.disconnect();
      chart.current?.destroy();
    };
  }, [unit, max]);
  useEffect(() => chart.current?.setData(latest.current), [times, values]);
  return (
    <figure class="chart">
      <figcaption>
        {title} <span class="note">{summary}</span>
      </figcaption>
      <div ref={place} role="img" aria-label={`${title}: ${summary}`} />
    </figure>
  );
}

function optionsOf(element: HTMLElement, unit: string, max: number | undefined): UPlot.Options {
  const style = getComputedStyle(element);
  const [line, text, grid] = ["--accent", "--text", "--line"].map((name) => style.getPropertyValue(name));
  const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
  return {
    width: Math.max(element.clientWidth, 100),
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_chart, _low, high) => [0, max ?? Math.max(1, high * 1.1)] } },
    series: [{}, { stroke: line, width: 2, spanGaps: false, points: { show: max !== undefined, size: 5 } }],
    axes: [
      { ...axis, space: TIME_PX },
      { ...axis, size: 50, values: (_chart, ticks) => ticks.map((tick) => `${tick}${unit}`) },
    ],
  };
}
