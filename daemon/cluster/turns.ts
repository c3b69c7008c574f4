// The turns of persons in all daemons. A proxy brings a person's page to any of them, and one has the session.
import type { ClientDuplexStream, Client as GrpcClient } from "@grpc/grpc-js";
import type { Input, PeerMethods } from "../../proto/gen/troupe.ts";
import type { Clock } from "../core/clock.ts";
import { KeyedCount } from "../core/keyed-count.ts";
import { isUnmarked } from "../takeover/links.ts";
import type { PersonsTurn, TurnEnd } from "../takeover/take-over.ts";
import type { Opened, TakeOvers, TurnStanding } from "../takeover/take-overs.ts";
import type { Cluster } from "./cluster.ts";
import { methodOf, unaryOf } from "./peer-control.ts";

type Asked = Input<PeerMethods["OpenTurn"]["request"]>;
type Answer = PeerMethods["OpenTurn"]["response"];
type Out = Input<PeerMethods["JoinTurn"]["request"]>;
type In = PeerMethods["JoinTurn"]["response"];

/** No more questions are asked at once of one daemon, and of all together. Anybody may cause those to all. */
const ASKING_MAX = 32;
/** The secret of a turn, as earlier versions made it. */
const UNMARKED_SECRET = /^[\w-]{43}$/;
const ALL = "all daemons";

/** Not every daemon has answered, and the others do not know it. */
interface Unreachable {
  state: "unavailable";
  why: "unreachable";
}

/** `isWhole`: each daemon that was asked has answered. */
interface Answered {
  answers: { peer: GrpcClient; answer: Answer }[];
  isWhole: boolean;
}

const UNREACHABLE: Unreachable = { state: "unavailable", why: "unreachable" };

/** The links and turns of persons, here and in the other daemons. */
export class Turns {
  readonly #own: TakeOvers;
  readonly #cluster: Cluster | undefined;
  readonly #clock: Clock;
  /** The questions under way, by the daemon that is asked. */
  readonly #asking = new KeyedCount();

  /** `cluster`: the other daemons; undefined if this one is alone. */
  constructor(own: TakeOvers, cluster: Cluster | undefined, clock: Clock) {
    this.#own = own;
    this.#cluster = cluster;
    this.#clock = clock;
  }

  /** A page may connect here though its link was opened at another daemon. */
  get mayBeElsewhere(): boolean {
    return this.#cluster !== undefined;
  }

  /** Opens a link at the daemon that made it, which begins the person's turn. */
  async open(token: string): Promise<Opened | Unreachable> {
    const own = this.#own.open(token);
    if (!isUnknown(own)) return own;
    const { answers, isWhole } = await this.#ask({ token }, this.#whom(token, isUnmarked(token)));
    const found = answers.map(({ answer }) => openedIn(answer)).find((each) => !isUnknown(each));
    return found ?? (isWhole ? own : UNREACHABLE);
  }

  /** Returns how the turn of that id stands if the secret is its person's. */
  async standing(id: string, secret: string): Promise<TurnStanding | "unreachable"> {
    const own = this.#own.standing(id, secret);
    if (own) return own;
    const { answers, isWhole } = await this.#askTurn(id, secret);
    const found = answers.find(({ answer }) => answer.state !== "");
    return found ? (found.answer.state as TurnStanding) : isWhole ? undefined : "unreachable";
  }

  /** Returns the turn of that id if the secret is its person's. */
  async withSecret(id: string, secret: string): Promise<PersonsTurn | undefined> {
    const own = this.#own.withSecret(id, secret);
    if (own) return own;
    const { answers } = await this.#askTurn(id, secret);
    const found = answers.find(({ answer }) => answer.state === "running");
    return found && turnAt(found.peer, id, secret);
  }

  #askTurn(id: string, secret: string): Promise<Answered> {
    return this.#ask({ turn: { id, secret } }, this.#whom(secret, UNMARKED_SECRET.test(secret)));
  }

  /** Returns the daemon to ask about a secret. Only one of an earlier version may be any daemon's. */
  #whom(secret: string, isUnmarkedOne: boolean): string | undefined {
    return this.#own.makerOf(secret) ?? (isUnmarkedOne ? ALL : undefined);
  }

  /** Asks the other daemons, or one of them. */
  async #ask(request: Asked, whom: string | undefined): Promise<Answered> {
    if (!this.#cluster || whom === undefined) return { answers: [], isWhole: true };
    if (this.#asking.of(whom) >= ASKING_MAX) return { answers: [], isWhole: false };
    using _asking = this.#asking.add(whom);
    const method = methodOf("Peer", "OpenTurn");
    const ask = async (peer: GrpcClient) => ({
      peer,
      answer: await unaryOf<Answer>(peer, method, { request }, this.#clock),
    });
    const only = whom === ALL ? undefined : whom;
    const { replies, failures } = await this.#cluster.others.askReachable(ask, only);
    return { answers: replies, isWhole: failures.length === 0 };
  }
}

function openedIn({ state, why, sinceMs, turn }: Answer): Opened {
  if (state === "opened") return { state, id: turn?.id ?? "", secret: turn?.secret ?? "" };
  if (state === "taken") return { state, sinceMs };
  return { state: "invalid", why: why === "used" ? "used" : "unknown" };
}

function isUnknown(opened: Opened): boolean {
  return opened.state === "invalid" && opened.why === "unknown";
}

/** The turn at its daemon. It is joined when a page connects, which hears of its end, or of the connection's. */
function turnAt(peer: GrpcClient, id: string, secret: string): PersonsTurn {
  const { path, requestSerialize, responseDeserialize } = methodOf("Peer", "JoinTurn");
  let stream: ClientDuplexStream<Out, In> | undefined;
  return {
    connect(page) {
      const joined = peer.makeBidiStreamRequest(
        path,
        requestSerialize,
        responseDeserialize,
      ) as unknown as ClientDuplexStream<Out, In>;
      stream = joined;
      joined.on("data", ({ output, over }: In) => {
        if (over) page.over(over as TurnEnd);
        else if (output) page.show(output);
      });
      joined.on("end", () => page.broke());
      joined.on("error", () => page.broke());
      joined.write({ turn: { id, secret } });
      return () => joined.cancel();
    },
    take: (input) => void stream?.write({ input }),
    end: () => void stream?.write({ handBack: true }),
  };
}
