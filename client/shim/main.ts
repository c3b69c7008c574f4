// `troupe mcp`: the MCP server on stdin and stdout. It runs until stdin has ended and the last request is answered.
import { Console } from "node:console";
import { Writable } from "node:stream";
import { serveStdio as serveBothEras } from "@modelcontextprotocol/server/stdio";
import { mcpServer } from "../../proto/mcp/server.ts";
import type { DaemonLink } from "../connection/daemon-link.ts";
import type { SharedFolders } from "../files/shared-folders.ts";
import type { NamedSessions } from "../session/named-sessions.ts";
import type { Program } from "../session/program.ts";
import { pingOrphanedClient } from "./lost-client.ts";
import { sessionCaller } from "./session-caller.ts";
import { StdioTransport } from "./stdio-transport.ts";

export interface ShimOptions {
  link: DaemonLink;
  session: NamedSessions;
  /** Gets the client's name with the client's first call. */
  program: Program;
  /** Gets the client's roots with each call. */
  folders: SharedFolders;
  /** Profile core lists browser_ask_person. */
  asksPerson: boolean;
}

const CLOSE_TIMEOUT_MS = 2000;

/** Serves until stdin has ended and all requests are answered, or until a signal ends it. */
export async function serveStdio(options: ShimOptions): Promise<void> {
  const { link, session } = options;
  const output = claimStdout();
  const transport = new StdioTransport(process.stdin, output);
  const caller = sessionCaller(options, (message) => complain({ message }));
  // A failure goes to the client's log, and the first call reports it too.
  const connect = () => void link.connection().catch((error) => complain(session.own.errorOf(error)));
  let isConnecting = false;
  const server = serveBothEras(
    () => {
      // The daemon is connected while the model still thinks. The client's greeting is answered before gRPC is loaded.
      if (!isConnecting) setImmediate(connect);
      isConnecting = true;
      return mcpServer(caller);
    },
    { transport, onerror: complain },
  );
  const signalled = new Promise<void>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.once(signal, () => resolve());
  });
  pingOrphanedClient(process.stdin, output);
  await Promise.race([transport.ended, signalled]);
  // This cancels calls under way.
  await server.close();
  await closed(session);
  link.close();
}

async function closed(session: NamedSessions): Promise<void> {
  try {
    await session.close(AbortSignal.timeout(CLOSE_TIMEOUT_MS));
  } catch (error) {
    complain(error as Error);
  }
}

/** Writes to the client's log. */
function complain({ message }: { message: string }): void {
  process.stderr.write(`troupe mcp: ${message}\n`);
}

/** Keeps standard output for the transport. All other output goes to standard error from now on. */
function claimStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  const output = new Writable({ write: (chunk, _encoding, done) => void write(chunk, done) });
  // A client that is gone ends the session, but must not end the process before that.
  stdout.removeAllListeners("error");
  stdout.on("error", (error) => output.destroy(error));
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  globalThis.console = new Console(stderr, stderr);
  return output;
}
