// Asks the other daemons of the database, and says which of them gave no answer.
import type { Client as GrpcClient, ServiceError } from "@grpc/grpc-js";
import { fromStatus } from "../../proto/errors/status.ts";
import type { ControlMethods, Input } from "../../proto/gen/troupe.ts";
import type { Client } from "../admission/client.ts";
import type { Clock } from "../core/clock.ts";
import { ownerUnreached } from "../sessions/unavailable.ts";
import { isFromOther } from "./meant-daemon.ts";
import type { Membership, Pod } from "./membership.ts";
import { askPeer, type ControlReply, type PeerRpc } from "./peer-control.ts";
import type { PeerLinks } from "./peer-links.ts";
import type { SessionRouter } from "./session-router.ts";

export interface OtherDaemonsParts {
  membership: Membership;
  /** Undefined without a door for the other daemons. */
  links: PeerLinks | undefined;
  router: Pick<SessionRouter, "hasEnded">;
  clock: Clock;
}

/** The replies of the other daemons, and the errors of those that gave no reply. */
export interface Answers<T> {
  replies: T[];
  failures: unknown[];
  /** The incarnations of the daemons that gave none. */
  silent: string[];
}

/** A daemon that was not asked. `replaced`: another one answers at its address, and has begun nothing. */
interface Unasked {
  why: "unreachable" | "replaced";
}

/** The other daemons, as this one asks them. `othersUntilMs`: the latest answer, in milliseconds since the epoch. */
export class OtherDaemons {
  readonly #parts: OtherDaemonsParts;

  constructor(parts: OtherDaemonsParts) {
    this.#parts = parts;
  }

  /** Asks the control planes of all other daemons. */
  async askAll<M extends PeerRpc>(
    rpc: M,
    request: Input<ControlMethods[M]["request"]>,
    client: Client,
    othersUntilMs?: number,
  ): Promise<Answers<ControlReply<M>>> {
    const { membership, router, clock } = this.#parts;
    // A daemon may have come since the last reading.
    await membership.refresh();
    return await this.#askEach(
      membership.others,
      (peer) => askPeer(peer, { rpc, request, client, othersUntilMs }, clock),
      (pod, why) => router.hasEnded(pod, why),
    );
  }

  /**
   * Asks the control plane of one other daemon. Resolves with undefined if that daemon has ended. Rejects with its
   * ServiceError, or with STORE_UNAVAILABLE if it cannot be reached.
   */
  async askOwner<M extends PeerRpc>(
    owner: string,
    rpc: M,
    request: Input<ControlMethods[M]["request"]>,
    client: Client,
    othersUntilMs?: number,
  ): Promise<ControlReply<M> | undefined> {
    const { membership, router, clock } = this.#parts;
    if (!membership.living(owner)) await membership.refresh();
    const pod = membership.living(owner);
    if (!pod) return undefined;
    const question = { rpc, request, client, othersUntilMs };
    const outcome = await this.#ask(pod, (peer) => askPeer(peer, question, clock));
    if ("reply" in outcome) return outcome.reply;
    if (await router.hasEnded(pod, outcome.why)) return undefined;
    throw ownerUnreached();
  }

  /**
   * Asks the other daemons that answer, or only the one of that incarnation. It costs the database nothing, because
   * anybody can cause it.
   */
  async askReachable<T>(ask: (peer: GrpcClient) => Promise<T>, only?: string): Promise<Answers<T>> {
    const { others } = this.#parts.membership;
    const meant = only === undefined ? others : others.filter(({ incarnation }) => incarnation === only);
    return await this.#askEach(meant, ask, () => Promise.resolve(false));
  }

  async #askEach<T>(
    pods: readonly Pod[],
    ask: (peer: GrpcClient) => Promise<T>,
    hasEnded: (pod: Pod, why: Unasked["why"]) => Promise<boolean>,
  ): Promise<Answers<T>> {
    const asked = pods.map(async (pod) => {
      const outcome = await this.#ask(pod, ask);
      if ("reply" in outcome) return outcome.reply;
      if (await hasEnded(pod, outcome.why)) return undefined;
      throw new Error(`${pod.name} cannot be reached`);
    });
    const settled = await Promise.allSettled(asked);
    return {
      replies: settled.flatMap((each) => (each.status === "fulfilled" && each.value ? [each.value] : [])),
      failures: settled.flatMap((each) => (each.status === "rejected" ? [each.reason] : [])),
      silent: pods.filter((_pod, index) => isSilent(settled[index])).map(({ incarnation }) => incarnation),
    };
  }

  /** Asks one other daemon. Rejects with its ServiceError. */
  async #ask<T>(pod: Pod, ask: (peer: GrpcClient) => Promise<T>): Promise<{ reply: T } | Unasked> {
    const { membership, links } = this.#parts;
    const peer = membership.isSuspect(pod) ? undefined : await links?.reach(pod);
    if (!peer) return { why: "unreachable" };
    try {
      return { reply: await ask(peer) };
    } catch (error) {
      if (isFromOther(error as ServiceError)) return { why: "replaced" };
      throw error;
    }
  }
}

/** A daemon that answers with an error is not silent. */
function isSilent(outcome: PromiseSettledResult<unknown> | undefined): boolean {
  if (outcome?.status !== "rejected") return false;
  return fromStatus(outcome.reason as ServiceError) === undefined;
}
