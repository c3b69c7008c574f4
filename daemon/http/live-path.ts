// The one path whose requests become WebSockets: the live connection of a person's page.
import type { IncomingMessage } from "node:http";

export const LIVE_PATH = "/takeover/live";

/** Returns true for a request that opens that connection. */
export function isLive({ url = "", headers }: Pick<IncomingMessage, "url" | "headers">): boolean {
  return url.split("?")[0] === LIVE_PATH && headers.upgrade?.toLowerCase() === "websocket";
}
