// `troupe mcp`: the MCP server on stdin and stdout. It runs until stdin has ended and the last request is answered.
import { Console } from "node:console";
import { Writable } from "node:stream";
import type { DaemonLink } from "../connection/daemon-link.ts";
import type { NamedSessions } from "../session/named-sessions.ts";
import { type Program, programName } from "../session/program.ts";
import { pingOrphanedClient } from "./lost-client.ts";
import { mcpServer } from "./server.ts";
import { StdioTransport } from "./stdio-transport.ts";

export interface ShimOptions {
  link: DaemonLink;
  session: NamedSessions;
  /** Gets the client's name with the client's first message. */
  program: Program;
}

const CLOSE_TIMEOUT_MS = 2000;

/** Serves until stdin has ended and all requests are answered, or until a signal ends it. */
export async function serveStdio({ link, session, program }: ShimOptions): Promise<void> {
  const output = claimStdout();
  const server = mcpServer(session, (message) => complain({ message }));
  const ended = new Promise<void>((resolve) => {
    server.onclose = resolve;
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.once(signal, () => resolve());
  });
  server.oninitialized = () => {
    program.name = programName(server.getClientVersion());
    // The daemon starts while the model still thinks. The first call reports what goes wrong.
    link.connection().catch((error) => complain(session.own.errorOf(error)));
  };
  pingOrphanedClient(process.stdin, output);
  await server.connect(new StdioTransport(process.stdin, output));
  await ended;
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
