// Redacts what is recorded of pages (failures, incidents, logs). Text is quoted on one line. An address keeps no user,
// query, fragment or content.
import { cut, oneLine, spelledOut, spelledOutJson, withoutUserinfo } from "./quote.ts";

/** Longer addresses and words are cut, because a data: address may be megabytes. */
const TEXT_LENGTH_MAX = 2_000;

/**
 * Query and fragment of an address in a text (RFC 3986, 3.4 and 3.5), which carry tokens. They end at a space or a
 * quote. In JSON a quote stands behind a backslash.
 */
const QUERIES = /[?#](?<=:[/\\]{1,9}[^\s?#"]*[?#])(?:\\[^"]|[^\s"\\])*/g;
/** An address may hold the whole content of a document. */
const CONTENTS = /,(?<=\bdata:[^\s,"]{0,200},)(?:\\[^"]|[^\s"\\])+/gi;
const PLAIN = /^(?:about|blob):/i;

/** Removes passwords, queries, fragments and contents from addresses in a text. */
export function withoutCarried(text: string): string {
  return withoutUserinfo(text).replace(QUERIES, "").replace(CONTENTS, ",…");
}

/** Redacts a log's line of JSON before it is written. */
export function redactedLine(line: string): string {
  return spelledOutJson(withoutCarried(line));
}

/** Redacts our sentence with foreign words in it, for records and display. A recorded sentence is shown unchanged. */
export function redactedText(text: string): string {
  const bounded = cut(text, 2 * TEXT_LENGTH_MAX);
  return cut(withoutRefs(oneLine(withoutCarried(bounded)), "("), TEXT_LENGTH_MAX);
}

/** Redacts an address for records. The result shows where it leads and cannot pass for anything else. */
export function redactedAddress(address: string): string {
  const bounded = cut(address, 2 * TEXT_LENGTH_MAX);
  const [scheme = ""] = /^[a-z][a-z0-9+.-]*:(?![/\\])/i.exec(bounded) ?? [];
  if (scheme && !PLAIN.test(scheme)) return `${scheme}…`;
  const [place = ""] = withoutUserinfo(bounded).split(/[?#]/, 1);
  return cut(spelledOut(withoutRefs(place.replace(/\s/g, "%20"), "%5B")), TEXT_LENGTH_MAX);
}

/** Changes each bracket that could begin a ref. */
function withoutRefs(text: string, bracket: string): string {
  return text.replace(/\[(?=ref=)/gi, bracket);
}
