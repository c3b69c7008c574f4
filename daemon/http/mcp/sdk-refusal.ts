// Gives the SDK's refusals of whole requests the form of Troupe's own. Their codes and their words stay.
import { isObject } from "../../../proto/wire/struct.ts";
import { type Id, RpcProblem, wrong } from "./rpc-problem.ts";

/**
 * Returns an answer that is no refusal, or one with data that the protocol defines. Throws an RpcProblem for any other
 * refusal.
 */
export async function explained(response: Response): Promise<Response> {
  if (response.status < 400 || response.status >= 500 || !isJson(response)) return response;
  const { error, id } = (await response.clone().json()) as { error?: unknown; id?: Id };
  if (!isObject(error) || "data" in error) return response;
  const { argument, hint } = BY_STATUS[response.status] ?? ANY;
  const problem = String(error.message).replace(/\.$/, "");
  throw new RpcProblem(response.status, Number(error.code), wrong(argument, problem, hint), id);
}

function isJson({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("application/json") === true;
}

const ANY = { argument: "request", hint: "as the MCP specification has it" };
const BY_STATUS: Readonly<Record<number, typeof ANY>> = {
  406: { argument: "accept", hint: "with the header Accept: application/json, text/event-stream" },
  409: { argument: "stream", hint: "after the open stream of this kind has been closed; a session has one" },
};
