// Takes a picture of what a tab shows, scaled down to a width.
import type { Protocol } from "puppeteer-core";
import type { Page } from "../tab/page.ts";
import { captured } from "./captured.ts";

export interface PictureForm extends Pick<Protocol.Page.CaptureScreenshotRequest, "format" | "quality"> {
  /** Wider pages are scaled down. */
  pxMax: number;
}

export async function scaledPicture(page: Page, { pxMax, ...form }: PictureForm): Promise<Buffer> {
  const { client } = page.tab;
  const { cssVisualViewport } = await page.during(client.send("Page.getLayoutMetrics"));
  const { pageX: x, pageY: y, clientWidth: width, clientHeight: height } = cssVisualViewport;
  const scale = Math.min(1, pxMax / Math.max(width, 1));
  const clip = { x, y, width, height, scale };
  return await captured(page, { ...form, clip });
}
