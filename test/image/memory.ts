// A page that takes more memory than the container has: the kernel ends the page's process, and the daemon goes on.
import assert from "node:assert/strict";
import type { Image } from "./build.ts";
import { shippedProfile } from "./seccomp.ts";
import { OPEN } from "./serving.ts";
import { startTeam } from "./team.ts";
import type { Verdicts } from "./verdicts.ts";

const MEMORY_BYTES_MAX = 768 * 2 ** 20;
const GREEDY =
  "() => { const kept = []; for (let i = 0; i < 64; i++) kept.push(new Uint8Array(2 ** 25).fill(1)); return kept.length; }";

export async function showMemory(image: Image, { show }: Verdicts): Promise<void> {
  await using team = await startTeam(image, {
    seccomp: shippedProfile(),
    memoryBytesMax: MEMORY_BYTES_MAX,
  });
  await show("a page takes 2 GiB where 768 MiB are allowed", async () => {
    const before = await team.status();
    const [, failed = ""] = await team.call(OPEN, ["browser_evaluate", { function: GREEDY }]);
    assert.doesNotMatch(failed, /^64$/m);
    const [again = ""] = await team.call(OPEN);
    assert.match(again, /button "Pay" \[ref=e\d+\]/);
    const after = await team.status();
    assert.equal(after.pid, before.pid);
    return `${failed.split("\n").find(Boolean)}; the daemon goes on, and the next page opens`;
  });
}
