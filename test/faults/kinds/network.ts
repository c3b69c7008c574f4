// Addresses that do not open: each Chromium net error that a server on this machine can cause.
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { type CertificateOptions, selfSigned } from "../../site/certificates.ts";
import type { Fault } from "../stage/fault.ts";
import type { Stage } from "../stage/fault-harness.ts";

const DAY_MS = 86_400_000;
const soon = () => ({ notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + DAY_MS) });

/** A navigation to an address of `where`. It fails each time. */
function never(name: string, where: (stage: Stage) => string | Promise<string>, role?: string): Fault {
  return {
    name,
    type: "NAVIGATION_FAILED",
    recovers: "no",
    async arrange(stage) {
      const agent = await stage.agent(role === undefined ? {} : { role });
      return { agent, tool: "browser_navigate", args: { url: await where(stage) } };
    },
  };
}

/** A navigation whose first connection fails. The next one is served. */
function onceOnly(name: string, first: (socket: Socket) => void): Fault {
  return {
    name,
    type: "NAVIGATION_FAILED",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      let isMended = false;
      let served = 0;
      const http = createHttpServer((_request, response) => {
        served++;
        response.setHeader("content-type", "text/html").end("<h1>Served</h1>");
      });
      const port = await listen(
        stage,
        createServer((socket) => {
          socket.on("error", () => socket.destroy());
          if (isMended) http.emit("connection", socket);
          else first(socket);
        }),
      );
      return {
        agent,
        tool: "browser_navigate",
        args: { url: `http://127.0.0.1:${port}/` },
        failed: () => {
          isMended = true;
        },
        reached: () => served > 0,
      };
    },
  };
}

export const network: Fault[] = [
  never("a host that does not exist", () => "http://no-such-host.invalid/"),
  never("a port where nobody listens", async (stage) => {
    const server = createServer();
    const port = await listen(stage, server);
    server.close();
    return `http://127.0.0.1:${port}/`;
  }),
  onceOnly("a server that resets the connection once", (socket) =>
    socket.once("data", () => socket.resetAndDestroy()),
  ),
  onceOnly("a server that hangs up once without an answer", (socket) =>
    socket.once("data", () => socket.end()),
  ),
  never("a server that answers in another protocol", async (stage) => {
    const port = await listen(
      stage,
      createServer((socket) => {
        socket.on("error", () => socket.destroy());
        socket.once("data", () =>
          socket.end("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"),
        );
      }),
    );
    return `http://127.0.0.1:${port}/`;
  }),
  never("a certificate that nobody has signed", (stage) => secure(stage, { host: "127.0.0.1", ...soon() })),
  never("a certificate that has expired", (stage) =>
    secure(stage, {
      host: "localhost",
      notBefore: new Date(Date.now() - 9 * DAY_MS),
      notAfter: new Date(Date.now() - 2 * DAY_MS),
    }),
  ),
  never("a certificate for another host", (stage) => secure(stage, { host: "other.example", ...soon() })),
  {
    name: "https to a server that speaks plain http",
    type: "NAVIGATION_FAILED",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      const url = stage.site.page("<h1>Plain</h1>");
      const args = { url: url.replace("http:", "https:") };
      return { agent, tool: "browser_navigate", args, reached: () => stage.site.count(url) === 1 };
    },
  },
  never("redirects without end", (stage) => {
    const path = `/${crypto.randomUUID()}`;
    return stage.site.route((_request, response) => response.writeHead(302, { location: `?${path}` }).end());
  }),
  never("a port that browsers never open", () => "http://127.0.0.1:6000/"),
  never("an address that answers without a page", (stage) => stage.site.page("", { status: 204 })),
  {
    name: "an address outside the role's origins",
    type: "NAVIGATION_BLOCKED",
    recovers: "no",
    async arrange(stage) {
      const agent = await stage.agent({ role: "walled" });
      const url = stage.site.elsewhere(stage.site.page("<h1>Outside</h1>"));
      return { agent, tool: "browser_navigate", args: { url } };
    },
  },
  {
    name: "a file of the machine",
    type: "NAVIGATION_BLOCKED",
    recovers: "no",
    async arrange(stage) {
      return { agent: await stage.agent(), tool: "browser_navigate", args: { url: "file:///etc/hostname" } };
    },
  },
];

async function secure(stage: Stage, options: CertificateOptions): Promise<string> {
  const serve: RequestListener = (_request, response) => void response.end("<h1>Never seen</h1>");
  const port = await listen(stage, createHttpsServer(selfSigned(options), serve));
  return `https://${options.host === "localhost" ? "localhost" : "127.0.0.1"}:${port}/`;
}

/** Listens until the fault's end. Resolves with the port. */
async function listen(stage: Stage, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  stage.defer(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}
