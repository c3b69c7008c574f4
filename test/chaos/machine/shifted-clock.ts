// Preloaded into a daemon and its workers. It shifts their clock by the value in a file, again at each change of that
// file. Timers go on, as they do when a person sets the clock.
import { readFileSync, watch } from "node:fs";

const file = new URL(import.meta.url).searchParams.get("file") ?? "";
const RealDate = Date;
const clock = { shiftMs: 0 };

function read(): void {
  const told = Number(readFileSync(file, "utf8"));
  // The file may be empty between two writes.
  if (Number.isFinite(told)) clock.shiftMs = told;
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, fresh) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + clock.shiftMs] : args, fresh),
  apply: () => new RealDate(RealDate.now() + clock.shiftMs).toString(),
  get: (target, name) => (name === "now" ? () => RealDate.now() + clock.shiftMs : Reflect.get(target, name)),
});
read();
watch(file, { persistent: false }, read);
