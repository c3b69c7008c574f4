// What is recorded of pages (failures, incidents, logs): on one line, quoted, and of addresses only where they lead.
import { cut, oneLine, spelledOut, spelledOutJson, withoutUserinfo } from "./quote.ts";

/** Longer addresses and words are cut: a data: address may be megabytes. */
const TEXT_LENGTH_MAX = 2_000;

/**
 * Query and fragment of an address in a text (RFC 3986, 3.4 and 3.5), which carry tokens. They end at a space or a quote;
 * in JSON a quote stands behind a backslash.
 */
const QUERIES = /[?#](?<=:[/\\]{1,9}[^\s?#"]*[?#])(?:\\[^"]|[^\s"\\])*/g;
/** The whole content of a document may stand in its address. */
const CONTENTS = /,(?<=\bdata:[^\s,"]{0,200},)(?:\\[^"]|[^\s"\\])+/gi;
const PLAIN = /^(?:about|blob):/i;

/** Texts with addresses in them, without what these carry: passwords, queries, fragments, contents. */
export function withoutCarried(text: string): string {
  return withoutUserinfo(text).replace(QUERIES, "").replace(CONTENTS, ",…");
}

/** A log's line of JSON, as it is written. */
export function redactedLine(line: string): string {
  return spelledOutJson(withoutCarried(line));
}

/** A sentence of ours with others' words in it, as it is recorded and shown. What was recorded so is shown as it is. */
export function redactedText(text: string): string {
  const bounded = cut(text, 2 * TEXT_LENGTH_MAX);
  return cut(withoutRefs(oneLine(withoutCarried(bounded)), "("), TEXT_LENGTH_MAX);
}

/** An address as it is recorded: where it leads, nothing that passes for other than an address. */
export function redactedAddress(address: string): string {
  const bounded = cut(address, 2 * TEXT_LENGTH_MAX);
  const [scheme = ""] = /^[a-z][a-z0-9+.-]*:(?![/\\])/i.exec(bounded) ?? [];
  if (scheme && !PLAIN.test(scheme)) return `${scheme}…`;
  const [place = ""] = withoutUserinfo(bounded).split(/[?#]/, 1);
  return cut(spelledOut(withoutRefs(place.replace(/\s/g, "%20"), "%5B")), TEXT_LENGTH_MAX);
}

/** Nothing in it could be taken for a ref. */
function withoutRefs(text: string, bracket: string): string {
  return text.replace(/\[(?=ref=)/gi, bracket);
}
