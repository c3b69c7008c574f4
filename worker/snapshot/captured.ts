// Has Chrome take a picture of a tab.
import type { Protocol } from "puppeteer-core";
import type { Page } from "../tab/page.ts";

/** Resolves with the bytes of the image. It belongs into the tab's queue of pictures, which it keeps until it has ended. */
export async function captured(page: Page, form: Protocol.Page.CaptureScreenshotRequest): Promise<Buffer> {
  const { client, pictures } = page.tab;
  // Chrome sets the page's size for each picture, and back to what it was when the picture began.
  const taking = pictures.hold(client.send("Page.captureScreenshot", form));
  const { data } = await page.during(taking);
  return Buffer.from(data, "base64");
}
