// browser_take_screenshot: takes a picture of the viewport, the whole page or an element.

import { fail } from "../../proto/errors/catalogue.ts";
import { named } from "../../proto/text/named.ts";
import { readyElement } from "../actions/element.ts";
import type { Page } from "../tab/page.ts";
import type { ToolHandler } from "./tool.ts";

/** Larger pages are cut: a picture of everything would be of no use, and Chrome cannot make it. */
const SIDE_PX_MAX = 8_000;
const JPEG_QUALITY = 80;

export const takeScreenshot: ToolHandler<"TakeScreenshot"> = async (
  { ref, fullPage, type, annotate },
  { page: open, call },
) => {
  if (ref !== undefined && fullPage)
    throw fail("INVALID_ARGUMENT", {
      argument: "fullPage",
      problem: "give ref or fullPage, not both",
      corrected: { fullPage: null },
    });
  const page = await open();
  page.detail = "lines";
  const { clip, what } = await area(page, ref, fullPage);
  const main = page.main();
  call.waitsFor = "the picture";
  try {
    const marks = annotate ? await page.ask(main, "mark") : [];
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
    if (annotate) page.takeBack(main, "unmark");
  }
};

async function area(page: Page, ref: string | undefined, fullPage: boolean | undefined) {
  if (ref !== undefined) {
    const { element, box } = await readyElement(page, ref, "visible");
    const { cssVisualViewport } = await page.during(page.tab.client.send("Page.getLayoutMetrics"));
    const clip = {
      x: box.x + cssVisualViewport.pageX,
      y: box.y + cssVisualViewport.pageY,
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
