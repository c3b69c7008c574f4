// Sends errors across gRPC: ErrorDetail becomes a status with details in its trailers (google.rpc.Status, AIP-193).
import { Metadata, type StatusObject } from "@grpc/grpc-js";
import { cut } from "../text/quote.ts";
import { STATUS_DETAILS } from "../wire/metadata.ts";
import { encode, messageType } from "../wire/schema.ts";
import { type JsonObject, toStruct } from "../wire/struct.ts";
import {
  catalogue,
  type ErrorData,
  type ErrorDetail,
  type ErrorEntry,
  type ErrorType,
  GRPC_CODE,
} from "./catalogue.ts";
import { ANY_PREFIX } from "./status-detail.ts";

export { fromStatus } from "./status-detail.ts";

const DOMAIN = "troupe.dev";
const FLAT_LENGTH_MAX = 100;
/** In characters. Percent-encoded, each can take nine bytes. */
const MESSAGE_LENGTH_MAX = 300;

/** Returns the gRPC status of an error, with google.rpc.Status in its trailers. */
export function toStatus(detail: ErrorDetail): StatusObject {
  const code = GRPC_CODE[codeOf(detail)];
  const status = {
    code,
    message: detail.message,
    details: detailsOf(detail).map(([type, value]) => pack(type, value)),
  };
  const metadata = new Metadata();
  metadata.set(STATUS_DETAILS, encode(messageType("google.rpc.Status"), status));
  return { code, details: singleLine(detail.message), metadata };
}

function toWire(detail: ErrorDetail): object {
  return {
    ...detail,
    details: toStruct(detail.details),
    steps: detail.steps.map((step) => ({ ...step, arguments: step.arguments && toStruct(step.arguments) })),
  };
}

function detailsOf(detail: ErrorDetail): [type: string, value: object][] {
  const subject = String(detail.details.ref ?? detail.details.tab ?? detail.details.url ?? detail.role);
  const all: [string, object | false | undefined][] = [
    ["google.rpc.ErrorInfo", { reason: detail.type, domain: DOMAIN, metadata: flat(detail.details) }],
    ["troupe.v1.ErrorDetail", toWire(detail)],
    ["google.rpc.RetryInfo", detail.retry && { retryDelay: duration(detail.retry.afterMs) }],
    [
      "google.rpc.BadRequest",
      detail.type === "INVALID_ARGUMENT" && {
        fieldViolations: [
          { field: String(detail.details.argument), description: String(detail.details.problem) },
        ],
      },
    ],
    [
      "google.rpc.QuotaFailure",
      detail.category === "CAPACITY" && {
        violations: [{ subject: `role:${detail.role}`, description: detail.title }],
      },
    ],
    [
      "google.rpc.PreconditionFailure",
      codeOf(detail) === "FAILED_PRECONDITION" && {
        violations: [
          { type: detail.type, subject: cut(subject, FLAT_LENGTH_MAX), description: detail.title },
        ],
      },
    ],
  ];
  return all.filter((each): each is [string, object] => Boolean(each[1]));
}

/** Returns the name of an error's gRPC status code. */
export function codeOf(detail: Pick<ErrorDetail, "type" | "details">): keyof typeof GRPC_CODE {
  const { code } = catalogue[detail.type] as ErrorEntry<ErrorData[ErrorType]>;
  return typeof code === "function" ? code(detail.details as unknown as ErrorData[ErrorType]) : code;
}

function pack(type: string, value: object) {
  return { type_url: ANY_PREFIX + type, value: encode(messageType(type), value) };
}

/** Short values for programs that only sort errors. ErrorDetail has everything. */
function flat(details: JsonObject): Record<string, string> {
  const scalars = Object.entries(details).filter(([, value]) => typeof value !== "object");
  return Object.fromEntries(scalars.map(([key, value]) => [key, cut(String(value), FLAT_LENGTH_MAX)]));
}

function duration(ms: number) {
  return { seconds: Math.floor(ms / 1000), nanos: (ms % 1000) * 1_000_000 };
}

/** gRPC messages travel in a header line. */
function singleLine(text: string): string {
  return cut(text.replace(/[\r\n]+/g, " "), MESSAGE_LENGTH_MAX);
}
