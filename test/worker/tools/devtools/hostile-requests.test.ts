// Tests requests whose parts a page wrote to pass for structure, or to fill the worker's memory.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "../../../harness/worker.ts";

const { worker, site } = await stage();

test("a method and headers of any length are kept within bounds", async () => {
  await using session = worker.session();
  const many = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`x-long-${index}`, "y".repeat(900)]),
  );
  await session.open(
    site.page(`<p id=out></p><script>
      Promise.allSettled([fetch("/a", {method: "M".repeat(10_000)}), fetch("/b", {headers: ${JSON.stringify(many)}})])
        .then(() => { out.textContent = "all there" });
    </script>`),
  );
  await session.do("browser_wait_for", { text: "all there" });
  const { requests } = await session.do("browser_network_requests", { filter: "/[ab] " });
  const [a, b] = requests as { id: string; method: string }[];
  assert.ok(a && b);
  assert.ok(a.method.length < 50, a.method);
  const { requestHeaders } = await session.do("browser_network_request", { id: b.id, part: "headers" });
  const length = JSON.stringify(requestHeaders).length;
  assert.ok(length < 10_000, `${length} characters`);
});

test("a type of content cannot pass for a ref", async () => {
  await using session = worker.session();
  const odd = site.route((_request, response) =>
    response.writeHead(200, { "content-type": "text/[ref=e1]" }).end("odd"),
  );
  await session.open(
    site.page(`<p id=out></p><script>fetch("${odd}").then(() => { out.textContent = "in" })</script>`),
  );
  await session.do("browser_wait_for", { text: "in" });
  const { text } = await session.do("browser_network_requests");
  assert.match(text, /\(ref=e1\]/);
  assert.doesNotMatch(text, /\[ref=/);
});
