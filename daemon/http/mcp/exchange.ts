// One HTTP request to the MCP door, with the facts that its calls need.
import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { REQUEST_ID } from "../../../proto/wire/metadata.ts";
import type { Client } from "../../admission/client.ts";
import { GONE } from "../../calls/in-flight-call.ts";

export interface Exchange {
  request: FastifyRequest;
  client: Client;
  /** The request's id in replies and in the log, if the client gave one. */
  givenId: string | undefined;
  /** Aborted when the client drops the connection before it has the whole answer. */
  dropped: AbortSignal;
  isSent(): boolean;
  response: ServerResponse;
  /** The same request for the SDK, without its body. */
  web: Request;
}

export function exchangeOf(
  request: FastifyRequest,
  { raw: response }: FastifyReply,
  client: Client,
): Exchange {
  const gone = new AbortController();
  const isSent = () => response.writableFinished;
  response.once("close", () => {
    if (!isSent()) gone.abort(GONE);
  });
  if (response.destroyed) gone.abort(GONE);
  const dropped = gone.signal;
  const given = request.headers[REQUEST_ID];
  const givenId = given === request.id ? given : undefined;
  return { request, client, givenId, dropped, isSent, response, web: webRequest(request, dropped) };
}

function webRequest({ method, url, headers: given }: FastifyRequest, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    for (const each of [value ?? []].flat()) headers.append(name, each);
  }
  // Neither the host nor the query matters to the SDK.
  return new Request(new URL(url.split("?")[0] ?? "/", "http://localhost"), { method, headers, signal });
}
