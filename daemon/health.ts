// grpc.health.v1: the daemon under "", each role under role/NAME.
import { HealthImplementation } from "grpc-health-check";

/** What is told of a role. */
interface HealthyRole {
  name: string;
  stand: { state: string };
}

/** The health service. */
export class Health {
  readonly service = new HealthImplementation({ "": "SERVING" });
  #draining = false;

  /** Tells where the role stands now. One that is only stopped or starting serves: the next call is taken. */
  tell({ name, stand }: HealthyRole): void {
    const serves = !this.#draining && stand.state !== "FAILED";
    this.service.setStatus(`role/${name}`, serves ? "SERVING" : "NOT_SERVING");
  }

  /** There is no such role any more. */
  forget(role: string): void {
    this.service.setStatus(`role/${role}`, "NOT_SERVING");
  }

  /** From now on nothing serves. */
  drain(roles: Iterable<HealthyRole>): void {
    this.#draining = true;
    this.service.setStatus("", "NOT_SERVING");
    for (const role of roles) this.tell(role);
  }
}
