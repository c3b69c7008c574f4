// A call of a tool that this client has not, over HTTP: accounted for as such calls are at the other doors.
import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { REFUSED_WITH } from "../../proto/calls/client-refusal.ts";
import { isTroupeError } from "../../proto/errors/catalogue.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import { callerOf } from "../admission/caller.ts";
import type { Client } from "../admission/client.ts";
import type { Rates } from "../admission/rate.ts";
import { rolesOf } from "../admission/rights.ts";
import { accountForRefusal, type RefusalParts } from "../calls/client-refusal.ts";
import { Problem } from "./problem.ts";
import { metadataOf } from "./rest-call.ts";

/** What accounts are kept with. */
export type AccountParts = RefusalParts & { rates: Rates };

/** Accounts for a refusal of the call, where the request names its session as a call must. */
export function accountFor(
  parts: AccountParts,
  request: FastifyRequest,
  { name, args, client }: { name: string; args: JsonObject; client: Client },
): Problem["account"] {
  return ({ type: given, steps }) => {
    const type = REFUSED_WITH.find((each) => each === given);
    if (!type) return false;
    // By the tool that the plan ends with, its caller gets over it.
    const tool = steps.at(-1)?.tool ?? "";
    const digest = createHash("sha256")
      .update(JSON.stringify([name, args]))
      .digest("base64");
    try {
      const caller = callerOf(metadataOf(request), client);
      const [firstRole] = rolesOf(client, parts.supervisor.names);
      accountForRefusal(parts, { type, tool, digest }, caller, request.id, firstRole);
      return true;
    } catch (error) {
      // It is answered with what is wrong with the tool; the headers' turn comes with its next call.
      if (isTroupeError(error) || error instanceof Problem) return false;
      throw error;
    }
  };
}
