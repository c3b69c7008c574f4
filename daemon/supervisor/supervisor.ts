// All roles and their workers.
import path from "node:path";
import type { DaemonConfig } from "../config/load.ts";
import { memoryOf } from "../state/memory.ts";
import { SupervisedRole } from "./supervised-role.ts";
import type { Supervision } from "./supervision.ts";
import { Upkeep } from "./upkeep.ts";

/** The roles, in the configuration's order. */
export class Supervisor implements AsyncDisposable {
  readonly roles: ReadonlyMap<string, SupervisedRole>;

  readonly #upkeep: Upkeep;

  private constructor(roles: ReadonlyMap<string, SupervisedRole>, { observer, clock, log }: Supervision) {
    this.roles = roles;
    this.#upkeep = new Upkeep({
      roles,
      measure: memoryOf,
      measured: (role, use) => observer.measured(role, use),
      clock,
      log,
    });
  }

  /** Supervises the roles. None is started yet. */
  static of(
    config: DaemonConfig,
    supervision: Omit<
      Supervision,
      "nextSocket" | "stateDir" | "policy" | "callTimeoutMs" | "drainMs" | "logLevel"
    >,
  ): Supervisor {
    let sockets = 0;
    const stateDir = config.state.dir;
    const all: Supervision = {
      ...supervision,
      stateDir,
      policy: config.restart,
      callTimeoutMs: config.limits.callTimeout,
      drainMs: config.limits.drain,
      logLevel: config.log.level,
      nextSocket: () => path.join(stateDir, `w${++sockets}.sock`),
    };
    const roles = config.roles.map((settings) => [settings.name, new SupervisedRole(settings, all)] as const);
    return new Supervisor(new Map(roles), all);
  }

  /** Starts the workers of the eager roles. */
  startEager(): void {
    for (const role of this.roles.values()) if (role.settings.eager) role.need();
  }

  /** Whether every eager role has been tried. */
  get settled(): boolean {
    return [...this.roles.values()].every((role) => role.tried || !role.settings.eager);
  }

  /** Kills all workers, without waiting for anything. */
  kill(): void {
    for (const role of this.roles.values()) role.current?.kill();
  }

  /** Ends all workers, side by side. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#upkeep[Symbol.dispose]();
    await Promise.all([...this.roles.values()].map((role) => role.end()));
  }
}
