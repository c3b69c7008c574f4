// debugger_call_stack: shows where the page is paused: the source, the frames, and the variables of the innermost one.
import type { Protocol } from "puppeteer-core";
import type { ProcessDebugger } from "../../debugging/process-debugger.ts";
import { functionName, type Stop } from "../../debugging/stop.ts";
import { shownText, shownUrl } from "../../snapshot/quote.ts";
import type { Place } from "../../source-maps/source-map.ts";
import type { ToolHandler } from "../tool.ts";
import { pausedPage } from "./debugged.ts";
import { localLines, placeText, sourceLines } from "./stop-text.ts";

const FRAMES_MAX = 30;
const ASYNC_FRAMES_MAX = 20;
const LINES_AROUND = 3;

interface Frame extends Place {
  function: string;
}

export const debuggerCallStack: ToolHandler<"DebuggerCallStack"> = async (_request, context) => {
  const { page, stop } = await pausedPage(context);
  const { process, asyncParent } = stop;
  const frames = await page.during(
    Promise.all(stop.frames.slice(0, FRAMES_MAX).map((frame) => frameAt(process, frame, frame.location))),
    { whilePaused: true },
  );
  const before = await page.during(asyncLines(process, asyncParent), { whilePaused: true });
  const left = stop.frames.length - frames.length;
  const locals = localLines(stop);
  const text = [
    `Paused at ${shownText(stop.words)}`,
    ...(await sourceLines(page, stop, LINES_AROUND)),
    "Call stack:",
    ...frames.map((frame, index) => `  ${index} ${frameText(frame)}`),
    ...(left > 0 ? [`  … ${left} more frames`] : []),
    ...before,
    ...(locals.length > 0 ? ["Variables of frame 0:", ...locals] : []),
    ...brokenMaps(stop, page.tab.debugging.maps.broken),
  ].join("\n");
  return { text, frames, shown: page };
};

async function frameAt(
  process: ProcessDebugger,
  named: { functionName: string },
  location: Protocol.Debugger.Location,
): Promise<Frame> {
  return { ...(await process.places.of(location)), function: functionName(named) };
}

function frameText(frame: Frame): string {
  return `${shownText(frame.function) || "(anonymous)"} ${placeText(frame)}`;
}

/** Lists the callers from which asynchronous work came, as far as Chrome remembers them. */
async function asyncLines(
  process: ProcessDebugger,
  newest: Protocol.Runtime.StackTrace | undefined,
): Promise<string[]> {
  const lines: string[] = [];
  for (let trace = newest; trace && lines.length < ASYNC_FRAMES_MAX; trace = trace.parent) {
    lines.push(`  async ${shownText(trace.description ?? "call")}:`);
    const { callFrames } = trace;
    const shown = callFrames.slice(0, ASYNC_FRAMES_MAX - lines.length);
    const frames = await Promise.all(shown.map((frame) => frameAt(process, frame, frame)));
    lines.push(...frames.map((frame) => `    ${frameText(frame)}`));
  }
  return lines;
}

/** Names the source maps of the stack's scripts that cannot be used. */
function brokenMaps({ process, frames }: Stop, broken: ReadonlyMap<string, string>): string[] {
  const urls = new Set(frames.flatMap(({ location }) => process.scripts.get(location.scriptId)?.url ?? []));
  return [...urls].flatMap((url) => {
    const reason = broken.get(url);
    return reason === undefined
      ? []
      : [`The source map of ${shownUrl(url)} cannot be used: ${shownText(reason)}`];
  });
}
