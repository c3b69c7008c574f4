// Makes a tool's answer as JSON: the text for the model, the data and the page for programs.

import type { Tool } from "../../proto/tools/read-tools.ts";
import { protoJson } from "../../proto/wire/proto-json.ts";
import { queryResult, type Reply, toldPage } from "../../proto/wire/reply.ts";
import { messageType } from "../../proto/wire/schema.ts";

export interface Answer {
  success: true;
  text: string;
  /** A query's result. For other tools, the response without text and page. */
  data?: Record<string, unknown>;
  page?: Record<string, unknown>;
}

export function answerOf(tool: Tool, reply: Reply): Answer {
  const { text, page } = reply;
  const data = queryResult(reply.response) ?? dataOf(tool, reply);
  return {
    success: true,
    text,
    ...(Object.keys(data).length > 0 && { data }),
    ...(page && { page: toldPage(page) }),
  };
}

/** Returns the type of the message with a tool's data; for a snapshot, its header. */
export function dataType(tool: Tool) {
  return tool.streams ? messageType("troupe.v1.SnapshotHeader") : tool.response;
}

function dataOf(tool: Tool, { response }: Reply): Record<string, unknown> {
  const { text: _text, page: _page, ...data } = response;
  return protoJson(dataType(tool), data);
}
