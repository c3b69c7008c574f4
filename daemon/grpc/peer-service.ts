// The service troupe.v1.Peer: the links and turns of persons here, for pages that reached another daemon.
import type {
  ServerDuplexStream,
  ServerUnaryCall,
  sendUnaryData,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import type { Input, PeerMethods } from "../../proto/gen/troupe.ts";
import type { TakeOvers } from "../takeover/take-overs.ts";

type OpenRequest = PeerMethods["OpenTurn"]["request"];
type OpenResponse = Input<PeerMethods["OpenTurn"]["response"]>;
type JoinRequest = PeerMethods["JoinTurn"]["request"];
type JoinResponse = Input<PeerMethods["JoinTurn"]["response"]>;

/** Makes the gRPC service. Only other daemons reach it. */
export function peerService(takeOvers: TakeOvers): UntypedServiceImplementation {
  return {
    OpenTurn: ({ request }: ServerUnaryCall<OpenRequest, OpenResponse>, reply: sendUnaryData<OpenResponse>) =>
      reply(null, opened(takeOvers, request)),
    JoinTurn: (call: ServerDuplexStream<JoinRequest, JoinResponse>) =>
      void call.once("data", ({ turn }: JoinRequest) => join(takeOvers, turn, call)),
  };
}

function opened(takeOvers: TakeOvers, { token, turn }: OpenRequest): OpenResponse {
  if (turn) return { state: takeOvers.standing(turn.id, turn.secret) ?? "" };
  const found = takeOvers.open(token);
  if (found.state !== "opened") return found;
  const { state, id, secret } = found;
  return { state, turn: { id, secret } };
}

function join(
  takeOvers: TakeOvers,
  turn: JoinRequest["turn"],
  call: ServerDuplexStream<JoinRequest, JoinResponse>,
): void {
  const found = turn && takeOvers.withSecret(turn.id, turn.secret);
  if (!found) return void call.end();
  const disconnect = found.connect({
    show: (output) => void call.write({ output }),
    over(why) {
      call.write({ over: why });
      call.end();
    },
    broke: () => call.end(),
  });
  call.on("data", ({ input, handBack }: JoinRequest) => {
    if (handBack) found.end("handed-back");
    else if (input) found.take(input);
  });
  for (const end of ["end", "cancelled", "error"]) call.once(end, disconnect);
}
