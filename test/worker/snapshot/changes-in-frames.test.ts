// Tests that the replies to actions lead their reader to the page as it is, whatever happens in its frames.
import assert from "node:assert/strict";
import { test } from "node:test";
import { misled } from "../../bridge/page/reader.ts";
import { bundlePage } from "../../harness/page.ts";
import { refOf, stage } from "../../harness/worker.ts";

/** Frames take 50 times as long as the bridge alone, so they get fewer seeds. */
const SEEDS = Math.ceil(Number(process.env.TEST_SEEDS ?? 200) / 50);
const STEPS = 8;

const { worker, site } = await stage();
const script = await bundlePage("step");

test(`after each of ${SEEDS * STEPS} random changes in frames, the replies match the page`, async () => {
  const inner = site.page(`<!doctype html><body></body><script>${script}</script>`);
  for (let seed = 1; seed <= SEEDS; seed++) {
    await using session = worker.session();
    await session.open(
      site.page(
        `<!doctype html><button>Step</button><iframe title=One src="${inner}"></iframe><iframe title=Two src="${inner}"></iframe><script>
        const all = () => [frames[0], frames[1]];
        onload = () => all().forEach((frame, index) => frame.begin(${2 * seed} + index));
        document.querySelector("button").onclick = () => all().forEach((frame) => frame.step());
        </script>`,
      ),
    );
    let before = treeIn(await session.read());
    const ref = refOf(before, 'button "Step"');
    for (let step = 1; step <= STEPS; step++) {
      const { text } = await session.do("browser_click", { ref });
      const after = treeIn(await session.read());
      assert.equal(
        wrong(before, text, after),
        undefined,
        `seed ${seed}, step ${step}:\n${before}\n===\n${text}\n===\n${after}`,
      );
      before = after;
    }
  }
});

function wrong(before: string, reply: string, after: string): string | undefined {
  if (/^Page /m.test(reply))
    return treeIn(reply) === after ? undefined : "the whole that was told is not the tree";
  if (/^Nothing changed/m.test(reply)) return before === after ? undefined : "something changed";
  const told = reply.split("\n\n")[0]?.split("\n").slice(2).join("\n") ?? "";
  return misled(before, told, after);
}

/** Returns the lines of a page's tree, without the lines around them. */
function treeIn(text: string): string {
  const lines = text.split("\n\n")[1]?.split("\n") ?? [];
  return lines.filter((line) => /^ *- /.test(line)).join("\n");
}
