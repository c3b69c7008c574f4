// Takes a picture of what a tab shows, scaled down to a width.
import type { Protocol } from "puppeteer-core";
import type { Page } from "../tab/page.ts";

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
  // Chrome sets the page's size for each picture, and back to what it was when the picture began.
  const taking = page.tab.pictures.hold(client.send("Page.captureScreenshot", { ...form, clip }));
  const { data } = await page.during(taking);
  return Buffer.from(data, "base64");
}
