// Calls any rpc by its path, with any credential, and returns only the outcome.
import { type ChannelCredentials, Client, type ServiceError, status } from "@grpc/grpc-js";
import { fromStatus } from "../../proto/errors/status.ts";
import { metadataOf } from "../harness/calls.ts";

/** An rpc, with all that a call of it needs. */
export interface Rpc {
  path: string;
  /** The kind, as grpc-js names it. */
  kind: string;
}

export interface Called {
  headers?: Record<string, string>;
  request?: Buffer;
}

const same = (bytes: Buffer) => bytes;
const DEADLINE_MS = 10_000;

/** Makes calls to one address. */
export function callsOf(address: string, credentials: ChannelCredentials) {
  const client = new Client(address, credentials, {
    "grpc.use_local_subchannel_pool": 1,
    // TLS needs a name instead of an address. The maker of the credentials checks the certificate's name.
    "grpc.ssl_target_name_override": "localhost",
  });
  return {
    client,
    /** Resolves with the type of the error, else the code's name. A stream that begins is OK. */
    outcome: ({ path, kind }: Rpc, { headers = {}, request = Buffer.alloc(0) }: Called): Promise<string> => {
      const metadata = metadataOf(headers);
      const { promise, resolve } = Promise.withResolvers<string>();
      const ended = (error: ServiceError | null) => resolve(error ? nameOf(error) : "OK");
      const options = { deadline: Date.now() + DEADLINE_MS };
      if (kind === "unary") {
        client.makeUnaryRequest(path, same, same, request, metadata, options, ended);
        return promise;
      }
      const both = kind === "bidi" && client.makeBidiStreamRequest(path, same, same, metadata, options);
      const stream = both || client.makeServerStreamRequest(path, same, same, request, metadata, options);
      if (both) both.end(request);
      stream.on("error", ended);
      stream.on("end", () => resolve("OK"));
      stream.once("data", () => {
        resolve("OK");
        stream.cancel();
      });
      return promise;
    },
    [Symbol.dispose]: () => client.close(),
  };
}

export function nameOf(error: ServiceError): string {
  return fromStatus(error)?.type ?? status[error.code] ?? "UNKNOWN";
}
