// Pages for tests of when an action is over, and a check of each reply.
import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { refOf, type Worker, type WorkerSession } from "../../../harness/worker.ts";
import type { Site } from "../../../site/serve.ts";

/** The time of the site's slow answers, as with a real server. */
export const ANSWER_MS = 80;

/** Answers a request after a while. */
export function later(response: ServerResponse, body: string): void {
  setTimeout(() => response.end(body), ANSWER_MS).unref();
}

/** Returns an address that answers after a while with the result of `answer` for the request's body. */
export function api(site: Site, answer: (body: string) => string): string {
  return site.route((request, response) => {
    bodyOf(request).then(
      (body) => later(response, answer(body)),
      () => response.destroy(),
    );
  });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request) text += part;
  return text;
}

/** A page with a button "Go". `go` runs when it is clicked, and may call `show(text)`. */
export function page(site: Site, go: string, content = ""): string {
  return site.page(`<button id=go>Go</button><div id=out></div>${content}<script>
    const show = (text) => { out.innerHTML = "<p>" + text + "</p>" };
    ${go}</script>`);
}

/** Clicks the button of that name and returns the reply. */
export async function clicked(session: WorkerSession, shown: string, name = "Go"): Promise<string> {
  return (await session.do("browser_click", { ref: refOf(shown, name) })).text;
}

/** For a page whose answers come over a WebSocket: its button is disabled until the socket is open. */
export const ONCE_CONNECTED = "go.disabled = true; socket.onopen = () => { go.disabled = false };";

/**
 * Opens the page and clicks its button repeatedly. Each reply must have its words, and a snapshot after it adds
 * nothing.
 */
export async function holds(worker: Worker, url: string, ...expected: RegExp[]): Promise<void> {
  await using session = worker.session();
  const shown = await session.open(url);
  await session.do("browser_wait_for", { ref: refOf(shown, "Go"), state: "enabled" });
  for (const words of expected) {
    const reply = await clicked(session, shown);
    assert.match(reply, words);
    const look = await session.read();
    for (const line of look.match(/(?<=paragraph: |dialog ).*/g) ?? [])
      assert.ok(reply.includes(line), `${line}\nis missing in\n${reply}`);
  }
}
