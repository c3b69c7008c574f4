// Reads the text of a source map: from its data: address, or from a server.
import type { CDPSession } from "puppeteer-core";
import { readResource, tooLarge } from "./resource.ts";
import { resolved } from "./source-map-url.ts";

/** A source map as text. Its sources are relative to `mapUrl`. */
export interface MapText {
  text: string;
  mapUrl: string;
}

/** A script and its map's address, as the script names it. */
export interface MappedScript {
  url: string;
  sourceMapUrl: string;
  frameId?: string | undefined;
}

const BYTES_MAX = 16_000_000;
/** Base64 is longer than what it stands for. */
const DATA_LENGTH_MAX = 1.4 * BYTES_MAX;

/** Throws an error with the reason if there is no such map, or if it is too large. */
export async function readMapText(client: CDPSession, script: MappedScript): Promise<MapText> {
  const { url, sourceMapUrl, frameId } = script;
  if (sourceMapUrl.startsWith("data:")) return { text: inDataUrl(sourceMapUrl), mapUrl: url };
  const mapUrl = resolved(sourceMapUrl, url);
  if (mapUrl === undefined) throw new Error("its address cannot be read");
  const { text } = await readResource(client, { url: mapUrl, frameId, bytesMax: BYTES_MAX });
  return { text, mapUrl };
}

/** Decodes a data: address (RFC 2397). */
function inDataUrl(url: string): string {
  if (url.length > DATA_LENGTH_MAX) throw tooLarge(BYTES_MAX);
  const comma = url.indexOf(",");
  const [head, content] = comma < 0 ? [url, ""] : [url.slice(0, comma), url.slice(comma + 1)];
  return /;base64$/i.test(head)
    ? Buffer.from(content, "base64").toString("utf8")
    : decodeURIComponent(content);
}
