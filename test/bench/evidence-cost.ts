/**
 * Measures what evidence costs. Calls are made back to back with and without it. Then a minute of steady work with pauses
 * shows its bytes. `node test/bench/evidence-cost.ts [ROUNDS] [SECONDS]`
 */
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setInterval } from "node:timers/promises";
import { connect, type TroupeSession } from "../../client/sdk/index.ts";
import { refOf, startTroupe } from "../harness/troupe.ts";

const rounds = Number(process.argv[2] ?? 30);
const seconds = Number(process.argv[3] ?? 60);
/** The time between two calls of steady work, as fast models make them. */
const STEP_MS = 1_000;
const PRODUCTS = [42, 7, 13, 21];

await using troupe = await startTroupe({
  roles: (shopUrl) => ({
    plain: { startUrl: `${shopUrl}/` },
    recorded: { startUrl: `${shopUrl}/`, record: true },
  }),
});
const { shopUrl, address } = troupe;
await using plain = await connect({ address, role: "plain", session: "plain" });
await using recorded = await connect({ address, role: "recorded", session: "recorded" });
const sessions = { plain: plain.session, recorded: recorded.session };

/** One errand in the shop, as a list of calls. */
function* errand(
  product: number,
): Generator<(session: TroupeSession, shown: string) => Promise<{ text: string }>> {
  yield (session) => session.navigate({ url: `${shopUrl}/product/${product}` });
  yield (session) => session.find({ text: "cart" });
  yield async (session, shown) => session.click({ ref: refOf(shown, "button", "Add to cart") });
  yield (session) => session.scroll({ direction: "down" });
  yield (session) => session.navigate({ url: `${shopUrl}/?q=linen` });
  yield (session) => session.snapshot({ full: true });
}

const times: Record<keyof typeof sessions, number[]> = { plain: [], recorded: [] };
for (let round = -2; round < rounds; round++)
  for (const name of round % 2 === 0 ? (["plain", "recorded"] as const) : (["recorded", "plain"] as const)) {
    let page = "";
    for (const call of errand(PRODUCTS[Math.abs(round) % PRODUCTS.length] ?? 42)) {
      const beganMs = performance.now();
      const { text } = await call(sessions[name], page);
      // The first rounds warm up.
      if (round >= 0) times[name].push(performance.now() - beganMs);
      if (text.includes("Add to cart")) page = text;
    }
  }
/** The mean of the middle 80%: other programs of the machine make single calls slow. */
const middle = (list: number[]) => {
  const sorted = list.toSorted((one, other) => one - other);
  const cut = Math.floor(sorted.length / 10);
  const kept = sorted.slice(cut, sorted.length - cut);
  return kept.reduce((sum, each) => sum + each, 0) / kept.length;
};
const median = (list: number[]) => list.toSorted((one, other) => one - other)[list.length >> 1] ?? 0;
for (const [name, list] of Object.entries(times))
  console.log(
    `${name.padEnd(9)} ${list.length} calls, mean of the middle 80% ${middle(list).toFixed(1)} ms, median ${median(list).toFixed(1)} ms`,
  );
const more = (of: (list: number[]) => number) => 100 * (of(times.recorded) / of(times.plain) - 1);
console.log(
  `evidence adds ${more(middle).toFixed(1)}% to the mean call, ${more(median).toFixed(1)}% to the median (bar: 5%)`,
);

const before = stored();
const endMs = performance.now() + seconds * 1000;
let calls = 0;
let page = "";
let work = errand(42);
for await (const _ of setInterval(STEP_MS)) {
  if (performance.now() > endMs) break;
  let next = work.next();
  if (next.done) {
    work = errand(PRODUCTS[calls % PRODUCTS.length] ?? 42);
    next = work.next();
  }
  const { text } = await next.value(recorded.session, page);
  if (text.includes("Add to cart")) page = text;
  calls++;
}
const after = stored();
const minutes = seconds / 60;
console.log(
  `steady work: ${calls} calls in ${seconds} s, ${((after.bytes - before.bytes) / minutes / 1e6).toFixed(2)} MB a minute (bar: 1 MB), ` +
    `${after.pictures - before.pictures} pictures of ${((after.pictureBytes - before.pictureBytes) / Math.max(1, after.pictures - before.pictures) / 1000).toFixed(1)} kB`,
);
await recorded.session.close();
await plain.session.close();

/** The parts in the file. Pictures have more than 1,000 bytes. */
function stored(): { bytes: number; pictures: number; pictureBytes: number } {
  using database = new DatabaseSync(path.join(troupe.stateDir, "evidence.db"), { readOnly: true });
  const row = database
    .prepare(
      `SELECT sum(length(data)) AS bytes, sum(part = 'picture' AND length(data) > 1000) AS pictures,
         sum(iif(part = 'picture', length(data), 0)) AS pictureBytes FROM evidence`,
    )
    .get() as Record<string, number>;
  return { bytes: row.bytes ?? 0, pictures: row.pictures ?? 0, pictureBytes: row.pictureBytes ?? 0 };
}
