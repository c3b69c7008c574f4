// The persons at work: the links that lead them to sessions, and their turns.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { isTroupeError, type TroupeError } from "../../proto/errors/catalogue.ts";
import { keepNewest } from "../../proto/machine/newest.ts";
import type { Admission } from "../admission/admission.ts";
import { clientOf, sessionOf } from "../admission/client.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Session } from "../sessions/session.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { SupervisedRole } from "../supervisor/supervised-role.ts";
import type { Supervisor } from "../supervisor/supervisor.ts";
import { type Asked, AskedPersons } from "./asked-persons.ts";
import { checkMaker } from "./check-maker.ts";
import { type Invitation, LINK_MS, Links, type Place } from "./links.ts";
import type { MakerMarks } from "./maker-marks.ts";
import type { KeptSessions } from "./persons-worker.ts";
import { TakeOver, type TurnEnd } from "./take-over.ts";

const SECRET_BYTES = 32;
const ID_BYTES = 8;
/** The pages of so many turns can be loaded again, and say why their turn is over. */
const OVER_MAX = 1_000;

export interface TakeOversParts {
  supervisor: Pick<Supervisor, "roles" | "names">;
  sessions: Pick<Sessions, "of" | "begin">;
  admission: Pick<Admission, "again" | "watchOver">;
  kept: KeptSessions;
  /** Signs the links. */
  key: Buffer;
  /** Marks the secrets of links and turns for the other daemons; undefined without any. */
  marks: MakerMarks | undefined;
  settings: { timeout: number; grace: number };
  clock: Clock;
  log: Log;
}

/** The answer to a person who opens a link. `secret`: the value of the page's cookie. */
export type Opened =
  | { state: "opened"; id: string; secret: string }
  /** `used`: the link was opened before. `unknown`: it has ended, or was never made. */
  | { state: "invalid"; why: "used" | "unknown" }
  /** Another person is at work, since then. The link can still be opened later. */
  | { state: "taken"; sinceMs: number };

/** How a turn stands: it runs, or why it has ended; undefined if it is not known here. */
export type TurnStanding = "running" | TurnEnd | undefined;

interface Turn {
  takeOver: TakeOver;
  /** From the link that it began with. */
  invitation: Invitation;
  secretHash: Buffer;
}

/** All turns of persons. Its disposal hands all sessions back. */
export class TakeOvers implements Disposable {
  readonly #parts: TakeOversParts;
  readonly #links: Links;
  readonly #asked: AskedPersons;
  readonly #turns = new Map<string, Turn>();
  readonly #over = new Map<string, { secretHash: Buffer; why: TurnEnd }>();
  readonly #unwatch: () => void;

