// The shipped nginx in front of small backends, with clients for its two protocols.
import { EventEmitter, once } from "node:events";
import type { IncomingMessage } from "node:http";
import { Agent, type RequestOptions, request } from "node:https";
import { text } from "node:stream/consumers";
import { checkServerIdentity as checkIdentity, type PeerCertificate } from "node:tls";
import { Client, credentials } from "@grpc/grpc-js";
import { SESSION } from "../../../proto/wire/metadata.ts";
import { metadataOf, unaryBytes } from "../../harness/calls.ts";
import { certificateFolder } from "../../harness/certificates.ts";
import { afterEvents } from "../../harness/events/after-events.ts";
import { startNginx } from "../../harness/servers/nginx.ts";
import { type Backend, startBackend } from "./backend.ts";

const same = (bytes: Buffer) => bytes;

export type Entry = Awaited<ReturnType<typeof startEntry>>;

/** Starts backends with these names and nginx in front of them. */
export async function startEntry(...names: string[]) {
  await using open = new AsyncDisposableStack();
  const certificates = open.use(certificateFolder());
  const backends: Backend[] = [];
  const heard = new EventEmitter();
  for (const name of names) backends.push(open.use(await startBackend(name, certificates, { heard })));
  const nginx = open.use(await startNginx({ certificates, ...doorsOf(backends) }));
  const ca = certificates.contents("ca.crt");
  // TLS has no server name for an IP address.
  const checkServerIdentity = (_name: string, certificate: PeerCertificate) =>
    checkIdentity("127.0.0.1", certificate);
  const clients = open.use(new DisposableStack());
  const connect = () => {
    const channel = credentials.createSsl(ca, null, null, { checkServerIdentity });
    const client = new Client(nginx.grpc, channel, {
      "grpc.ssl_target_name_override": "localhost",
      "grpc.use_local_subchannel_pool": 1,
      "grpc.max_send_message_length": -1,
    });
    return clients.use(Object.assign(client, { [Symbol.dispose]: () => client.close() }));
  };
  const first = connect();
  const agent = new Agent({ ca, keepAlive: true });
  open.defer(() => agent.destroy());
  const [host, port] = nginx.http.split(":");
  const parts = open.move();
  return {
    backends,
    certificates,
    nginx,
    ca,
    /** Returns a client with a connection of its own. */
    connect,
    /** Sends a gRPC call. Resolves with the name of its backend and the size of the call. Rejects with the gRPC error. */
    async click(
      session: string | undefined,
      body: string | Buffer = "click",
      client = first,
    ): Promise<string> {
      const settings = { headers: { [SESSION]: session } };
      return (await unaryBytes(client, "Browser.Click", Buffer.from(body), settings)).toString();
    },
    /** Resolves when calls with all these bodies have begun, at any backend. */
    begun: (bodies: readonly string[]) =>
      afterEvents(
        heard,
        "begun",
        () => bodies.every((body) => backends.some(({ received }) => received.includes(body))),
        `calls with ${bodies.join()}`,
      ),
    /** Opens a gRPC stream. */
    watch: (session: string) =>
      first.makeServerStreamRequest(
        "/troupe.v1.Browser/Watch",
        same,
        same,
        Buffer.from("watch"),
        metadataOf({ [SESSION]: session }),
      ),
    /** Begins an HTTP request, whose body is still to be written. */
    begin: (path: string, options: RequestOptions = {}) => request({ host, port, path, agent, ...options }),
    /** Sends an HTTP request. */
    async send(path: string, options: RequestOptions = {}, body?: string) {
      const sent = request({ host, port, path, agent, ...options });
      sent.end(body);
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      return { status: response.statusCode, headers: response.headers, body: await text(response) };
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** Returns the addresses of backends, as nginx takes them. */
export function doorsOf(backends: readonly Backend[]) {
  return { grpc: backends.map(({ grpc }) => grpc), http: backends.map(({ http }) => http) };
}
