// browser_take_screenshot: takes a picture of the viewport, the whole page or an element.

import type { Protocol } from "puppeteer-core";
import { fail } from "../../../proto/errors/catalogue.ts";
import type { ImageType } from "../../../proto/gen/troupe.ts";
import { named } from "../../../proto/text/named.ts";
import { readyElement } from "../../actions/element.ts";
import { captured } from "../../snapshot/captured.ts";
import { veiled } from "../../snapshot/veil.ts";
import type { Page } from "../../tab/page.ts";
import type { ToolHandler } from "../tool.ts";

/** Larger pages are cut: a picture of everything would be of no use, and Chrome cannot make it. */
const SIDE_PX_MAX = 8_000;
/** Models scale larger pictures down themselves. */
const PIXELS_MAX = 6_000_000;
const BYTES_MAX = 2 * 2 ** 20;
/** A picture with more bytes is taken again, smaller by these factors. */
const SMALLER = [1, 0.7, 0.5, 0.35] as const;
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
    const { image, format, words } = await page.tab.pictures.run(
      (before) => page.during(before),
      () => veiled(page, () => fitting(page, clip, type)),
    );
    const legend = marks.map(({ ref, role, name }) => `[ref=${ref}] ${named({ role, name })}`);
    return {
      text: [`Picture of ${what}${words}`, ...legend].join("\n"),
      image,
      mimeType: `image/${format}`,
    };
  } finally {
    if (annotate) page.takeBack(main, "unmark");
  }
};

type Format = "png" | "jpeg";
type Clip = Protocol.Page.Viewport;

/** Takes the picture so that it fits: as JPEG if the call names no type, and smaller if that does not suffice. */
async function fitting(
  page: Page,
  clip: Clip | undefined,
  type: ImageType | undefined,
): Promise<{ image: Buffer; format: Format; words: string }> {
  const asked: Format = type === "IMAGE_TYPE_JPEG" ? "jpeg" : "png";
  const format: Format = type === undefined ? "jpeg" : asked;
  const whole = clip && Math.min(1, Math.sqrt(PIXELS_MAX / (clip.width * clip.height)));
  const first = await pictureOf(page, asked, clip && { ...clip, scale: whole ?? 1 });
  if (first.length <= BYTES_MAX) return { image: first, format: asked, words: scaled(whole ?? 1) };
  const area = clip ?? (await inView(page));
  let size = first.length;
  for (const factor of asked === format ? SMALLER.slice(1) : SMALLER) {
    const scale = (whole ?? 1) * factor;
    const image = await pictureOf(page, format, { ...area, scale });
    if (image.length <= BYTES_MAX) return { image, format, words: scaled(scale) };
    size = image.length;
  }
  throw fail("RESULT_TOO_LARGE", { size, limit: BYTES_MAX });
}

async function pictureOf(page: Page, format: Format, clip: Clip | undefined): Promise<Buffer> {
  return await captured(page, {
    format,
    ...(format === "jpeg" && { quality: JPEG_QUALITY }),
    ...(clip && { clip, captureBeyondViewport: true }),
  });
}

async function inView(page: Page): Promise<Clip> {
  const { cssVisualViewport } = await page.during(page.tab.client.send("Page.getLayoutMetrics"));
  const { pageX: x, pageY: y, clientWidth: width, clientHeight: height } = cssVisualViewport;
  return { x, y, width, height, scale: 1 };
}

function scaled(scale: number): string {
  return scale < 1 ? `, scaled to ${Math.round(scale * 100)}%` : "";
}

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
  return { clip, what: `the whole page${cut ? cutWords(cssContentSize) : ""}` };
}

function cutWords({ width, height }: { width: number; height: number }): string {
  const most = SIDE_PX_MAX.toLocaleString("en-US");
  const all = Math.round(Math.max(width, height)).toLocaleString("en-US");
  return `, cut at ${most} of ${all} pixels (ref takes a part of it, browser_scroll shows the rest)`;
}

function bounded({ width, height }: { width: number; height: number }) {
  return {
    width: Math.min(Math.max(width, 1), SIDE_PX_MAX),
    height: Math.min(Math.max(height, 1), SIDE_PX_MAX),
  };
}
