// Reads the configuration again while the daemon runs, and applies all of it or nothing.

import type { DaemonConfig } from "../config/load.ts";
import type { Clock } from "../core/clock.ts";
import { type KeyRing, readKeyRing } from "../core/key-ring.ts";
import type { Log } from "../core/log.ts";
import { StartupError } from "../core/startup-error.ts";
import type { Health } from "../grpc/health.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Hibernations } from "../supervisor/hibernations.ts";
import type { SupervisedRole } from "../supervisor/supervised-role.ts";
import type { Supervisor } from "../supervisor/supervisor.ts";
import { type ConfigChanges, configChanges } from "./changes.ts";

export interface ReloadParts {
  /** The current configuration. The parts read their limits from it. */
  config: DaemonConfig;
  /** Reads the configuration as at the start. Throws a StartupError. */
  load: () => DaemonConfig;
  keys: KeyRing;
  supervisor: Supervisor;
  sessions: Sessions;
  hibernations: Hibernations;
  health: Health;
  applied: (config: DaemonConfig) => void;
  clock: Clock;
  log: Log;
}

/** The state of the configuration, for the daemon's status. */
export interface ConfigState {
  readAtMs: number;
  /** The problems of the file's present content, if it was not applied. */
  problems: readonly string[];
}

/** The changes by name. */
interface Summary {
  added: string[];
  removed: string[];
  changed: string[];
  restarting: string[];
  applied: string[];
  later: string[];
}

/** The changes that were applied, or the problems that kept all of them from being applied. */
export interface ReloadReport extends Summary {
  problems: string[];
}

const NOTHING: Summary = { added: [], removed: [], changed: [], restarting: [], applied: [], later: [] };

export class Reloader {
  readonly #parts: ReloadParts;
  #state: ConfigState;

  constructor(parts: ReloadParts) {
    this.#parts = parts;
    this.#state = { readAtMs: parts.clock.now(), problems: [] };
  }

  get state(): ConfigState {
    return this.#state;
  }

  /**
   * Reads the configuration again and applies it. If it is wrong, logs the problems and changes nothing. Throws
   * nothing. Returns what changed.
   */
  reload(): ReloadReport {
    const { clock, log } = this.#parts;
    try {
      const after = this.#read();
      const changes = configChanges(this.#parts.config, after);
      // All steps that may fail come before the first change.
      const keys = readKeyRing(after.stateKeys, after.state.stateKey);
      const roles = changes.added.map((settings) => this.#parts.supervisor.made(settings));
      this.#parts.keys.renew(keys);
      this.#apply(after, changes, roles);
      this.#state = { readAtMs: clock.now(), problems: [] };
      const summary = summaryOf(changes);
      log.info(summary, "the configuration was read again");
      return { ...summary, problems: [] };
    } catch (error) {
      const problems = problemsOf(error);
      this.#state = { ...this.#state, problems };
      const err = error instanceof StartupError ? {} : { err: error };
      log.error({ problems, ...err }, "the configuration is not valid: the one from before holds on");
      return { ...NOTHING, problems };
    }
  }

  #read(): DaemonConfig {
    const { load, config } = this.#parts;
    const after = load();
    if (after.file === config.file && after.state.dir === config.state.dir) return after;
    throw new StartupError(
      "configuration",
      `the configuration ${config.file ?? ""} is no longer where it was`,
    );
  }

  #apply(
    after: DaemonConfig,
    { removed, changed, later }: ConfigChanges,
    added: readonly SupervisedRole[],
  ): void {
    const { config, supervisor, sessions, hibernations, log, applied } = this.#parts;
    // The parts hold these very objects, so they are changed in place.
    Object.assign(config.limits, after.limits);
    Object.assign(config.restart, after.restart);
    const { roles, log: logging, tokens, oidc, tls, stateKeys } = after;
    const peers = config.peers && { ...config.peers, tls: after.peers?.tls ?? config.peers.tls };
    const warnings = [...after.warnings, ...later.map((key) => `${key}: holds from the daemon's next start`)];
    Object.assign(config, {
      roles,
      log: logging,
      tokens,
      oidc,
      tls,
      stateKeys,
      ...(peers && { peers }),
      warnings,
    });
    log.level = logging.level;
    for (const name of removed) this.#remove(name);
    for (const role of added) this.#add(role);
    for (const { settings, restarts } of changed)
      supervisor.roles.get(settings.name)?.adopt(settings, restarts);
    for (const role of supervisor.roles.values()) {
      hibernations.adjust(role);
      role.credentials.forget();
    }
    supervisor.order(roles.map(({ name }) => name));
    sessions.limitsChanged(roles[0]?.name ?? "default");
    applied(config);
  }

  /** Sessions in the role are not moved. Their next call gets an error: no such role. */
  #remove(name: string): void {
    const { supervisor, hibernations, health, log } = this.#parts;
    hibernations.close(name);
    health.forget(name);
    supervisor.remove(name).catch((error: unknown) => {
      log.error({ err: error, role: name }, "a role that is no more did not end");
    });
  }

  #add(role: SupervisedRole): void {
    const { supervisor, hibernations, health } = this.#parts;
    this.#bringBack(role.name);
    supervisor.add(role);
    hibernations.open(role);
    health.report(role);
    if (role.settings.eager) role.startAhead();
  }

  /**
   * Marks sessions of an earlier role with this name as hibernated. Their next call restores their state and reports
   * it.
   */
  #bringBack(name: string): void {
    for (const { visits } of this.#parts.sessions.list())
      if (visits.has(name)) visits.set(name, { state: "INTERRUPTED", why: PUT_BACK });
  }
}

const PUT_BACK = "its role was taken out of the configuration and put back";

/** An unforeseen error does not end the daemon. It becomes a problem, and the current configuration stays. */
function problemsOf(error: unknown): string[] {
  if (error instanceof StartupError) return error.message.split("\n");
  const text = error instanceof Error ? error.message : String(error);
  return [`it cannot be applied: ${text}; see the daemon's log, and restart the daemon if this stays`];
}

function summaryOf({ added, removed, changed, applied, later }: ConfigChanges): Summary {
  return {
    added: added.map(({ name }) => name),
    removed,
    changed: changed.map(({ settings }) => settings.name),
    restarting: changed.filter(({ restarts }) => restarts).map(({ settings }) => settings.name),
    applied,
    later,
  };
}
