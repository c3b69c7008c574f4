// Follows the daemon by server-sent events. A hidden page lets go of its stream, and gets the whole state when it is seen.
import { changed } from "../../changes.ts";
import type { ConsoleChange, ConsoleState, Me } from "../../wire.ts";
import { api, RequestError } from "./api.ts";

export interface Live {
  link: "connecting" | "live" | "lost" | "logged-out";
  me?: Me;
  state?: ConsoleState;
}

/** A stream without any event for this long is broken: heartbeats come each ten seconds. */
const SILENT_MS_MAX = 30_000;
const AGAIN_MS = 3_000;

/** Follows the daemon until it is closed. */
export class Connection {
  #live: Live = { link: "connecting" };
  readonly #show: (live: Live) => void;
  #source: EventSource | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(show: (live: Live) => void) {
    this.#show = show;
    document.addEventListener("visibilitychange", this.#look);
    addEventListener("online", this.#open);
    this.#look();
  }

  close(): void {
    document.removeEventListener("visibilitychange", this.#look);
    removeEventListener("online", this.#open);
    this.#leave();
  }

  /** Follows anew, such as after a login. */
  readonly #open = (): void => {
    this.#leave();
    if (document.hidden) return;
    const source = new EventSource("/console/events");
    this.#source = source;
    this.#expectMore();
    const hear = (kind: string, heard: (data: string) => Partial<Live>) =>
      source.addEventListener(kind, ({ data }: MessageEvent<string>) => {
        this.#expectMore();
        this.#set({ link: "live", ...heard(data) });
      });
    hear("me", (data) => ({ me: JSON.parse(data) as Me }));
    hear("state", (data) => ({ state: JSON.parse(data) as ConsoleState }));
    hear("change", (data) => {
      const { state } = this.#live;
      return state ? { state: changed(state, JSON.parse(data) as ConsoleChange) } : {};
    });
    hear("beat", () => ({}));
    source.addEventListener("error", () => {
      this.#set({ link: "lost" });
      if (source.readyState === EventSource.CLOSED) void this.#findOut();
    });
  };

  readonly #look = (): void => {
    if (document.hidden) this.#leave();
    else this.#open();
  };

  /** The browser does not say why a stream was refused. */
  async #findOut(): Promise<void> {
    try {
      await api.me();
      this.#again();
    } catch (error) {
      if (error instanceof RequestError && error.status === 401) this.#set({ link: "logged-out" });
      else this.#again();
    }
  }

  #again(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#open, AGAIN_MS);
  }

  #expectMore(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#open, SILENT_MS_MAX);
  }

  #leave(): void {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = undefined;
  }

  #set(live: Partial<Live>): void {
    this.#live = { ...this.#live, ...live };
    this.#show(this.#live);
  }
}
