// Serves the worker's TakeOver: one stream for each person at work.
import type { ServerDuplexStream, ServiceError } from "@grpc/grpc-js";
import { fail } from "../../proto/errors/catalogue.ts";
import type { Input, WorkerTakeOverRequest, WorkerTakeOverResponse } from "../../proto/gen/troupe.ts";
import { TakeOver } from "../person/take-over.ts";
import type { Role } from "../role/role.ts";
import type { Redactor } from "../secrets/redactor.ts";

type Stream = ServerDuplexStream<WorkerTakeOverRequest, Input<WorkerTakeOverResponse>>;

export interface TakeOverService {
  role(): Role;
  redactor: Redactor;
  /** Turns any error into the status for the daemon. */
  statusOf(error: unknown): Partial<ServiceError>;
}

/** Begins with the stream's first message. The end of the daemon's side hands the session back. */
export function takingOver(service: TakeOverService) {
  return (stream: Stream): void => {
    let running: TakeOver | undefined;
    let isOver = false;
    /** The size of the person's view, if it comes before the session is found. */
    let view: WorkerTakeOverRequest | undefined;
    const end = () => {
      isOver = true;
      running?.end();
    };
    const begin = async ({ begin }: WorkerTakeOverRequest) => {
      if (!begin) throw fail("INVALID_ARGUMENT", { argument: "begin", problem: "begin comes first" });
      const role = service.role();
      const session = await role.sessions.of(begin.key);
      running = new TakeOver({
        role: role.config.name,
        session,
        redactor: service.redactor,
        timeMs: begin.timeMs,
        send: (output) => void (stream.cancelled || stream.write(output)),
      });
      if (view) running.take(view);
      if (!isOver) await running.run();
    };
    stream.once("data", (first: WorkerTakeOverRequest) => {
      stream.on("data", (input: WorkerTakeOverRequest) => {
        if (running) running.take(input);
        else if (input.view) view = input;
      });
      begin(first).then(
        () => stream.end(),
        (error: unknown) => stream.emit("error", service.statusOf(error)),
      );
    });
    stream.on("end", end);
    stream.on("cancelled", end);
  };
}
