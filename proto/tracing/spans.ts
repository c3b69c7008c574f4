// Makes the spans of a call (OpenTelemetry). They cost next to nothing in a process that has not started tracing.
import type { Metadata } from "@grpc/grpc-js";
import {
  type Attributes,
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { REQUEST_ID, TRACEPARENT } from "../wire/metadata.ts";
import { traceparent } from "./traceparent.ts";

export type { Attributes, Span } from "@opentelemetry/api";

/** `server` answers another process, `client` waits for one, and `internal` is work of this process. */
export type Kind = "server" | "client" | "internal";

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
const SCOPE = "troupe";
const SAMPLED = 1;

/** Runs the work in a new span of the current trace. The span ends with it, and has the error's type if it fails. */
export async function inSpan<T>(
  name: string,
  { kind = "internal", attributes = {}, parent = context.active() }: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const span = trace.getTracer(SCOPE).startSpan(name, { kind: KINDS[kind], attributes }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), work, undefined, span);
  } catch (error) {
    if (error instanceof Error) fails(span, errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

export interface SpanOptions {
  kind?: Kind;
  attributes?: Attributes;
  /** Default: the active context. */
  parent?: Context;
}

/** Marks the current span as failed with a type of the catalogue. */
export function markFailed(type: string): void {
  const span = trace.getActiveSpan();
  if (span) fails(span, type);
}

/** Adds what is known by now to the current span. */
export function annotate(attributes: Attributes): void {
  trace.getActiveSpan()?.setAttributes(attributes);
}

/** Adds a moment to the current span. */
export function noteMoment(name: string): void {
  trace.getActiveSpan()?.addEvent(name);
}

/** Returns the current span if it is recorded. */
export function recordedSpan(): Span | undefined {
  const span = trace.getActiveSpan();
  return span?.isRecording() ? span : undefined;
}

/** Returns the id of the current trace, if it is recorded: an exemplar for a metric. */
export function traceId(): string | undefined {
  return recordedSpan()?.spanContext().traceId;
}

/** Returns the caller's context. An MCP client's trace comes as the request's id. */
export function parentIn(metadata: Metadata): Context {
  const [given, requestId] = [TRACEPARENT, REQUEST_ID].map((name) => traceparent(metadata.get(name)[0]));
  const parent = given ?? requestId;
  if (parent === undefined) return ROOT_CONTEXT;
  const [, traceIdText = "", spanId = "", flags = ""] = parent.split("-");
  const traceFlags = Number.parseInt(flags, 16) & SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId: traceIdText, spanId, traceFlags, isRemote: true });
}

/** Returns the `traceparent` of the current span; undefined outside of traces. */
export function currentParent(): string | undefined {
  const span = trace.getActiveSpan()?.spanContext();
  if (!span) return undefined;
  return traceparent(`00-${span.traceId}-${span.spanId}-${span.traceFlags & SAMPLED ? "01" : "00"}`);
}

/** A span never holds an error's message, which may hold a text of a page. */
function fails(span: Span, type: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function errorType(error: Error): string {
  return "type" in error && typeof error.type === "string" ? error.type : error.name;
}
