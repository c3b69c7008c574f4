// Tests a hanging frame beside the intended element: errors that search all frames leave that frame out.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();

test("a name in place of a ref is found beside a hanging frame", async () => {
  await using session = worker.session();
  const hung = Promise.withResolvers<void>();
  const sign = site.route((_request, response) => {
    hung.resolve();
    response.end();
  });
  const frame = site.page(`<button>Inside</button><script>
    onmessage = ({ data }) => { navigator.sendBeacon(data); for (;;); };
  </script>`);
  const own = frame.replace("127.0.0.1", "localhost");
  const beacon = sign.replace("127.0.0.1", "localhost");
  const text = await session.open(
    site.page(`<button onclick="frames[0].postMessage('${beacon}', '*')">Hang</button><button>Buy</button>
      <iframe src="${own}"></iframe>`),
  );
  await session.do("browser_click", { ref: refOf(text, "Hang") });
  await hung.promise;
  const { candidates } = await session.refuse("UNKNOWN_REF", "browser_click", { ref: `button "Buy"` });
  assert.deepEqual(
    candidates.map(({ name }) => name),
    ["Buy"],
  );
});
