// Reports the daemon's states to systemd, as sd_notify(3) describes. Node has no datagram sockets of the file system, so
// the program systemd-notify sends the messages.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Alarm, Clock } from "./clock.ts";
import type { Log } from "./log.ts";

/** Learns what the daemon does. */
export interface ServiceManager {
  ready(): void;
  reloading(): void;
  /** The daemon ends within this time, however short the manager's own patience is. */
  stopping(withinMs: number): void;
}

const PROGRAM = "systemd-notify";
/** The program itself waits 5 s at most until its message has been read. */
const SEND_MS_MAX = 10_000;
/** The share of the watchdog's interval after which it is fed again. */
const FEEDING_SHARE = 0.5;

interface ManagerParts {
  clock: Clock;
  log: Pick<Log, "warn">;
}

/** Sends messages one after another, in their order. */
export class NotifiedManager implements ServiceManager, AsyncDisposable {
  readonly #env: NodeJS.ProcessEnv;
  readonly #parts: ManagerParts;
  readonly #watchdogMs: number;
  #sending: Promise<void> = Promise.resolve();
  #feeding: Alarm | undefined;
  #isOver = false;

  /** Returns undefined if no service manager listens. Takes its variables out of `env`: they are for this process only. */
  static of(env: NodeJS.ProcessEnv, parts: ManagerParts): NotifiedManager | undefined {
    const { NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID, PATH } = env;
    for (const name of ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]) delete env[name];
    if (!NOTIFY_SOCKET) return undefined;
    const isWatched = WATCHDOG_PID === undefined || Number(WATCHDOG_PID) === process.pid;
    const watchdogMs = isWatched ? Number(WATCHDOG_USEC ?? 0) / 1000 : 0;
    return new NotifiedManager({ NOTIFY_SOCKET, PATH }, watchdogMs, parts);
  }

  private constructor(env: NodeJS.ProcessEnv, watchdogMs: number, parts: ManagerParts) {
    this.#env = env;
    this.#watchdogMs = watchdogMs;
    this.#parts = parts;
  }

  ready(): void {
    this.#send("READY=1", "STATUS=Takes calls");
    if (!this.#feeding) this.#feedLater();
  }

  reloading(): void {
    this.#send("RELOADING=1", "STATUS=Reads its configuration");
  }

  stopping(withinMs: number): void {
    const patience = `EXTEND_TIMEOUT_USEC=${Math.ceil(withinMs) * 1000}`;
    this.#send("STOPPING=1", patience, "STATUS=Lets calls under way finish");
  }

  /** Resolves when the last message has been sent. The watchdog is fed until then. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    this.#feeding?.cancel();
    await this.#sending;
  }

  /** The next time counts from the message, so that slow messages never pile up. */
  #feedLater(): void {
    if (this.#isOver || !(this.#watchdogMs > 0)) return;
    this.#feeding = this.#parts.clock.after(this.#watchdogMs * FEEDING_SHARE, () => {
      this.#send("WATCHDOG=1");
      void this.#sending.then(() => this.#feedLater());
    });
  }

  #send(...words: string[]): void {
    this.#sending = this.#sending.then(() => this.#sent(words));
  }

  /** The daemon goes on without its manager, which ends it if that was wrong. */
  async #sent(words: readonly string[]): Promise<void> {
    try {
      // The program waits until the message was read: systemd must still find it to know whose message it is.
      await promisify(execFile)(PROGRAM, words, { env: this.#env, timeout: SEND_MS_MAX });
    } catch (error) {
      this.#parts.log.warn({ err: error, words }, "the service manager was not told");
    }
  }
}
