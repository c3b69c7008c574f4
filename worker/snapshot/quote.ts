// Addresses and sentences with a page's words in them, as replies show them: never structure, never a ref.
import { cut, spelledOut, withoutUserinfo } from "../../proto/text/quote.ts";

export { quote } from "../../proto/text/quote.ts";

const TEXT_LENGTH_MAX = 500;
const URL_LENGTH_MAX = 300;

/** An address as it is, but for a password and what could pass for a ref in it; cut where it is long, as data: addresses are. */
export function shownUrl(url: string): string {
  return spelledOut(
    cut(withoutUserinfo(url), URL_LENGTH_MAX)
      .replace(/\[(?=ref=)/gi, "%5B")
      .replace(/\s/g, "%20"),
  );
}

/** A sentence of ours with a page's words in it, on one line. */
export function shownText(text: string): string {
  return spelledOut(cut(text.replace(/\s+/g, " "), TEXT_LENGTH_MAX).replace(/\[(?=ref=)/gi, "("));
}
