// Changes a page's structure as a redesign does, by a seed: wrappers, other names, other orders, new elements, other tags.
// It stands as a proxy before the site.
import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { connect, type Socket } from "node:net";
import { once } from "../../proto/machine/once.ts";
import { bundlePage } from "../harness/page.ts";
import type { PlaywrightPage } from "./playwright.ts";
import type { Place } from "./scenarios.ts";

const script = once(() => bundlePage("changed-structure"));

/** Serves the place with its pages changed. `page`: a blank page, which parses the documents. */
export async function withChangedStructure(place: Place, page: PlaywrightPage, seed: number): Promise<Place> {
  await page.evaluate(await script());
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    forward(place.url, request, response, (html) =>
      page.evaluate<string>(`changed(${JSON.stringify(html)}, ${seed})`),
    ).catch((error: Error) => response.destroy(error));
  });
  server.on("upgrade", (request, socket, head) => {
    const { hostname, port } = new URL(place.url);
    const upstream = connect(Number(port), hostname, () => {
      const lines = Object.entries({ ...request.headers, host: `${hostname}:${port}`, origin: place.url });
      upstream.write(
        `${request.method} ${request.url} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
      );
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [upstream, socket]) end.on("error", () => upstream.destroy());
    sockets.add(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function forward(
  to: string,
  request: IncomingMessage,
  response: ServerResponse,
  change: (html: string) => Promise<string>,
): Promise<void> {
  const { method = "GET", url = "/" } = request;
  const here = `http://${request.headers.host}`;
  const headers = { ...request.headers, host: new URL(to).host, "accept-encoding": "identity" };
  for (const name of ["origin", "referer"] as const)
    if (headers[name]) headers[name] = headers[name].replace(here, to);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request.pipe(send(new URL(url, to), { method, headers }, resolve).once("error", reject));
  });
  const given = { ...answer.headers };
  if (given.location) given.location = given.location.replace(to, here);
  const isPage =
    /text\/html/.test(given["content-type"] ?? "") && request.headers["sec-fetch-dest"] === "document";
  if (!isPage) {
    response.writeHead(answer.statusCode ?? 502, given);
    answer.pipe(response);
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const html = await change(Buffer.concat(chunks).toString("utf8"));
  delete given["content-length"];
  response.writeHead(answer.statusCode ?? 502, given);
  response.end(html);
}
