// Changes a page without a reply that reports the change.
import assert from "node:assert/strict";
import type { Worker, WorkerSession } from "../../harness/worker.ts";
import type { Site } from "../../site/serve.ts";

/** A button that shows that it was clicked, and a page script that runs when the test says so. */
const script = (body: string) => `<output id=out>untouched</output><script>
  addEventListener('click', (event) => { out.textContent = 'clicked ' + event.target.textContent });
  ${body}</script>`;

export interface Untold extends AsyncDisposable {
  session: WorkerSession;
  /** The page as it was delivered. */
  page: string;
  /** Makes the change; resolves when it is done. */
  happen(): Promise<void>;
}

/** Runs a script of the page, without a reply that reports it. */
export async function untoldOn(
  { worker, site }: { worker: Worker; site: Site },
  change: string,
  content: string,
): Promise<Untold> {
  const go = site.hold();
  const done = site.hold();
  const session = worker.session();
  const url = site.page(
    `${content}${script(`new EventSource('${go.url}').onmessage = () => { ${change}; new EventSource('${done.url}') }`)}`,
  );
  const page = await session.open(url);
  const happen = async () => {
    go.release("data: go\n\n", { headers: { "content-type": "text/event-stream" } });
    await done.asked();
  };
  return { session, page, happen, [Symbol.asyncDispose]: () => session[Symbol.asyncDispose]() };
}

/** Checks that no click has hit anything. */
export async function isUntouched(session: WorkerSession): Promise<void> {
  assert.match(await session.read(), /status: untouched/);
}
