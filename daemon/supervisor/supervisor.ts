// Supervises all roles and their workers.
import path from "node:path";
import type { DaemonConfig, RoleSettings } from "../config/load.ts";
import type { Session, StoredSession } from "../sessions/session.ts";
import { type MemoryUse, memoryMeter } from "../state/memory.ts";
import { SupervisedRole } from "./supervised-role.ts";
import type { RoleObserver, Supervision } from "./supervision.ts";
import { Upkeep } from "./upkeep.ts";

/** The roles, in the configuration's order. */
export class Supervisor implements AsyncDisposable {
  readonly #roles = new Map<string, SupervisedRole>();
  readonly #names: string[] = [];
  /** Roles that the configuration no longer has but whose worker still runs. */
  readonly #retiring = new Set<SupervisedRole>();
  readonly #with: Supervision;
  readonly #upkeep: Upkeep;

  /** Makes the roles. None is started yet. */
  constructor(
    config: DaemonConfig,
    supervision: Omit<Supervision, "nextSocket" | "stateDir" | "policy" | "limits" | "logLevel">,
  ) {
    const { observer, clock, log } = supervision;
    const { limits, restart: policy } = config;
    const stateDir = config.state.dir;
    let sockets = 0;
    this.#with = {
      ...supervision,
      observer: ofCurrentRoles(observer, this.#roles),
      stateDir,
      policy,
      limits,
      logLevel: config.log.level,
      nextSocket: () => path.join(stateDir, `w${++sockets}.sock`),
    };
    for (const settings of config.roles) this.add(this.made(settings));
    this.order([...this.#roles.keys()]);
    const measured = (role: SupervisedRole, use: MemoryUse) => {
      role.measured(use);
      observer.measured(role, use);
    };
    this.#upkeep = new Upkeep({ roles: this.#roles, measure: memoryMeter(), measured, limits, clock, log });
  }

  /** Stays current when the configuration is read again. */
  get roles(): ReadonlyMap<string, SupervisedRole> {
    return this.#roles;
  }

  /** Stays current in the same way. */
  get names(): readonly string[] {
    return this.#names;
  }

  /**
   * Restores a session of the daemon before this one, as {@link Sessions.restore} does. Drops its state in roles that no
   * longer exist.
   */
  restore(stored: StoredSession): Session | undefined {
    const session = this.takeOver(stored);
    for (const name of session?.rolesElsewhere ?? []) this.#with.kept.forget(name, stored.key);
    if (session) session.rolesElsewhere = [];
    return session;
  }

  /** Restores a session of another daemon, which may have other roles: its state in these stays stored. */
  takeOver(stored: StoredSession, why?: string): Session | undefined {
    const roles = stored.roles.filter((name) => this.#roles.has(name));
    const session = this.#with.sessions.restore({ ...stored, roles }, why);
    if (!session) return undefined;
    session.rolesElsewhere = stored.roles.filter((name) => !roles.includes(name));
    for (const name of roles) this.#roles.get(name)?.sessions.returned(stored.key);
    return session;
  }

  /** Makes a role that is not yet added. Throws if its stored failures cannot be read. */
  made(settings: RoleSettings): SupervisedRole {
    return new SupervisedRole(settings, this.#with);
  }

  add(role: SupervisedRole): void {
    this.#roles.set(role.name, role);
  }

  /** Removes a role: no call finds it any more, and calls under way finish. Resolves when its worker is gone. */
  async remove(name: string): Promise<void> {
    const role = this.#roles.get(name);
    this.#roles.delete(name);
    if (!role) return;
    this.#with.observer.removed(role);
    this.#retiring.add(role);
    await role.retire([...this.#roles.keys()]);
    this.#retiring.delete(role);
  }

  order(names: readonly string[]): void {
    const sorted = names.flatMap((name) => this.#roles.get(name) ?? []);
    this.#roles.clear();
    for (const role of sorted) this.#roles.set(role.name, role);
    this.#names.splice(0, Number.POSITIVE_INFINITY, ...names);
  }

  startEager(): void {
    for (const role of this.roles.values()) if (role.settings.eager) role.startAhead();
  }

  /** True if every eager role has been tried. */
  get settled(): boolean {
    return [...this.roles.values()].every((role) => role.tried || !role.settings.eager);
  }

  /** Kills all workers, without a wait. */
  kill(): void {
    for (const role of [...this.#roles.values(), ...this.#retiring]) role.current?.kill();
    this.#with.early?.kill();
  }

  /** Ends all workers at the same time. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#upkeep[Symbol.dispose]();
    await Promise.all([...this.#roles.values(), ...this.#retiring].map((role) => role.end()));
  }
}

/** Drops changes of a removed role, whose name may belong to another role now. */
function ofCurrentRoles(observer: RoleObserver, roles: ReadonlyMap<string, SupervisedRole>): RoleObserver {
  return {
    ...observer,
    changed(role) {
      if (roles.get(role.name) === role) observer.changed(role);
    },
  };
}
