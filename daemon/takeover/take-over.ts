// One person's turn in a session: it holds the worker's stream, and outlives a short loss of the person's network.
import type {
  Input,
  PersonState,
  WorkerTakeOverRequest,
  WorkerTakeOverResponse,
} from "../../proto/gen/troupe.ts";
import type { Alarm, Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Session } from "../sessions/session.ts";
import type { Leaving, SupervisedRole } from "../supervisor/supervised-role.ts";
import type { TakeOverStream } from "../worker-process/worker-link.ts";
import { type KeptSessions, workerForPerson } from "./persons-worker.ts";

/**
 * Why a turn has ended. `lost`: the person's page was gone for too long. `rights`: the link's maker has lost them.
 * `worker`: the worker has died.
 */
export type TurnEnd =
  | "handed-back"
  | "lost"
  | "timeout"
  | "rights"
  | "session"
  | "worker"
  | Leaving
  | "daemon";

/** A person's turn as the page uses it. It may be another daemon's. */
export type PersonsTurn = Pick<TakeOver, "connect" | "take" | "end">;

/** The person's page. */
export interface PersonsPage {
  show(output: WorkerTakeOverResponse): void;
  /** Called if the connection to the turn breaks. The page may connect again. */
  broke(): void;
  /** Called once, at the end of the turn, or when another page takes this one's place. */
  over(why: TurnEnd | "elsewhere"): void;
}

export interface TakeOverParts {
  session: Session;
  role: SupervisedRole;
  kept: KeptSessions;
  /** How long the turn may last, and how long it outlives its person's connection. */
  timeMs: number;
  graceMs: number;
  /** Called at the end. */
  ended(why: TurnEnd): void;
  clock: Clock;
  log: Log;
}

/** A person's turn. It begins at once, and {@link TakeOver.end} ends it. */
export class TakeOver {
  readonly startedAtMs: number;
  readonly #parts: TakeOverParts;
  readonly #over = new AbortController();
  readonly #timeout: Alarm;
  #grace: Alarm | undefined;
  #page: PersonsPage | undefined;
  #stream: TakeOverStream | undefined;
  #state: PersonState | undefined;
  /** The size of the person's view, which the worker must know first. */
  #view: Input<WorkerTakeOverRequest> | undefined;

  constructor(parts: TakeOverParts) {
    const { clock, timeMs, session, role } = parts;
    this.#parts = parts;
    this.startedAtMs = clock.now();
    this.#timeout = clock.after(timeMs, () => this.end("timeout"));
    session.over.signal.addEventListener("abort", this.#sessionOver, { once: true });
    role.persons.add(this.#leave);
    this.#left();
    void this.#run();
  }

  get session(): Session {
    return this.#parts.session;
  }

  get role(): string {
    return this.#parts.role.name;
  }

  /** Connects the person's page. An earlier page of the same person gives way. Returns the function that disconnects. */
  connect(page: PersonsPage): () => void {
    this.#page?.over("elsewhere");
    this.#page = page;
    this.#grace?.cancel();
    if (this.#state) page.show({ state: this.#state });
    return () => {
      if (this.#page !== page) return;
      this.#page = undefined;
      this.#left();
    };
  }

  /** Passes the person's input on. Nothing of it is kept or logged. A page may send more before it hears of the end. */
  take(input: Input<WorkerTakeOverRequest>): void {
    if (this.#over.signal.aborted) return;
    if (input.view) this.#view = input;
    this.#stream?.write(input);
  }

  /** Ends the turn: the session is its agent's again. */
  end(why: TurnEnd): void {
    if (this.#over.signal.aborted) return;
    const { session, role, ended } = this.#parts;
    this.#over.abort(new Error("the take-over is over"));
    this.#timeout.cancel();
    this.#grace?.cancel();
    session.over.signal.removeEventListener("abort", this.#sessionOver);
    role.persons.delete(this.#leave);
    this.#stream?.end();
    this.#page?.over(why);
    this.#page = undefined;
    ended(why);
  }

  readonly #sessionOver = () => this.end("session");

  /** A person who still waits for a worker gets the next one. */
  readonly #leave = (why: Leaving) => {
    if (why === "role" || this.#stream) this.end(why);
  };

  #left(): void {
    const { clock, graceMs } = this.#parts;
    if (!this.#over.signal.aborted) this.#grace = clock.after(graceMs, () => this.end("lost"));
  }

  /** Holds the worker's stream until it ends. */
  async #run(): Promise<void> {
    const { session, role, kept, timeMs, log } = this.#parts;
    const { signal } = this.#over;
    try {
      const { worker, release } = await workerForPerson(session, role, signal, kept);
      const stream = worker.link.takeOver();
      // The loop below meets every error but that of its own cancelling.
      stream.on("error", () => undefined);
      try {
        stream.write({ begin: { key: session.key, timeMs } });
        if (this.#view) stream.write(this.#view);
        this.#stream = stream;
        // The turn may have ended while the worker was awaited.
        if (signal.aborted) stream.end();
        for await (const output of stream) this.#show(output as WorkerTakeOverResponse);
      } finally {
        // A stream that broke off on this side alone says nothing to the worker, which would keep the session.
        stream.cancel();
        release();
      }
    } catch (error) {
      if (!signal.aborted)
        log.warn({ err: error, role: role.name, session: session.id }, "a take-over broke off");
    }
    this.end("worker");
  }

  #show(output: WorkerTakeOverResponse): void {
    if (output.state) this.#state = output.state;
    this.#page?.show(output);
  }
}
