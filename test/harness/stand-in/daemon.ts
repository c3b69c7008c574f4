/** A daemon's stand-in: a real gRPC server on a real unix socket with the test's answers. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
} from "@grpc/grpc-js";
import { argumentsOf } from "../../../proto/calls/arguments.ts";
import { detailOf, type FailedCall, fail, isTroupeError } from "../../../proto/errors/catalogue.ts";
import { toStatus } from "../../../proto/errors/status.ts";
import { profileNamed, toolOfRpc } from "../../../proto/tools/read-tools.ts";
import { serviceDefinition } from "../../../proto/wire/service.ts";

export interface Received {
  rpc: string;
  request: Record<string, unknown>;
  headers: Record<string, string>;
  /** It aborts when the client cancels or goes away. */
  signal: AbortSignal;
}

/** An rpc's answer. A list or an async iterable is streamed. TroupeErrors travel as the daemon sends them. */
export type Answer = (call: Received) => object | Promise<object>;

type AnyCall = ServerUnaryCall<object, object> | ServerWritableStream<object, object>;

export class StandIn implements AsyncDisposable {
  readonly dir: string;
  address: string;
  readonly received: Received[] = [];
  answers: Record<string, Answer>;
  #server: Server | undefined;
  #waiting: { rpc: string; resolve: (call: Received) => void }[] = [];

  /** Listens on a socket of its own, or on `address`. Port 0 becomes a free one. */
  static async start(answers: Record<string, Answer> = {}, address?: string): Promise<StandIn> {
    const daemon = new StandIn(await mkdtemp(path.join(tmpdir(), "stand-in-")), answers);
    if (address) daemon.address = address;
    await daemon.start();
    return daemon;
  }

  private constructor(dir: string, answers: Record<string, Answer>) {
    this.dir = dir;
    this.address = `unix:${path.join(dir, "daemon.sock")}`;
    this.answers = answers;
  }

  /** Starts to listen, also again after `stop`. */
  async start(): Promise<void> {
    const server = new Server();
    for (const name of ["Browser", "Control"] as const) {
      const definition = serviceDefinition(name);
      const handlers = Object.entries(definition).map(([rpc, { responseStream }]) => [
        rpc,
        responseStream ? this.#streaming(rpc) : this.#unary(rpc),
      ]);
      server.addService(definition, Object.fromEntries(handlers));
    }
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync(this.address, ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      ),
    );
    this.address = this.address.replace(/:0$/, `:${port}`);
    this.#server = server;
  }

  /** Acts as if the daemon had been killed. */
  async stop(): Promise<void> {
    this.#server?.forceShutdown();
    this.#server = undefined;
    if (this.address.startsWith("unix:")) await rm(this.address.slice("unix:".length), { force: true });
  }

  /** Ends all connections and accepts new ones. */
  breakConnections(): void {
    this.#server?.drain(this.address, 0);
  }

  /** Resolves to the next call of an rpc. */
  next(rpc: string): Promise<Received> {
    return new Promise((resolve) => this.#waiting.push({ rpc, resolve }));
  }

  /** Returns the calls of an rpc so far. */
  callsOf(rpc: string): Received[] {
    return this.received.filter((call) => call.rpc === rpc);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.dir, { recursive: true, force: true });
  }

  #unary(rpc: string) {
    return (call: ServerUnaryCall<object, object>, done: sendUnaryData<object>) => {
      this.#answer(rpc, call).then(
        (response) => done(null, response),
        (error) => done(error),
      );
    };
  }

  #streaming(rpc: string) {
    return async (call: ServerWritableStream<object, object>) => {
      try {
        const parts = await this.#answer(rpc, call);
        const streamed = Array.isArray(parts) || Symbol.asyncIterator in parts;
        for await (const part of streamed ? (parts as AsyncIterable<object>) : [parts]) call.write(part);
        call.end();
      } catch (error) {
        call.emit("error", error);
      }
    };
  }

  async #answer(rpc: string, call: AnyCall): Promise<object> {
    const gone = new AbortController();
    (call as ServerUnaryCall<object, object>).on("cancelled", () => gone.abort());
    const received: Received = {
      rpc,
      request: call.request as Record<string, unknown>,
      headers: Object.fromEntries(
        Object.entries(call.metadata.getMap()).map(([name, value]) => [name, String(value)]),
      ),
      signal: gone.signal,
    };
    this.received.push(received);
    for (const waiting of this.#waiting.filter((each) => each.rpc === rpc)) waiting.resolve(received);
    this.#waiting = this.#waiting.filter((each) => each.rpc !== rpc);
    try {
      const answer = this.answers[rpc];
      if (answer) return await answer(received);
      if (rpc === "WatchEvents") return await aborted(gone.signal);
      return {};
    } catch (error) {
      if (!isTroupeError(error)) throw error;
      throw toStatus(detailOf(error, failedCall(received), Date.UTC(2026, 10, 20)));
    }
  }
}

/** Splits a snapshot into the parts of its stream. */
export function snapshotParts(text: string, page: object = {}, chunkLength = 65_536): object[] {
  const chunks = Array.from({ length: Math.ceil(text.length / chunkLength) }, (_, index) => ({
    chunk: text.slice(index * chunkLength, (index + 1) * chunkLength),
  }));
  return [{ header: { page, textLength: text.length, kind: "SNAPSHOT_KIND_FULL" } }, ...chunks];
}

/** Never answers; rejects when the client gives up. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(fail("CANCELLED", { reason: "cancelled" })), {
      once: true,
    });
  });
}

function failedCall({ rpc, request, headers }: Received): FailedCall {
  const tool = toolOfRpc(rpc);
  return {
    tool: tool?.name ?? rpc,
    arguments: tool ? argumentsOf(tool, request) : {},
    profile: profileNamed(headers["x-troupe-profile"]) ?? "core",
    role: headers["x-troupe-role"] ?? "customer",
    session: headers["x-troupe-session"] ?? "",
    tab: "t1",
  };
}
