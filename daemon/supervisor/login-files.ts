// Watches the roles' login files. Later sessions get the newer login, and a role that waits for its login starts.
import { type FSWatcher, watch } from "node:fs";
import path from "node:path";
import type { Alarm, Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { SupervisedRole } from "./supervised-role.ts";
import type { Supervisor } from "./supervisor.ts";

/** A file that is being written causes several events. */
const SETTLED_MS = 200;

/** Watches the files' folders, because programs replace a file by another of the same name. */
export class LoginFiles implements Disposable {
  readonly #supervisor: Supervisor;
  readonly #clock: Clock;
  readonly #log: Log;
  /** By folder. */
  readonly #watchers = new Map<string, FSWatcher>();
  /** By role. */
  readonly #settling = new Map<string, Alarm>();

  constructor({ supervisor, clock, log }: { supervisor: Supervisor; clock: Clock; log: Log }) {
    this.#supervisor = supervisor;
    this.#clock = clock;
    this.#log = log;
  }

  /** Watches the files that the roles' settings name now. */
  watch(): void {
    const wanted = new Set(this.#withLogin().map(({ file }) => path.dirname(file)));
    for (const [folder, watcher] of this.#watchers) if (!wanted.has(folder)) this.#unwatch(folder, watcher);
    for (const folder of wanted) if (!this.#watchers.has(folder)) this.#watch(folder);
  }

  [Symbol.dispose](): void {
    for (const [folder, watcher] of this.#watchers) this.#unwatch(folder, watcher);
    for (const alarm of this.#settling.values()) alarm.cancel();
  }

  #withLogin(): { role: SupervisedRole; file: string }[] {
    return [...this.#supervisor.roles.values()].flatMap((role) =>
      role.settings.auth ? [{ role, file: role.settings.auth.file }] : [],
    );
  }

  /** Logs once that a folder is missing or cannot be watched. Logins in it are read when sessions need them. */
  #watch(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => this.#changed(folder, name));
      watcher.on("error", (error) => {
        this.#log.warn({ folder, err: error }, "a folder with logins is watched no more");
        this.#unwatch(folder, watcher);
      });
      this.#watchers.set(folder, watcher);
    } catch (error) {
      this.#log.warn({ folder, err: error }, "a folder with logins cannot be watched");
    }
  }

  #unwatch(folder: string, watcher: FSWatcher): void {
    watcher.close();
    this.#watchers.delete(folder);
  }

  #changed(folder: string, name: string | null): void {
    for (const { role, file } of this.#withLogin()) {
      if (path.dirname(file) !== folder || (name !== null && path.basename(file) !== name)) continue;
      this.#settling.get(role.name)?.cancel();
      this.#settling.set(
        role.name,
        this.#clock.after(SETTLED_MS, () => this.#report(role)),
      );
    }
  }

  #report(role: SupervisedRole): void {
    this.#settling.delete(role.name);
    this.#log.info({ role: role.name }, "the login's file has changed");
    role.loginChanged().catch((error: unknown) => {
      this.#log.warn({ err: error, role: role.name }, "a worker did not read its login again");
    });
  }
}
