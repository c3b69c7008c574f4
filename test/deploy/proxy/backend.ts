// A small daemon in this process for the tests of proxies: it takes any gRPC call and HTTP request, and records each.
import { EventEmitter, once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import {
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
} from "@grpc/grpc-js";
import { WebSocketServer } from "ws";
import type { certificateFolder } from "../../harness/certificates.ts";

type Certificates = ReturnType<typeof certificateFolder>;

/** Its disposal ends it at once. */
export interface Backend extends AsyncDisposable {
  name: string;
  /** HOST:PORT of the two doors. */
  grpc: string;
  http: string;
  /** The bodies of calls and requests, in the order of their begin. */
  received: string[];
  /** Writes to each open stream. */
  write(text: string): void;
  /** Ends at once and breaks connections, as a death does. */
  die(): Promise<void>;
}

const BYTES_MAX = 256 * 2 ** 20;

/** Emits `begun` at each call. Calls whose body starts with `hang` are never answered. `certificate`: the name of the files of its certificate. */
export async function startBackend(
  name: string,
  certificates: Certificates,
  { certificate = "server", heard = new EventEmitter() }: { certificate?: string; heard?: EventEmitter } = {},
): Promise<Backend> {
  const received: string[] = [];
  const begin = (body: string) => {
    received.push(body);
    heard.emit("begun");
  };
  const streams = new Set<{ write(data: Buffer): unknown }>();
  const [cert, key] = [
    certificates.contents(`${certificate}.crt`),
    certificates.contents(`${certificate}.key`),
  ];

  const server = new Server({ "grpc.max_receive_message_length": BYTES_MAX });
  server.addService(SERVICE, {
    Click(call: ServerUnaryCall<Buffer, Buffer>, done: sendUnaryData<Buffer>) {
      begin(call.request.subarray(0, 100).toString());
      if (call.request.subarray(0, 4).toString() !== "hang")
        done(null, Buffer.from(`${name} ${call.request.length}`));
    },
    Watch(call: ServerWritableStream<Buffer, Buffer>) {
      begin(call.request.toString());
      streams.add(call);
      call.write(Buffer.from(name));
    },
  });
  const credentials = ServerCredentials.createSsl(null, [{ cert_chain: cert, private_key: key }]);
  const { promise: bound, resolve, reject } = Promise.withResolvers<number>();
  server.bindAsync(`127.0.0.1:0`, credentials, (error, port) => (error ? reject(error) : resolve(port)));

  const web = createTlsServer({ cert, key }, (request, response) => void answer(request, response));
  new WebSocketServer({ server: web }).on("connection", (socket) => {
    socket.on("message", (text) => socket.send(`${name} ${String(text)}`));
  });
  web.listen(0, "127.0.0.1");
  await once(web, "listening");
  const grpcPort = await bound;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === "/events") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      streams.add(response);
      response.write(`data: ${name}\n\n`);
      return;
    }
    let first: string | undefined;
    let bytes = 0;
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        if (first === undefined) {
          first = chunk.subarray(0, 100).toString();
          begin(first);
        }
        bytes += chunk.length;
      }
    } catch {
      // The request was broken off, and no client waits for an answer.
      return;
    }
    if (!first?.startsWith("hang")) response.end(`${name} ${bytes}`);
  }

  async function die(): Promise<void> {
    server.forceShutdown();
    web.closeAllConnections();
    if (web.listening) await new Promise((closed) => web.close(closed));
  }

  return {
    name,
    grpc: `127.0.0.1:${grpcPort}`,
    http: `127.0.0.1:${(web.address() as AddressInfo).port}`,
    received,
    write: (text) => {
      for (const stream of streams) stream.write(Buffer.from(text));
    },
    die,
    [Symbol.asyncDispose]: die,
  };
}

const same = (bytes: Buffer) => bytes;
const method = {
  requestStream: false,
  requestSerialize: same,
  requestDeserialize: same,
  responseSerialize: same,
  responseDeserialize: same,
};

const SERVICE = {
  Click: { ...method, path: "/troupe.v1.Browser/Click", responseStream: false },
  Watch: { ...method, path: "/troupe.v1.Browser/Watch", responseStream: true },
};
