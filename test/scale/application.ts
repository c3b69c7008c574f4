// The web application that the sessions use. It counts how often each action is done.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface Application extends AsyncDisposable {
  origin: string;
  /** How often each action was done, by its number. */
  ledger: ReadonlyMap<string, number>;
}

/** A visitor begins at `/begin?who=NAME`, which is kept in a cookie. */
export async function serveApplication(): Promise<Application> {
  const ledger = new Map<string, number>();
  const server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://application");
    if (pathname === "/begin") {
      const cookie = `who=${searchParams.get("who")}; Path=/; Max-Age=86400`;
      return void response.writeHead(302, { location: "/", "set-cookie": cookie }).end();
    }
    if (pathname === "/record" && request.method === "POST") {
      const number = await text(request);
      ledger.set(number, (ledger.get(number) ?? 0) + 1);
      return void response.end(`recorded ${number}`);
    }
    if (pathname !== "/") return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(pageFor(whoIn(request)));
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ledger,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function whoIn({ headers }: IncomingMessage): string {
  return /who=([\w-]+)/.exec(headers.cookie ?? "")?.[1] ?? "nobody";
}

function pageFor(who: string): string {
  return `<!doctype html><html lang="en"><title>Ledger</title>
<h1>This is ${who}</h1>
<label>Number <input id="number"></label> <button id="record">Record</button> <p role="status" id="said">nothing yet</p>
<script>
record.onclick = async () => {
  const body = number.value;
  number.value = "";
  const reply = await fetch("/record", { method: "POST", body });
  said.textContent = await reply.text();
};
</script>`;
}
