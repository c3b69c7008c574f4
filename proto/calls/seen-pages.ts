// The pages that a new reader of a session has seen. The session may have been shown more to an earlier reader.
import type { ToolCall } from "./tool-call.ts";

export class SeenPages {
  /** Sessions, roles and tabs. */
  readonly #seen = new Set<string>();

  /**
   * Makes the reader's first snapshot of a place whole. Returns the place that the reply shows; undefined if it shows no
   * page. `current` is the session's current role, and `session` its name among several of the reader.
   */
  look({ tool, request, role }: ToolCall, current: string, session = ""): string | undefined {
    const shows = tool.snapshot ? request.ref === undefined : tool.arrival === "page";
    if (!shows) return undefined;
    const place = JSON.stringify([session, role ?? current, request.tab ?? ""]);
    if (tool.snapshot && !this.#seen.has(place)) request.full ??= true;
    return place;
  }

  /** Notes that the reader has the reply that shows the place. */
  saw(place: string | undefined): void {
    if (place !== undefined) this.#seen.add(place);
  }

  /** Forgets all pages: a plan sends the reader to the page, and the daemon may count a lost reply as delivered. */
  clear(): void {
    this.#seen.clear();
  }
}
