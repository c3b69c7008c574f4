// Counts the open streams of each client, so that no client takes the room of all.
import { fail } from "../../proto/errors/catalogue.ts";

export class ClientStreams {
  readonly #most: number;
  readonly #name: string;
  /** The number of open streams by the client's name. */
  readonly #open = new Map<string, number>();

  /** `most`: the number that one client may have. `name`: the streams, in the plural. */
  constructor(most: number, name: string) {
    this.#most = most;
    this.#name = name;
  }

  /** Counts a stream until the result is disposed of. Throws BUSY if the client has as many as it may. */
  add(client: string): Disposable {
    const open = this.#open.get(client) ?? 0;
    if (open >= this.#most) {
      const limit = `${client} may have ${this.#most} ${this.#name} at once`;
      throw fail("BUSY", { limit, holders: [], own: "streams" });
    }
    this.#open.set(client, open + 1);
    return { [Symbol.dispose]: () => this.#ended(client) };
  }

  #ended(client: string): void {
    const left = (this.#open.get(client) ?? 0) - 1;
    if (left > 0) this.#open.set(client, left);
    else this.#open.delete(client);
  }
}
