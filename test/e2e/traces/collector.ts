// A collector of traces on the loopback. It takes spans over OTLP/HTTP with protobuf, as the SDK sends them.
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import protobuf from "protobufjs";

/** The parts of opentelemetry/proto/collector/trace/v1 that the tests read. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5;
    repeated KeyValue attributes = 9; Status status = 15;
  }
  message Status { int32 code = 3; }
  message KeyValue { string key = 1; Value value = 2; }
  message Value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; }
`);
const REQUEST = root.lookupType("Request");

/** A span as the collector received it. Ids are hexadecimal; `parent` is empty for a root. */
export interface CollectedSpan {
  service: string;
  trace: string;
  id: string;
  parent: string;
  name: string;
  attributes: Record<string, unknown>;
}

export interface Collector extends AsyncDisposable {
  /** The base address, for OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  /** Everything that was sent, as bytes. */
  received(): Buffer;
  /** Resolves with the first span that matches, also with one that is still to come. */
  span(matches: (span: CollectedSpan) => boolean): Promise<CollectedSpan>;
  /** All spans so far. */
  readonly spans: readonly CollectedSpan[];
}

/** `answer`: default: takes all. A collector that never answers is one that does nothing here. */
export async function startCollector(
  answer: (response: ServerResponse) => void = (response) => response.end(),
): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const bodies: Buffer[] = [];
  let arrival = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts);
      bodies.push(body);
      spans.push(...spansIn(body));
      arrival.resolve();
      arrival = Promise.withResolvers();
      answer(response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => Buffer.concat(bodies),
    spans,
    async span(matches) {
      for (;;) {
        const found = spans.find(matches);
        if (found) return found;
        await arrival.promise;
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

interface KeyValue {
  key: string;
  value: Record<string, unknown>;
}
interface Sent {
  resourceSpans?: {
    resource?: { attributes?: KeyValue[] };
    scopeSpans?: {
      spans?: {
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        name: string;
        attributes?: KeyValue[];
      }[];
    }[];
  }[];
}

function spansIn(body: Buffer): CollectedSpan[] {
  const { resourceSpans = [] } = REQUEST.toObject(REQUEST.decode(body), {
    bytes: String,
    longs: Number,
  }) as Sent;
  return resourceSpans.flatMap(({ resource, scopeSpans = [] }) => {
    const service = String(valuesOf(resource?.attributes)["service.name"]);
    return scopeSpans
      .flatMap(({ spans = [] }) => spans)
      .map(({ traceId, spanId, parentSpanId = "", name, attributes }) => {
        const [trace = "", id = "", parent = ""] = [traceId, spanId, parentSpanId].map(hexadecimal);
        return { service, trace, id, parent, name, attributes: valuesOf(attributes) };
      });
  });
}

function valuesOf(attributes: KeyValue[] = []): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

function hexadecimal(base64: string): string {
  return Buffer.from(base64, "base64").toString("hex");
}
