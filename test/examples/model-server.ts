// A model's server on the loopback: OpenAI's chat completions and Anthropic's messages. Its model puts a product into the
// cart; it knows only what the tools' results say.
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { refOf } from "../harness/troupe.ts";

export interface ModelServer extends AsyncDisposable {
  /** The address without a path. */
  url: string;
  /** The tools' names in the newest request. */
  tools: string[];
  /** The results of the tools, as they came. */
  results: string[];
}

type Next = { name: string; input: object } | { done: string };

/** The model first makes a mistake, and then follows the plan that it gets. */
function nextStep(results: readonly string[], url: string): Next {
  const last = results.at(-1) ?? "";
  if (results.length === 0) return { name: "browser_click", input: { ref: "e999" } };
  if (results.length === 1) return { name: "browser_navigate", input: { url } };
  if (results.length === 2)
    return { name: "browser_click", input: { ref: refOf(last, "button", "Add to cart") } };
  return { done: /Cart \(\d+\)/.exec(last)?.[0] ?? "The cart does not show it." };
}

/** Starts the server of a model that wants the product at `url`. */
export async function serveModel(url: string): Promise<ModelServer> {
  const server = createServer();
  const model: ModelServer = {
    url: "",
    tools: [],
    results: [],
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  server.on("request", (request: IncomingMessage, response) => {
    const form = request.url?.endsWith("/messages") ? messages : chatCompletions;
    void textOf(request).then((body) => {
      const asked = JSON.parse(body);
      model.tools = form.tools(asked);
      model.results = form.results(asked);
      const answer = form.answer(nextStep(model.results, url), `call_${model.results.length}`);
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  model.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return model;
}

interface Asked {
  tools: { name?: string; function?: { name: string } }[];
  messages: { role: string; content: string | { type: string; content?: { text?: string }[] }[] }[];
}

/** The form of an API: what it asks, and how the model's step is answered. */
interface Form {
  tools(asked: Asked): string[];
  results(asked: Asked): string[];
  answer(next: Next, id: string): object;
}

const chatCompletions: Form = {
  tools: ({ tools }) => tools.map((tool) => tool.function?.name ?? ""),
  results: ({ messages }) =>
    messages.filter(({ role }) => role === "tool").map(({ content }) => String(content)),
  answer: (next, id) => {
    const message = { role: "assistant", ...("done" in next ? { content: next.done } : called(next, id)) };
    const choice = { index: 0, finish_reason: "done" in next ? "stop" : "tool_calls", message };
    return {
      id: `answer_${id}`,
      object: "chat.completion",
      created: 1,
      model: "scripted",
      choices: [choice],
    };
  },
};

const messages: Form = {
  tools: ({ tools }) => tools.map(({ name }) => name ?? ""),
  results: ({ messages }) =>
    messages
      .flatMap(({ content }) => (typeof content === "string" ? [] : content))
      .filter(({ type }) => type === "tool_result")
      .map(({ content }) => content?.map(({ text }) => text).join("\n") ?? ""),
  answer: (next, id) => ({
    id: `answer_${id}`,
    type: "message",
    role: "assistant",
    model: "scripted",
    content: ["done" in next ? { type: "text", text: next.done } : { type: "tool_use", id, ...next }],
    stop_reason: "done" in next ? "end_turn" : "tool_use",
    usage: { input_tokens: 1, output_tokens: 1 },
  }),
};

function called({ name, input }: { name: string; input: object }, id: string) {
  const call = { id, type: "function", function: { name, arguments: JSON.stringify(input) } };
  return { content: null, tool_calls: [call] };
}
