// Attaches the worker to a Chrome that it has not started. It changes nothing there but its own contexts and tabs.
import { Connection } from "puppeteer-core";
import { within } from "../../proto/machine/within.ts";
import type { Chrome } from "./chrome.ts";
import { type Endpoint, findEndpoints } from "./endpoint.ts";
import { NotConnected } from "./not-connected.ts";
import { openSocket } from "./web-socket.ts";

/** A person needs time to find the browser's question. */
const PERSON_MS_MAX = 10 * 60_000;
const CONNECT_MS_MAX = 10_000;
/** A browser without a question accepts the connection sooner. */
const ASKING_AFTER_MS = 1_500;
const ANSWER_MS_MAX = 10_000;

/** `shown`: the address in words for messages. `asking`: called if the browser seems to ask a person first. */
export interface AttachOptions {
  connect: string;
  shown: string;
  env?: NodeJS.ProcessEnv;
  asking?: () => void;
}

/**
 * Connects to the browser. Rejects with NotConnected. No tab is looked at: puppeteer's own `connect` would attach itself
 * to each tab of the person.
 */
export async function attachChrome({
  connect,
  shown,
  env = process.env,
  asking,
}: AttachOptions): Promise<Chrome> {
  const { connection, closed } = await openFirst(await findEndpoints(connect, env), asking);
  try {
    return await described(connection, closed, shown);
  } catch (error) {
    connection.dispose();
    if (error instanceof NotConnected) throw error;
    throw new NotConnected("it does not speak the DevTools protocol as Chrome does", { cause: error });
  }
}

/** Goes past a browser that refuses at once, but not past a person who declines: another browser would ask again. */
async function openFirst(endpoints: readonly Endpoint[], asking?: () => void): Promise<Opened> {
  let refusal: NotConnected | undefined;
  for (const endpoint of endpoints) {
    try {
      return await open(endpoint, asking);
    } catch (error) {
      if (!(error instanceof NotConnected) || error.isDeclined) throw error;
      refusal ??= error;
    }
  }
  throw refusal ?? new NotConnected("it has no address");
}

async function open({ socket, mayAsk }: Endpoint, asking?: () => void): Promise<Opened> {
  let seemsToAsk = false;
  const timer = setTimeout(() => {
    seemsToAsk = mayAsk;
    if (mayAsk) asking?.();
  }, ASKING_AFTER_MS);
  try {
    const timeMs = mayAsk ? PERSON_MS_MAX : CONNECT_MS_MAX;
    const { transport, closed } = await openSocket(socket, timeMs);
    return { connection: new Connection(socket, transport, 0, 0), closed };
  } catch (error) {
    if (!seemsToAsk) throw error;
    throw new NotConnected("its person has not allowed the connection", { cause: error, isDeclined: true });
  } finally {
    clearTimeout(timer);
  }
}

/** Older versions do not name the context: it is the one of a page that is in none of the others. */
async function personalContextOf(connection: Connection): Promise<string | undefined> {
  const { browserContextIds, defaultBrowserContextId } = await connection.send("Target.getBrowserContexts");
  if (defaultBrowserContextId !== undefined) return defaultBrowserContextId;
  const { targetInfos } = await connection.send("Target.getTargets");
  const others = new Set<string | undefined>(browserContextIds);
  return targetInfos.find(({ type, browserContextId }) => type === "page" && !others.has(browserContextId))
    ?.browserContextId;
}

interface Opened {
  connection: Connection;
  closed: Promise<string>;
}

async function described(connection: Connection, closed: Promise<string>, endpoint: string): Promise<Chrome> {
  const late = () => new NotConnected(`it did not answer within ${ANSWER_MS_MAX / 1000} s`);
  const ask = async () => {
    const { product } = await connection.send("Browser.getVersion");
    const { sessionId } = await connection.send("Target.attachToBrowserTarget");
    const personalContext = await personalContextOf(connection);
    return { product, session: connection.session(sessionId), personalContext };
  };
  const { product, session, personalContext } = await within({ timeMs: ANSWER_MS_MAX, late }, ask());
  if (!session) throw new NotConnected("it gives no session");
  let isConnected = true;
  const leave = () => {
    isConnected = false;
    connection.dispose();
  };
  void closed.then(leave);
  return {
    session,
    connection,
    pid: 0,
    version: product.replace(/^(?:Headless)?Chrome\//, "Chromium "),
    source: "attached",
    builtMs: undefined,
    sandbox: "",
    profileDir: "",
    user: undefined,
    endpoint,
    personalContext,
    get isConnected() {
      return isConnected;
    },
    onGone: (callback) => void closed.then(callback),
    giveUp: leave,
    close: async () => leave(),
  };
}
