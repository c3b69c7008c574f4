// Bounds the open streams of each MCP client, so that no client takes all connections of the door.
import { fail } from "../../../proto/errors/catalogue.ts";
import type { Exchange } from "./exchange.ts";

/** The most streams without a call that one client may keep open. The door has 1,000 connections. */
const STREAMS_MAX = 100;

export class ClientStreams {
  /** The number of open streams by the client's name. */
  readonly #open = new Map<string, number>();

  /** Counts a stream until its answer is over. Throws BUSY if the client has as many as it may. */
  add({ client: { name }, response }: Pick<Exchange, "client" | "response">): void {
    const open = this.#open.get(name) ?? 0;
    if (open >= STREAMS_MAX)
      throw fail("BUSY", {
        limit: `${name} may have ${STREAMS_MAX} MCP streams at once`,
        holders: [],
        own: "streams",
      });
    if (response.closed) return;
    this.#open.set(name, open + 1);
    response.once("close", () => this.#ended(name));
  }

  #ended(name: string): void {
    const left = (this.#open.get(name) ?? 0) - 1;
    if (left > 0) this.#open.set(name, left);
    else this.#open.delete(name);
  }
}
