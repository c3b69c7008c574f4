// A connection's sessions: its own, and those that its calls name.
import { plainArguments } from "../../proto/calls/plain-arguments.ts";
import { type InSession, splitSession } from "../../proto/calls/session-argument.ts";
import type { Profile, Tool } from "../../proto/tools/read-tools.ts";
import type { Reply } from "../../proto/wire/reply.ts";
import { namedSessionId } from "../../proto/wire/session-name.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import type { Transfer } from "../files/with-files.ts";
import { Session, type SessionOptions } from "./session.ts";

/** Names a session beside the own one, and a role. */
export interface FilePlace {
  session?: string | undefined;
  role?: string | undefined;
}

interface Named {
  session: Session;
  callsUnderWay: number;
}

/** Beyond so many, the longest unused session ends. Sessions with calls under way stay. */
const NAMED_MAX = 1000;
const END_MS = 2000;

export class NamedSessions {
  /** The connection's own session, for calls that name none. */
  readonly own: Session;
  readonly #options: SessionOptions;
  readonly #namedMax: number;
  /** Sessions by name. The longest unused one comes first. */
  readonly #named = new Map<string, Named>();

  constructor(options: SessionOptions, namedMax: number = NAMED_MAX) {
    this.#options = options;
    this.#namedMax = namedMax;
    this.own = new Session(options);
  }

  get profile(): Profile {
    return this.own.profile;
  }

  /** Calls a tool as {@link Session.call} does, in the session that the arguments name. */
  async call(
    named: string | Tool,
    given: JsonObject,
    signal?: AbortSignal,
    requestId?: string,
  ): Promise<Reply> {
    const { session: name, args } = this.#split(plainArguments(given));
    if (name === undefined) return this.own.call(named, args, signal, requestId);
    const used = this.#take(name);
    try {
      return await used.session.call(named, args, signal, requestId);
    } finally {
      used.callsUnderWay--;
    }
  }

  /** Carries files of the session and role that are named, or of the connection's own session and its current role. */
  transfer({ session, role }: FilePlace, signal: AbortSignal): Transfer {
    if (session === undefined) return this.own.transfer(signal, role);
    const used = this.#take(session);
    used.callsUnderWay--;
    return used.session.transfer(signal, role);
  }

  /** Ends the sessions of this process in the daemon, which ends named ones with the connection's own. */
  async close(signal: AbortSignal): Promise<void> {
    const named = [...this.#named.values()].map(({ session }) => session);
    const isUsed = [this.own, ...named].some((session) => session.isUsed);
    await Promise.all(named.map((session) => session.close(signal)));
    await this.own.close(signal, isUsed);
  }

  /** The connection's own session refuses a wrong name, like any other wrong argument. */
  #split(args: JsonObject): InSession {
    try {
      return splitSession(args, this.own.id);
    } catch {
      return { session: undefined, args };
    }
  }

  /** Returns the session of that name, with one more call under way. */
  #take(name: string): Named {
    const taken = this.#named.get(name) ?? { session: this.#begun(name), callsUnderWay: 0 };
    taken.callsUnderWay++;
    this.#named.delete(name);
    this.#named.set(name, taken);
    this.#keepBound();
    return taken;
  }

  #begun(name: string): Session {
    const { own } = this;
    return new Session({
      ...this.#options,
      id: namedSessionId(own.id, name),
      name,
      own: false,
      // One stream holds all: the daemon ends named sessions with the connection's own.
      hold: { keep: (connection) => own.hold(connection), release: () => undefined },
    });
  }

  #keepBound(): void {
    if (this.#named.size <= this.#namedMax) return;
    const idle = [...this.#named].filter(([, { callsUnderWay }]) => callsUnderWay === 0);
    // A session that the daemon never had loses nothing.
    const [name, over] = idle.find(([, { session }]) => !session.isUsed) ?? idle[0] ?? [];
    if (name === undefined || over === undefined) return;
    this.#named.delete(name);
    // If the daemon cannot be asked, the session ends by itself when it is unused for long.
    if (over.session.isUsed) over.session.end(AbortSignal.timeout(END_MS)).catch(() => undefined);
  }
}
