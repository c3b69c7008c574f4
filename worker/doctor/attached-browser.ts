// Looks for an attached browser. No WebSocket is opened, because the browser might ask its person about it.
import { connect as connectTo } from "node:net";
import { type Finding, unwell, well } from "../../proto/machine/finding.ts";
import { redactedAddress } from "../../proto/text/redact.ts";
import { type Endpoint, findEndpoints } from "../chrome/endpoint.ts";
import { NotConnected } from "../chrome/not-connected.ts";

const CHECK = "attached browser";

export async function attachedFinding(connect: string, env: NodeJS.ProcessEnv): Promise<Finding> {
  const shown = redactedAddress(connect);
  try {
    const endpoints = await findEndpoints(connect, env);
    if (connect === "auto") return await autoFinding(endpoints);
    return well(CHECK, /^ws/.test(connect) ? `${shown}: not tried` : `${shown} answers`);
  } catch (error) {
    if (!(error instanceof NotConnected)) throw error;
    return unwell(CHECK, `${shown}: ${error.message}`, connect === "auto" ? SWITCH_ON : START);
  }
}

/** A file may be left over from a browser that crashed. */
async function autoFinding(endpoints: readonly Endpoint[]): Promise<Finding> {
  const answers = await Promise.all(endpoints.map(({ socket }) => listens(Number(new URL(socket).port))));
  if (answers.includes(true)) return well(CHECK, "auto: a browser has remote debugging switched on");
  return unwell(CHECK, "auto: nothing listens at the port that the last browser wrote down", SWITCH_ON);
}

/** Returns true if a program listens at the port. A browser asks its person only about a WebSocket. */
async function listens(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connectTo({ port, host: "127.0.0.1", timeout: LISTENS_MS_MAX });
  socket.on("connect", () => resolve(true));
  socket.on("timeout", () => resolve(false));
  socket.on("error", () => resolve(false));
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}

const LISTENS_MS_MAX = 2_000;

const SWITCH_ON =
  "Switch remote debugging on at chrome://inspect/#remote-debugging, in Chrome 144 or later of the daemon's user.";
const START =
  "Start the browser with --remote-debugging-port=PORT --user-data-dir=FOLDER, or correct browser.connect.";
