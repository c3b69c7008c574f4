// A page gets a typed secret only once the daemon keeps it: the next worker must know it if this one dies now.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, startWorker } from "../../harness/worker.ts";
import { serveSite } from "../../site/serve.ts";

for (const [tool, args] of [
  ["browser_type", { text: "correct-horse" }],
  ["browser_press_key", { key: "h u n t e r" }],
] as const)
  test(`${tool} sends a secret after the daemon has confirmed it`, async () => {
    await using site = await serveSite();
    await using worker = await startWorker();
    const over = new AbortController();
    const asked = Promise.withResolvers<string>();
    const listen = async () => {
      for await (const { keepAsked } of worker.events(over.signal, { keeps: false }))
        if (keepAsked) asked.resolve(keepAsked.id);
    };
    // The test itself ends the stream.
    const listening = listen().catch(() => undefined);
    await using session = worker.session();
    let isConfirmed = false;
    const early: string[] = [];
    const heard = site.route((request, response) => {
      if (!isConfirmed) early.push(request.url ?? "");
      response.end();
    });
    const form = await session.open(
      site.page(
        `<input type=password aria-label=Password autofocus oninput="fetch('${heard}?' + this.value)">`,
      ),
    );
    const ref = refOf(form, "Password");
    const called = session.do(tool, tool === "browser_type" ? { ref, ...args } : args);
    const id = await Promise.race([asked.promise, called.then(() => "")]);
    isConfirmed = true;
    await worker.ask("ConfirmKept", { id });
    await called;
    assert.notEqual(id, "");
    assert.deepEqual(early, []);
    over.abort();
    await listening;
  });
