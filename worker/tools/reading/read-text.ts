// browser_read_text: reads a page or a part of it as plain text. Every line is marked as the page's words.
import { checkRef } from "../../actions/step-refs.ts";
import { readPdfs } from "../../outside/pdf.ts";
import { tokensFor } from "../../snapshot/profile-words.ts";
import { quotedLines } from "../../snapshot/quoted-lines.ts";
import { pageLine } from "../../snapshot/reply.ts";
import type { Page } from "../../tab/page.ts";
import type { ToolHandler } from "../tool.ts";
import { inEachFrame } from "./in-each-frame.ts";

const CHARACTERS_PER_TOKEN = 4;
/** The share of the budget that the marks and the lines around the text do not need. */
const SHARE = 0.85;
/** A reply is a message of at most 4 MiB. */
const LENGTH_MAX = 1_000_000;

export const readText: ToolHandler<"ReadText"> = async ({ ref, offset = 0 }, { page: open }) => {
  const page = await open();
  page.detail = "refs";
  page.call.waitsFor = "the page's text";
  const { text, silent } = await textOf(page, ref);
  await page.tab.readTitle();
  const tokens = tokensFor(page.call);
  const room = tokens === 0 ? LENGTH_MAX : Math.round(tokens * CHARACTERS_PER_TOKEN * SHARE);
  const end = endOf(text, offset, room);
  const shown = text.slice(offset, end);
  const left = text.length - end;
  const place = `characters ${offset} to ${end} of ${text.length}`;
  const lines = [
    pageLine(page),
    "",
    shown === ""
      ? offset > 0
        ? `The text ends at character ${text.length}.`
        : "There is no text."
      : quotedLines(shown, shown.length),
    ...(left > 0 ? ["", `Shown are ${place}: offset=${end} goes on`] : []),
    ...(silent.length > 0 ? [`Not read, as they do not answer: frames ${silent.join(", ")}`] : []),
  ];
  return { text: lines.join("\n"), nextOffset: left > 0 ? end : 0 };
};

async function textOf(page: Page, ref: string | undefined): Promise<{ text: string; silent: string[] }> {
  if (ref !== undefined) {
    const { at } = await checkRef(page, ref);
    return { text: await page.ask(at.frame, "readText", at.ref), silent: [] };
  }
  await readPdfs(page);
  const texts: string[] = [];
  const { silent } = await inEachFrame(page, async (frame) => {
    const text = await page.ask(frame, "readText", undefined);
    if (text !== "") texts.push(frame.number === 0 ? text : `(frame f${frame.number})\n${text}`);
  });
  return { text: texts.join("\n\n"), silent };
}

/** Ends at a line, if there is one in the last half. */
function endOf(text: string, offset: number, room: number): number {
  const end = Math.min(text.length, offset + room);
  if (end === text.length) return end;
  const line = text.lastIndexOf("\n", end);
  return line > offset + room / 2 ? line + 1 : end;
}