  constructor(parts: TakeOversParts) {
    const { admission, log } = parts;
    this.#parts = parts;
    this.#links = new Links(parts.key, parts.clock);
    this.#asked = new AskedPersons(parts.clock);
    this.#unwatch = admission.watchOver(
      () => this.#lookAgain(),
      (error) =>
        log.error({ err: error }, "links and take-overs no longer follow the rights of their makers"),
    );
  }

  /** Makes a link. Returns its secret part and its end. */
  invite(invitation: Invitation): { token: string; endsAtMs: number } {
    const { clock, log } = this.#parts;
    log.info(aboutOf(invitation), "a link to take a session over is made");
    return { token: this.#marked(this.#links.make(invitation)), endsAtMs: clock.now() + LINK_MS };
  }

  /** Makes a link for an agent that asks for a person, and notes that it waits. */
  ask(invitation: Invitation, why: string): ReturnType<TakeOvers["invite"]> {
    this.#asked.add(invitation, why);
    return this.invite(invitation);
  }

  /** The agents that wait for a person. */
  get asked(): Asked[] {
    return this.#asked.list((place) => this.#parts.sessions.of(place) !== undefined);
  }

  /** Opens a link, which begins the person's turn. */
  open(token: string): Opened {
    const known = this.#links.find(token);
    if (!known) return { state: "invalid", why: "unknown" };
    const { sessions, supervisor } = this.#parts;
    const { invitation } = known;
    const session = sessions.of(invitation);
    const role = supervisor.roles.get(invitation.role);
    if (known.state === "used") return this.#refused(token, invitation, { state: "invalid", why: "used" });
    if (!session || !role || !this.#holds(invitation))
      return this.#refused(token, invitation, { state: "invalid", why: "unknown" });
    const other = this.at(invitation);
    if (other) return this.#refused(token, invitation, { state: "taken", sinceMs: other.startedAtMs });
    this.#links.use(token);
    this.#asked.end(invitation);
    const id = randomBytes(ID_BYTES).toString("hex");
    const secret = this.#marked(randomBytes(SECRET_BYTES).toString("base64url"));
    const takeOver = this.#begin(id, invitation, session, role);
    this.#turns.set(id, { takeOver, invitation, secretHash: hashOf(secret) });
    return { state: "opened", id, secret };
  }

  /** Returns how the turn of that id stands if the secret is its person's. The newest ended turns are known, too. */
  standing(id: string, secret: string): TurnStanding {
    if (this.withSecret(id, secret)) return "running";
    const over = this.#over.get(id);
    return over && timingSafeEqual(over.secretHash, hashOf(secret)) ? over.why : undefined;
  }

  /** Returns the turn of that id if the secret is its person's. */
  withSecret(id: string, secret: string): TakeOver | undefined {
    const turn = this.#turns.get(id);
    return turn && timingSafeEqual(turn.secretHash, hashOf(secret)) ? turn.takeOver : undefined;
  }

  /** Returns the incarnation of the daemon that made the secret of a link or a turn, if it has a mark that is right. */
  makerOf(secret: string): string | undefined {
    return this.#parts.marks?.makerOf(secret);
  }

  /** Returns the turn of the person who is at work there. */
  at({ key, role }: Place): TakeOver | undefined {
    const turns = [...this.#turns.values()].map(({ takeOver }) => takeOver);
    return turns.find((each) => each.session.key === key && each.role === role);
  }

  [Symbol.dispose](): void {
    this.#unwatch();
    for (const { takeOver } of this.#turns.values()) takeOver.end("daemon");
  }

  /** A client that loses its right or the role loses its links, and the turns that began with them. */
  #lookAgain(): void {
    this.#links.keepIf((invitation) => this.#holds(invitation));
    for (const { takeOver, invitation } of [...this.#turns.values()])
      if (!this.#holds(invitation)) takeOver.end("rights");
  }

  #marked(secret: string): string {
    return this.#parts.marks?.mark(secret) ?? secret;
  }

  #refused<T extends Opened>(token: string, invitation: Invitation, answer: T): T {
    const { state } = answer;
    if (this.#links.refused(token))
      this.#parts.log.info(
        { ...aboutOf(invitation), why: "why" in answer ? answer.why : state },
        "a link to take a session over is refused",
      );
    return answer;
  }

  #holds(invitation: Invitation): boolean {
    const { admission, supervisor, log } = this.#parts;
    try {
      checkMaker(invitation, admission, supervisor.names);
      return true;
    } catch (error) {
      if (!isTroupeError(error)) throw error;
      log.info(
        { ...aboutOf(invitation), type: error.type, reason: reasonOf(error) },
        "a link to take a session over does not hold any more",
      );
      return false;
    }
  }

  #begin(id: string, invitation: Invitation, session: Session, role: SupervisedRole): TakeOver {
    const { sessions, settings, clock, log } = this.#parts;
    const about = aboutOf(invitation);
    const unused = sessions.begin(session);
    log.info(about, "a person takes a session over");
    const ended = (why: TurnEnd) => {
      const secretHash = this.#turns.get(id)?.secretHash;
      this.#turns.delete(id);
      if (secretHash) keepNewest(this.#over, id, { secretHash, why }, OVER_MAX);
      unused();
      log.info(
        { ...about, why, ms: Math.round(clock.now() - takeOver.startedAtMs) },
        "a session is handed back",
      );
    };
    const times = { timeMs: settings.timeout, graceMs: settings.grace };
    const takeOver = new TakeOver({ ...this.#parts, ...times, session, role, ended });
    return takeOver;
  }
}

/** Names the session, its client, and the client that made the link. */
function aboutOf({ key, role, maker }: Invitation) {
  return { session: sessionOf(key), client: clientOf(key), role, by: maker.name };
}

function reasonOf({ data }: TroupeError): string {
  return ("reason" in data && data.reason) || "";
}

function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
