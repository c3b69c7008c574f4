// browser_take_screenshot: a picture of what is in view, of the whole page, or of an element.

import { named } from "../../proto/errors/entry.ts";
import { fail } from "../../proto/errors.ts";
import { readyElement } from "../element.ts";
import type { Page } from "../page.ts";
import type { ToolHandler } from "../tool.ts";

/** Larger pages are cut: a picture of everything would be of no use, and Chrome cannot make it. */
const SIDE_PX_MAX = 8_000;
const JPEG_QUALITY = 80;

export const takeScreenshot: ToolHandler<"TakeScreenshot"> = async (
  { ref, fullPage, type, annotate },
  { page: open, call },
) => {
  if (ref !== undefined && fullPage)
    throw fail("INVALID_ARGUMENT", { argument: "fullPage", problem: "give ref or fullPage, not both" });
  const page = await open();
  const { clip, what } = await area(page, ref, fullPage);
  const marks = annotate ? await page.ask(page.main(), "mark", "") : [];
  call.waitsFor = "the picture";
  try {
    const format = type === "IMAGE_TYPE_JPEG" ? ("jpeg" as const) : ("png" as const);
    const { data } = await page.during(
      page.tab.client.send("Page.captureScreenshot", {
        format,
        ...(format === "jpeg" && { quality: JPEG_QUALITY }),
        ...(clip && { clip, captureBeyondViewport: true }),
      }),
    );
    const legend = marks.map(({ ref, role, name }) => `[ref=${ref}] ${named({ role, name })}`);
    return {
      text: [`Picture of ${what}`, ...legend].join("\n"),
      image: Buffer.from(data, "base64"),
      mimeType: `image/${format}`,
    };
  } finally {
    if (annotate) await page.ask(page.main(), "unmark");
  }
};

async function area(page: Page, ref: string | undefined, fullPage: boolean | undefined) {
  if (ref !== undefined) {
    const { element, box, at, point } = await readyElement(page, ref, "visible");
    // The box is in its frame's viewport; the point is its middle in the tab's.
    const x = at.frame.number === 0 ? box.x : point.x - box.width / 2;
    const y = at.frame.number === 0 ? box.y : point.y - box.height / 2;
    const { cssVisualViewport } = await page.during(page.tab.client.send("Page.getLayoutMetrics"));
    const clip = {
      x: x + cssVisualViewport.pageX,
      y: y + cssVisualViewport.pageY,
      ...bounded(box),
      scale: 1,
    };
    return { clip, what: `${element.ref} ${named(element)}` };
  }
  if (!fullPage) return { clip: undefined, what: "what is in view" };
  const { cssContentSize } = await page.during(page.tab.client.send("Page.getLayoutMetrics"));
  const clip = { x: 0, y: 0, ...bounded(cssContentSize), scale: 1 };
  const cut = clip.height < cssContentSize.height || clip.width < cssContentSize.width;
  return { clip, what: `the whole page${cut ? `, cut at ${SIDE_PX_MAX} pixels` : ""}` };
}

function bounded({ width, height }: { width: number; height: number }) {
  return {
    width: Math.min(Math.max(width, 1), SIDE_PX_MAX),
    height: Math.min(Math.max(height, 1), SIDE_PX_MAX),
  };
}
