// Records an HTTP call of a tool that the client does not have, as the other doors record it.
import type { FastifyRequest } from "fastify";
import { isTroupeError } from "../../proto/errors/catalogue.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import { callerOf } from "../admission/caller.ts";
import type { Client } from "../admission/client.ts";
import type { Rates } from "../admission/rate.ts";
import { rolesOf } from "../admission/rights.ts";
import { accountForRefusal, type RefusalParts } from "../calls/client-refusal.ts";
import { Problem } from "./problem.ts";
import { metadataOf } from "./rest-call.ts";

export type AccountParts = RefusalParts & { rates: Rates };

/** Makes the function that records the refused call, if the request names its session as a call must. */
export function accountFor(
  parts: AccountParts,
  request: FastifyRequest,
  { name, args, client }: { name: string; args: JsonObject; client: Client },
): Problem["account"] {
  return (error) => {
    if (error.type !== "UNKNOWN_TOOL") return false;
    try {
      const caller = callerOf(metadataOf(request), client);
      const [firstRole] = rolesOf(client, parts.supervisor.names);
      accountForRefusal(parts, { name, args, error }, caller, request.id, firstRole);
      return true;
    } catch (unfit) {
      // The answer is about the tool. The headers are checked with the next call.
      if (isTroupeError(unfit) || unfit instanceof Problem) return false;
      throw unfit;
    }
  };
}
