// Phase `changes`: daemons come, die, stop and leave while the sessions live.
import type { Deployment, Pod } from "./deployment.ts";
import { lapse } from "./lapse.ts";
import type { Event } from "./verdicts.ts";

/** Longer than a lease, which lasts 10 s. */
const STOPPED_MS = 12_000;
const DAEMONS_MORE = 3;
const DAEMONS_LEFT = 2;

export interface Stage {
  deployment: Deployment;
  /** The duration of the load between two events. */
  seconds: number;
  say(line: string): void;
}

/** Resolves with what was done to the daemons. */
export async function changes(stage: Stage): Promise<Event[]> {
  const { deployment, say } = stage;
  const events = new Events();
  const load = () => lapse(stage.seconds * 1000);
  await load();
  events.begin(`${DAEMONS_MORE} daemons more`, "join");
  say(`${DAEMONS_MORE} daemons more…`);
  for (let more = 0; more < DAEMONS_MORE; more++) await deployment.add();
  await deployment.route();
  await load();
  const first = await deployment.busiest();
  const { sessions } = await deployment.holds(first);
  say(`kill -9 of ${first.name} with ${sessions.size} sessions…`);
  events.begin(`kill -9 of ${first.name}`, "kill", sessions);
  await deployment.kill(first);
  await load();
  await deployment.startAgain(first);
  await stop(stage, await deployment.busiest(), events);
  await load();
  for (const pod of deployment.running.slice(0, -DAEMONS_LEFT)) await leave(stage, pod, events);
  await load();
  return events.end();
}

/** Stops a daemon past its lease, and lets it go on. */
async function stop({ deployment, say }: Stage, pod: Pod, events: Events): Promise<void> {
  deployment.signal(pod, "SIGSTOP");
  const goOn = lapse(STOPPED_MS);
  const { sessions, leaseMs } = await deployment.holds(pod);
  say(
    `SIGSTOP of ${pod.name} with ${sessions.size} sessions, ${Math.round(leaseMs)} ms before the end of its lease…`,
  );
  events.begin(`SIGSTOP of ${pod.name}`, "stop", sessions, performance.now() + leaseMs);
  // nginx does not see that it has stopped, so its readiness decides, as in Kubernetes.
  await deployment.ready(pod, false);
  await deployment.route(pod);
  await goOn;
  say(`SIGCONT of ${pod.name}…`);
  deployment.signal(pod, "SIGCONT");
  await deployment.ready(pod, true);
  await deployment.route();
}

/** Asks a daemon to end, as a scale-in does. */
export async function leave({ deployment, say }: Stage, pod: Pod, events: Events): Promise<void> {
  const { sessions } = await deployment.holds(pod);
  say(`SIGTERM of ${pod.name} with ${sessions.size} sessions…`);
  events.begin(`SIGTERM of ${pod.name}`, "leave", sessions);
  await deployment.end(pod);
  say(`${pod.name} has left`);
}

/** The events in their order. Each lasts until the next. */
export class Events {
  readonly #events: Event[] = [];

  begin(
    name: string,
    kind: Event["kind"],
    affected: ReadonlySet<string> = new Set(),
    atMs = performance.now(),
  ): void {
    this.end(atMs);
    this.#events.push({ name, kind, atMs, untilMs: Number.POSITIVE_INFINITY, affected });
  }

  end(atMs = performance.now()): Event[] {
    const last = this.#events.at(-1);
    if (last) last.untilMs = Math.min(last.untilMs, atMs);
    return this.#events;
  }
}
