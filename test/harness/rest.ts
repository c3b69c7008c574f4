// A client of the REST door that sends exactly the headers and bytes of a test.
import { readFileSync } from "node:fs";
import { request } from "node:http";
import type { ErrorDetail } from "../../proto/errors/catalogue.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";

export interface RestReply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  json: RestJson;
}

/** An answer, or a problem. */
export interface RestJson {
  success?: boolean;
  text: string;
  data?: JsonObject;
  page?: JsonObject;
  error?: ErrorDetail;
  type?: string;
  title?: string;
  status?: number;
  detail?: string;
}

export interface RestRequest {
  method?: string;
  /** A header with the value undefined is not sent. */
  headers?: Record<string, string | undefined>;
  body?: string | Buffer;
  signal?: AbortSignal;
}

export interface Rest {
  token: string;
  send(path: string, request?: RestRequest): Promise<RestReply>;
  /** Calls a tool in session `rest`. */
  call(tool: string, args?: unknown, request?: RestRequest): Promise<RestReply>;
}

/** Makes a client for the daemon with that HTTP address and token file. */
export function restClient(address: string, tokenFile: string): Rest {
  const token = readFileSync(tokenFile, "utf8").trim();
  const send = (path: string, { headers = {}, ...rest }: RestRequest = {}) =>
    exchange(new URL(path, address), { ...rest, headers: { authorization: `Bearer ${token}`, ...headers } });
  return {
    token,
    send,
    call: (tool, args = {}, { headers = {}, ...rest } = {}) =>
      send(`/v1/tools/${tool}`, {
        method: "POST",
        body: JSON.stringify(args),
        ...rest,
        headers: { "x-troupe-session": "rest", "content-type": "application/json", ...headers },
      }),
  };
}

function exchange(url: URL, { method, headers = {}, body, signal }: RestRequest): Promise<RestReply> {
  const { promise, resolve, reject } = Promise.withResolvers<RestReply>();
  const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  const sent = request(url, {
    method: method ?? "GET",
    headers: given,
    agent: false,
    ...(signal && { signal }),
  });
  sent.on("response", (response) => {
    const chunks: Buffer[] = [];
    response.on("data", (chunk: Buffer) => chunks.push(chunk));
    response.on("error", reject);
    response.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const isJson = /json/.test(response.headers["content-type"] ?? "");
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: text,
        json: isJson && text ? JSON.parse(text) : { text },
      });
    });
  });
  sent.on("error", reject);
  sent.end(body);
  return promise;
}
