// Reads a file of a page's servers through Chrome, so that the role's network policy holds. The page is not asked.
import type { CDPSession } from "puppeteer-core";

/** A file as text. The names of its headers are in lower case. */
export interface Resource {
  text: string;
  headers: Readonly<Record<string, string>>;
}

const PIECE_BYTES = 1_000_000;

/**
 * Resolves to the file. Chrome takes it from its cache if it can. Throws an error with the reason, such as `it cannot be
 * loaded: HTTP status 404`, also for a file of more than `bytesMax`.
 */
export async function readResource(
  client: CDPSession,
  { url, frameId, bytesMax }: { url: string; frameId?: string | undefined; bytesMax: number },
): Promise<Resource> {
  if (!/^https?:/i.test(url)) throw new Error("its address is not of the web");
  const { resource } = await client.send("Network.loadNetworkResource", {
    ...(frameId !== undefined && { frameId }),
    url,
    options: { disableCache: false, includeCredentials: true },
  });
  const { stream, success, httpStatusCode = 200 } = resource;
  if (stream === undefined) throw new Error(unloaded(resource));
  try {
    if (!success || httpStatusCode >= 400) throw new Error(unloaded(resource));
    return { text: await readStream(client, stream, bytesMax), headers: lowerCased(resource.headers) };
  } finally {
    await client.send("IO.close", { handle: stream });
  }
}

export function tooLarge(bytesMax: number): Error {
  return new Error(`it is larger than ${bytesMax / 1_000_000} MB`);
}

async function readStream(client: CDPSession, handle: string, bytesMax: number): Promise<string> {
  const pieces: Buffer[] = [];
  let left = bytesMax;
  for (;;) {
    const { data, base64Encoded, eof } = await client.send("IO.read", { handle, size: PIECE_BYTES });
    const piece = Buffer.from(data, base64Encoded ? "base64" : "utf8");
    left -= piece.length;
    if (left < 0) throw tooLarge(bytesMax);
    pieces.push(piece);
    if (eof) return Buffer.concat(pieces).toString("utf8");
  }
}

function unloaded({
  httpStatusCode,
  netErrorName,
}: {
  httpStatusCode?: number;
  netErrorName?: string;
}): string {
  const reason = httpStatusCode ? `HTTP status ${httpStatusCode}` : (netErrorName ?? "no answer");
  return `it cannot be loaded: ${reason}`;
}

function lowerCased(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
