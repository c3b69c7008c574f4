// Counts the open streams of each client, so that no client takes the room of all.
import { fail } from "../../proto/errors/catalogue.ts";
import { KeyedCount } from "../core/keyed-count.ts";

export class ClientStreams {
  readonly #most: number;
  readonly #name: string;
  /** The open streams by the client's name. */
  readonly #open = new KeyedCount();

  /** `most`: the number that one client may have. `name`: the streams, in the plural. */
  constructor(most: number, name: string) {
    this.#most = most;
    this.#name = name;
  }

  /** Counts a stream until the result is disposed of. Throws BUSY if the client has as many as it may. */
  add(client: string): Disposable {
    if (this.#open.of(client) >= this.#most) {
      const limit = `${client} may have ${this.#most} ${this.#name} at once`;
      throw fail("BUSY", { limit, holders: [], own: "streams" });
    }
    return this.#open.add(client);
  }
}
