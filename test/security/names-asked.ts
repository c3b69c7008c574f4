// A program for a network of its own, in which all addresses belong to this machine. So it can count every datagram and
// record every DNS question. A worker's page tries all ways to reach a name outside.
import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { startWorker } from "../harness/worker.ts";
import { headersOf, REDIRECTS, ways } from "../worker/policy/ways-out.ts";

const HIDDEN = "hidden.test";
const LISTED = "shop.test";
const HEADER_BYTES = 12;
/** The flags for a name error and for an answer, as RFC 1035, 4.1.1 defines them. */
const [NOT_FOUND, FOUND] = [0x8183, 0x8180];
const TYPE_A = 1;

/** The result for the test: the names in questions, and datagrams that were neither a question nor its answer. */
export interface Seen {
  names: string[];
  otherDatagrams: number;
  unknownHost: string;
}

const questions: string[] = [];
const resolver = createSocket("udp4", answerName).bind(53);
await once(resolver, "listening");
const site = createServer(answer).listen(0, "127.0.0.1");
await once(site, "listening");
const { port } = site.address() as AddressInfo;
const to = `http://${HIDDEN}:${port}`;
const allow = [`http://${LISTED}:${port}`, "http://unknown.test"];

await using worker = await startWorker({ allow, allowRequests: ["https://cdn.example"] });
await using session = worker.session();
await session.open(`http://${LISTED}:${port}/page`);
await session.do("browser_wait_for", { text: "All tried", tab: "t1", time: 20 });
const { details } = await session.refuse("NAVIGATION_FAILED", "browser_navigate", {
  url: "http://unknown.test/",
});
const otherDatagrams = datagramsSent() - 2 * questions.length;
const seen: Seen = { names: [...new Set(questions)], otherDatagrams, unknownHost: String(details.reason) };
process.stdout.write(`${JSON.stringify(seen)}\n`);
resolver.close();
site.close().closeAllConnections();

function answerName(query: Buffer, { port: from, address }: RemoteInfo): void {
  const { name, end } = questionOf(query);
  questions.push(name);
  const isFound = name === LISTED;
  const isAddress = isFound && query.readUInt16BE(end - 4) === TYPE_A;
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(isFound ? FOUND : NOT_FOUND, 2);
  head.writeUInt16BE(isAddress ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  // The record has the question's name, class IN, a lifetime of zero, and four bytes.
  const record = Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1]);
  resolver.send(isAddress ? Buffer.concat([head, record]) : head, from, address);
}

/** Returns the first name in a question, and the question's end. */
function questionOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), end: at + 5 };
}

/** Returns the number of datagrams that all processes in this network have sent, in both families. */
function datagramsSent(): number {
  const [names = "", values = ""] = readFileSync("/proc/net/snmp", "utf8")
    .split("\n")
    .filter((line) => line.startsWith("Udp:"));
  const sent = Number(values.split(" ")[names.split(" ").indexOf("OutDatagrams")]);
  const [, sentBySix = "0"] =
    /^Udp6OutDatagrams\s+(\d+)$/m.exec(readFileSync("/proc/net/snmp6", "utf8")) ?? [];
  return sent + Number(sentBySix);
}

function answer({ url = "" }: IncomingMessage, response: ServerResponse): void {
  const name = url.slice(1);
  const script = ways.scripts[name];
  if (name === "page")
    response.writeHead(200, { "content-type": "text/html", ...headersOf(to) }).end(ways.page(to, port));
  else if (script) response.setHeader("content-type", script.type).end(script.body(to));
  else if (REDIRECTS.some((each) => name === `to/${each}`))
    response.writeHead(302, { location: `${to}/${name.slice(3)}` }).end();
  else response.writeHead(404).end();
}
