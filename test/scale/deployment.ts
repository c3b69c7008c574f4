// The daemons of one PostgreSQL behind nginx, as an operator runs them.
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { type OwnDaemon, startOwnDaemon } from "../chaos/scenario/own-daemon.ts";
import { freePort } from "../harness/free-port.ts";
import { allStats, descendants } from "../harness/proc.ts";
import { type Nginx, startNginx } from "../harness/servers/nginx.ts";
import { type Postgres, startPostgres } from "../harness/servers/postgres.ts";
import { tempDir } from "../harness/temp-dir.ts";
import { until } from "../harness/within.ts";
import { authority, validNow } from "../site/certificates.ts";
import { ROLE } from "./visitor.ts";

/** Of a readiness probe, as in deploy/kubernetes. */
const PROBE_MS_MAX = 1_000;
const READY_MS_MAX = 60_000;

/** A daemon's place: its folder and addresses stay when its process ends. */
export interface Pod {
  name: string;
  dir: string;
  grpc: string;
  http: string;
  peers: string;
  daemon: OwnDaemon | undefined;
}

/** Its disposal ends everything. */
export class Deployment implements AsyncDisposable {
  readonly postgres: Postgres;
  readonly url: string;
  readonly pods: Pod[] = [];
  readonly #nginx: Nginx;
  readonly #dir: string;
  readonly #open: AsyncDisposableStack;
  readonly #interrupted: AbortSignal;

  private constructor(
    parts: Pick<Deployment, "postgres" | "url"> & { nginx: Nginx; dir: string },
    open: AsyncDisposableStack,
    interrupted: AbortSignal,
  ) {
    this.postgres = parts.postgres;
    this.url = parts.url;
    this.#nginx = parts.nginx;
    this.#dir = parts.dir;
    this.#open = open;
    this.#interrupted = interrupted;
  }

  /** Starts PostgreSQL, nginx and this many daemons. */
  static async start(daemons: number, interrupted: AbortSignal): Promise<Deployment> {
    await using open = new AsyncDisposableStack();
    const { dir } = open.use(tempDir());
    const ca = authority("Troupe's peers");
    const peer = ca.issue({ host: "troupe-peer", ...validNow() });
    const files = {
      "ca.crt": ca.cert,
      "peer.crt": peer.cert,
      "peer.key": peer.key,
      key: randomBytes(32).toString("hex"),
    };
    for (const [name, content] of Object.entries(files))
      writeFileSync(path.join(dir, name), content, { mode: 0o600 });
    const postgres = open.use(await startPostgres({ durable: true }));
    const url = await postgres.database();
    // No daemon runs yet, and nginx needs an address.
    const nobody = [`127.0.0.1:${await freePort()}`];
    const nginx = open.use(await startNginx({ grpc: nobody, http: nobody }));
    const deployment = new Deployment({ postgres, url, nginx, dir }, open.move(), interrupted);
    try {
      for (let index = 0; index < daemons; index++) await deployment.add();
      await deployment.route();
    } catch (error) {
      await deployment[Symbol.asyncDispose]();
      throw error;
    }
    return deployment;
  }

  /** The entry's address for gRPC. */
  get address(): string {
    return this.#nginx.grpc;
  }

  /** The daemons that run. */
  get running(): Pod[] {
    return this.pods.filter(({ daemon }) => daemon !== undefined);
  }

  /** Starts one more daemon. */
  async add(): Promise<Pod> {
    const name = `daemon-${this.pods.length}`;
    const address = async () => `127.0.0.1:${await freePort()}`;
    // Browsers have their sockets below it, whose paths must be short.
    const { dir } = this.#open.use(tempDir());
    const pod: Pod = {
      name,
      dir,
      grpc: await address(),
      http: await address(),
      peers: await address(),
      daemon: undefined,
    };
    this.pods.push(pod);
    await this.startAgain(pod);
    return pod;
  }

