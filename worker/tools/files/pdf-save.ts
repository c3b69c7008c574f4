// browser_pdf_save: makes a PDF of the page.

import type { CDPSession } from "puppeteer-core";
import { MESSAGE_FILE_BYTES_MAX, shownBytes } from "../../../proto/wire/file-bounds.ts";
import { contentOf } from "../../files/file-content.ts";
import type { StoredFile, StoredFiles } from "../../files/stored-files.ts";
import { pageLine } from "../../snapshot/reply.ts";
import { veiled } from "../../snapshot/veil.ts";
import type { Page } from "../../tab/page.ts";
import type { ToolHandler } from "../tool.ts";

const PDF = "application/pdf";
const PART_BYTES = 2 ** 20;

export const pdfSave: ToolHandler<"PdfSave"> = async (_request, { session, page: open, call }) => {
  const page = await open();
  page.check();
  call.waitsFor = "the PDF";
  await page.during(page.tab.readTitle());
  const stored = await printed(page, session.files.stored);
  const { id, name, mimeType, size } = stored;
  const file = await contentOf(stored.path, { id, name, mimeType, size });
  // One that its client has whole makes room. Another one is asked for by its id.
  stored.wasSent = size <= MESSAGE_FILE_BYTES_MAX;
  stored.isNeeded = () => !stored.wasSent;
  return { text: [`Made a PDF of the page (${shownBytes(size)})`, pageLine(page)].join("\n"), file };
};

/** Chrome hands the document over in parts, so its size is checked as it comes. */
async function printed(page: Page, files: StoredFiles): Promise<StoredFile> {
  const { client, title } = page.tab;
  const print = () =>
    page.during(client.send("Page.printToPDF", { printBackground: true, transferMode: "ReturnAsStream" }));
  // A PDF holds its text, so what is only blacked out could be read.
  const { stream = "" } = await veiled(page, print, { areElements: true });
  const writer = await files.begin(`${title || "page"}.pdf`, { mimeType: PDF });
  try {
    for await (const part of read(page, client, stream)) await writer.write(part);
    return await writer.finish();
  } catch (error) {
    await writer.giveUp();
    throw error;
  }
}

async function* read(page: Page, client: CDPSession, handle: string): AsyncGenerator<Buffer, void> {
  try {
    for (;;) {
      const { data, base64Encoded, eof } = await page.during(
        client.send("IO.read", { handle, size: PART_BYTES }),
      );
      yield Buffer.from(data, base64Encoded ? "base64" : "utf8");
      if (eof) return;
    }
  } finally {
    client.send("IO.close", { handle }).catch((error: Error) => page.tab.failures.cleanup("IO.close", error));
  }
}
