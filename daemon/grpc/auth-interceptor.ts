// Identifies the caller of a gRPC call before its message is read: a message may be large, or never arrive whole.
import {
  type Metadata,
  ServerInterceptingCall,
  type ServerInterceptor,
  type StatusObject,
} from "@grpc/grpc-js";
import { fail } from "../../proto/errors/catalogue.ts";
import type { CallerIdentity } from "./caller-identity.ts";
import { isProbe } from "./health.ts";

/** Makes the status for a call that is rejected before any handler. */
export type AuthRejection = (error: unknown, path: string, metadata: Metadata) => StatusObject;

/** The time that a request may take to arrive whole. */
const REQUEST_MS = 60_000;
const NOTHING = Buffer.alloc(0);

/**
 * Does not read messages of unauthenticated callers: a handler that identifies the caller itself gets an empty message
 * and rejects it. Health probes are anonymous.
 */
export function authInterceptor(
  who: CallerIdentity,
  rejection: AuthRejection,
  requestMs = REQUEST_MS,
): ServerInterceptor {
  return (method, call) => {
    const asked = isProbe(method.path) ? undefined : who;
    return new CallOfSomebody(call, method, asked, rejection, requestMs);
  };
}

type Called = ConstructorParameters<typeof ServerInterceptingCall>[0];
type Method = Parameters<ServerInterceptor>[0];
type Listener = Parameters<ServerInterceptingCall["start"]>[0];

class CallOfSomebody extends ServerInterceptingCall {
  readonly #called: Called;
  readonly #method: Method;
  readonly #who: CallerIdentity | undefined;
  readonly #rejection: AuthRejection;
  readonly #requestMs: number;
  #reads = true;

  constructor(
    called: Called,
    method: Method,
    who: CallerIdentity | undefined,
    rejection: AuthRejection,
    requestMs: number,
  ) {
    super(called);
    this.#called = called;
    this.#method = method;
    this.#who = who;
    this.#rejection = rejection;
    this.#requestMs = requestMs;
  }

  override start(listener: Listener): void {
    let deadline: NodeJS.Timeout | undefined;
    let isCancelled = false;
    const admit = (metadata: Metadata) => {
      if (isCancelled) return;
      const error = this.#problemWith(metadata);
      if (error !== undefined) {
        this.#turnAway(error, metadata, listener);
        return;
      }
      if (!this.#method.requestStream)
        deadline = setTimeout(() => this.#end(TOO_SLOW(), metadata), this.#requestMs).unref();
      listener.onReceiveMetadata(metadata);
    };
    super.start({
      // No message is read until the handler has the metadata, so a call can wait here.
      onReceiveMetadata: (metadata) => {
        const arrived = this.#who?.arrive(this.#callWith(metadata));
        if (arrived === undefined) admit(metadata);
        else
          arrived.then(
            () => admit(metadata),
            (error) => this.#end(error, metadata),
          );
      },
      onReceiveMessage: (message) => listener.onReceiveMessage(message),
      onReceiveHalfClose() {
        clearTimeout(deadline);
        listener.onReceiveHalfClose();
      },
      onCancel() {
        isCancelled = true;
        clearTimeout(deadline);
        listener.onCancel();
      },
    });
  }

  override startRead(): void {
    if (this.#reads) super.startRead();
  }

  #problemWith(metadata: Metadata): unknown {
    try {
      this.#who?.identify(this.#callWith(metadata));
      return undefined;
    } catch (error) {
      return error;
    }
  }

  #callWith(metadata: Metadata): Parameters<CallerIdentity["identify"]>[0] {
    return { metadata, getAuthContext: () => this.#called.getAuthContext() };
  }

  #turnAway(error: unknown, metadata: Metadata, listener: Listener): void {
    this.#reads = false;
    // The handler of reflection does not identify the caller, so the call is rejected here.
    if (this.#method.requestStream) {
      this.#end(error, metadata);
      return;
    }
    listener.onReceiveMetadata(metadata);
    listener.onReceiveMessage(this.#method.requestDeserialize(NOTHING));
    listener.onReceiveHalfClose();
  }

  #end(error: unknown, metadata: Metadata): void {
    this.sendStatus(this.#rejection(error, this.#method.path, metadata));
  }
}

const TOO_SLOW = () =>
  fail("INVALID_ARGUMENT", {
    argument: "request",
    problem: "the request did not come whole in time",
    likelyCause: "The program that sends it has stopped, or its line is too slow",
  });