  /** Starts a daemon whose process has ended. */
  async startAgain(pod: Pod): Promise<void> {
    pod.daemon = await startOwnDaemon("real", this.#configOf(pod), this.#interrupted, { dir: pod.dir });
  }

  /** Lets the entry pass calls to the daemons that run, except these. */
  async route(...without: Pod[]): Promise<void> {
    const pods = this.running.filter((pod) => !without.includes(pod));
    await this.#nginx.reload({ grpc: pods.map(({ grpc }) => grpc), http: pods.map(({ http }) => http) });
  }

  /** Ends a daemon as an operator does, and waits for its end. */
  async end(pod: Pod): Promise<void> {
    const { daemon } = pod;
    await daemon?.[Symbol.asyncDispose]();
    pod.daemon = undefined;
  }

  /** Kills a daemon. Its workers and browsers end with it. */
  async kill(pod: Pod): Promise<void> {
    process.kill(pod.daemon?.pid ?? 0, "SIGKILL");
    await this.end(pod);
  }

  /** Sends a signal to a daemon and all processes below it. */
  signal({ daemon }: Pod, signal: "SIGSTOP" | "SIGCONT"): void {
    if (!daemon) return;
    // The daemon comes first, so that it starts none meanwhile.
    const below = () => descendants([daemon.pid], allStats()).filter(({ pid }) => pid !== daemon.pid);
    process.kill(daemon.pid, signal);
    for (const { pid } of below()) process.kill(pid, signal);
  }

  /** Resolves when the daemon's readiness is as given. */
  async ready({ http, name }: Pod, isReady: boolean): Promise<void> {
    await until(
      async () => (await probe(http)) === isReady,
      `${name} is ${isReady ? "" : "not "}ready`,
      READY_MS_MAX,
    );
  }

  /** Returns the daemon with the most sessions. */
  async busiest(): Promise<Pod> {
    const held = await Promise.all(
      this.running.map(async (pod) => ({ pod, many: (await this.holds(pod)).sessions.size })),
    );
    const [most] = held.sort((one, other) => other.many - one.many);
    if (!most) throw new Error("no daemon runs");
    return most.pod;
  }

  /** Returns the sessions that a daemon owns, and the rest of its lease. */
  async holds({ peers }: Pod): Promise<{ sessions: Set<string>; leaseMs: number }> {
    const alive = "alive_until > clock_timestamp()";
    const pods = await this.postgres.ask<{ ms: string; incarnation: string }>(
      `SELECT incarnation, extract(epoch FROM alive_until - clock_timestamp()) * 1000 AS ms FROM pods WHERE address = $1 AND ${alive}`,
      [peers],
      this.url,
    );
    const [{ ms, incarnation } = { ms: "NaN", incarnation: "" }] = pods;
    const rows = await this.postgres.ask<{ id: string }>(
      "SELECT id FROM sessions WHERE owner::text = $1",
      [incarnation],
      this.url,
    );
    return { sessions: new Set(rows.map(({ id }) => id)), leaseMs: Number(ms) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const pod of this.running) this.signal(pod, "SIGCONT");
    await Promise.allSettled(this.running.map((pod) => this.end(pod)));
    await this.#open.disposeAsync();
  }

  #configOf({ grpc, http, peers }: Pod): object {
    const file = (name: string) => path.join(this.#dir, name);
    return {
      ...CONFIG,
      listen: ["unix:default", grpc],
      http,
      store: this.url,
      stateKeys: [file("key")],
      peers: {
        listen: peers,
        address: peers,
        tls: { cert: file("peer.crt"), key: file("peer.key"), ca: file("ca.crt") },
      },
    };
  }
}

/**
 * One role, so that each daemon has one browser: two cores start no more of them in time. All sessions may be awake in any
 * daemon, since a session that rests and comes back costs more than one that stays.
 */
export const CONFIG = {
  roles: { [ROLE]: { eager: true, sessions: 100, memory: "8GiB" } },
};

async function probe(http: string): Promise<boolean> {
  try {
    const { ok } = await fetch(`http://${http}/readyz`, { signal: AbortSignal.timeout(PROBE_MS_MAX) });
    return ok;
  } catch {
    // A daemon that does not answer is not ready.
    return false;
  }
}
