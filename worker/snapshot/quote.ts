// Formats addresses and sentences that hold a page's words, so that these never pass for structure or a ref.
import { cut, spelledOut, withoutUserinfo } from "../../proto/text/quote.ts";
import { withoutRefs } from "./quoted-lines.ts";

export { quote } from "../../proto/text/quote.ts";

const TEXT_LENGTH_MAX = 500;
const URL_LENGTH_MAX = 300;

/**
 * Returns an address without its password and without text that could pass for a ref. Long ones, such as data:
 * addresses, are cut.
 */
export function shownUrl(url: string): string {
  return spelledOut(
    cut(withoutUserinfo(url), URL_LENGTH_MAX)
      .replace(/\[(?=ref=)/gi, "%5B")
      .replace(/\s/g, "%20"),
  );
}

/** Returns one of Troupe's sentences with a page's words in it, on one line. */
export function shownText(text: string, lengthMax = TEXT_LENGTH_MAX): string {
  return withoutRefs(spelledOut(cut(text.replace(/\s+/g, " "), lengthMax)));
}
