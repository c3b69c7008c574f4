// grpc.health.v1: the daemon under "", each role under role/NAME. Its callers are anonymous.
import {
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceDefinition,
  type sendUnaryData,
  status,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { type ServingStatus, service } from "grpc-health-check";

/** The facts on a role that the service needs. */
interface HealthyRole {
  name: string;
  stand: { state: string };
}

interface Asked {
  service: string;
}

interface HealthStatus {
  status: ServingStatus | "SERVICE_UNKNOWN";
}

type Watch = ServerWritableStream<Asked, HealthStatus>;

const PREFIX = "/grpc.health.v1.Health/";
/** The most watches at once, of all callers. A new one ends the longest one, and its client asks again. */
const WATCHES_MAX = 1000;
/** The statuses that may wait for a slow watch. */
const UNREAD_MAX = 100;

export const healthDefinition = service as ServiceDefinition;

/** Returns true for a call of the health service. Health probes are anonymous. */
export function isProbe(path: string | undefined): boolean {
  return path?.startsWith(PREFIX) === true;
}

export class Health {
  readonly service: UntypedServiceImplementation = {
    check: (call: ServerUnaryCall<Asked, HealthStatus>, callback: sendUnaryData<HealthStatus>) =>
      this.#check(call, callback),
    watch: (call: Watch) => this.#watch(call),
    list: (_call: unknown, callback: sendUnaryData<{ statuses: Record<string, HealthStatus> }>) =>
      callback(null, { statuses: this.#list() }),
  };
  readonly #statuses = new Map<string, ServingStatus>([["", "SERVING"]]);
  readonly #watches = new Map<Watch, string>();
  readonly #watchesMax: number;
  #draining = false;

  constructor(watchesMax = WATCHES_MAX) {
    this.#watchesMax = watchesMax;
  }

  /** Reports a role's state. A stopped or starting role serves, because the next call is taken. */
  report({ name, stand }: HealthyRole): void {
    const serves = !this.#draining && stand.state !== "FAILED";
    this.#set(`role/${name}`, serves ? "SERVING" : "NOT_SERVING");
  }

  /** Reports that the role no longer exists. Its watchers also learn of a later role with that name. */
  forget(role: string): void {
    const name = `role/${role}`;
    this.#statuses.delete(name);
    this.#reportToWatchers(name, "SERVICE_UNKNOWN");
  }

  /** Reports from now on that nothing serves. */
  drain(roles: Iterable<HealthyRole>): void {
    this.#draining = true;
    this.#set("", "NOT_SERVING");
    for (const role of roles) this.report(role);
    // The server waits for open streams before it ends.
    for (const watch of this.#watches.keys()) watch.end();
    this.#watches.clear();
  }

  #set(name: string, to: ServingStatus): void {
    this.#statuses.set(name, to);
    this.#reportToWatchers(name, to);
  }

  #reportToWatchers(name: string, to: HealthStatus["status"]): void {
    for (const [watch, watched] of this.#watches) {
      if (watched !== name) continue;
      // The client of a watch that does not read must ask again.
      if (watch.writableLength >= UNREAD_MAX) this.#endWatch(watch);
      else watch.write({ status: to });
    }
  }

  #endWatch(watch: Watch): void {
    this.#watches.delete(watch);
    watch.end();
  }

  #check({ request }: ServerUnaryCall<Asked, HealthStatus>, callback: sendUnaryData<HealthStatus>): void {
    const known = this.#statuses.get(request.service);
    if (known) callback(null, { status: known });
    else
      callback({ code: status.NOT_FOUND, details: 'there is no such service; there are "" and role/NAME' });
  }

  #watch(call: Watch): void {
    const known = this.#statuses.get(call.request.service);
    call.write({ status: known ?? "SERVICE_UNKNOWN" });
    if (this.#draining) {
      call.end();
      return;
    }
    // The protocol lets a watch of an unknown service wait for that service.
    this.#watches.set(call, call.request.service);
    call.once("cancelled", () => this.#watches.delete(call));
    const [longest] = this.#watches.keys();
    if (this.#watches.size <= this.#watchesMax || !longest) return;
    this.#endWatch(longest);
  }

  #list(): Record<string, HealthStatus> {
    return Object.fromEntries([...this.#statuses].map(([name, known]) => [name, { status: known }]));
  }
}
