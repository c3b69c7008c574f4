// Writes values of a run as code: texts, texts whose numbers may differ, addresses, secrets. It is pure.

import { variableName } from "../../proto/text/environment.ts";
import { literal } from "./locator-code.ts";

/** Code of a string. Secrets stand for themselves: they are read from the environment. */
export function valueCode(text: string): string {
  const parts = text.split(/\{\{([\w.-]+)\}\}/);
  if (parts.length === 1) return literal(text);
  return parts
    .flatMap((part, index) => {
      if (index % 2 === 1) return [secretCode(variableName(part))];
      return part === "" ? [] : [literal(part)];
    })
    .join(" + ");
}

export function secretCode(name: string): string {
  return `secret(${literal(name)})`;
}

/** Code of a text to look for. Its numbers may be others in another run. `whole`: nothing may stand around it. */
export function textCode(text: string, whole: boolean): string {
  if (!/\d/.test(text) || !/^[\x20-\x7e\u00a1-\u1fff\u2030-\u203a\u20a0-\u20bf\u3040-\ud7ff]*$/.test(text))
    return literal(text);
  const source = escaped(text).replace(/\d+(?:(?:\\\.|[,:])\d+)*/g, "[\\d.,:]+");
  return whole ? `/^${source}$/` : `/${source}/`;
}

/** Code of a pattern for the page's address: its path, without what another run makes up anew. */
export function addressCode(url: string): string | undefined {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return undefined;
  }
  if (!/^https?:$/.test(parsed.protocol)) return undefined;
  const route = /^#!?\//.test(parsed.hash) ? parsed.hash.replace(/[?].*$/, "") : "";
  const path = parsed.pathname.split("/").map(segment).join("\\/");
  const start = parsed.pathname === "/" ? "^[^/]+:\\/\\/[^/]+" : "";
  if (route === "") return `/${start}${path}(?:[?#]|$)/`;
  return `/${start}${path}[^#]*${route.split("/").map(segment).join("\\/")}(?:[?]|$)/`;
}

// A part of a path with digits is most likely an id.
function segment(part: string): string {
  return /\d/.test(part) && part.length > 1 ? "[^/?#]+" : escaped(part);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
