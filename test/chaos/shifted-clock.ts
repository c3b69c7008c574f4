// Preloaded into a daemon and its workers: their clock is the machine's, shifted by what a file says, and by more whenever
// that file changes. Timers go on as they do when somebody sets a clock.
import { readFileSync, watch } from "node:fs";

const file = new URL(import.meta.url).searchParams.get("file") ?? "";
const RealDate = Date;
let shiftMs = 0;

function read(): void {
  const told = Number(readFileSync(file, "utf8"));
  // Between two writes it may be empty.
  if (Number.isFinite(told)) shiftMs = told;
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, fresh) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + shiftMs] : args, fresh),
  apply: () => new RealDate(RealDate.now() + shiftMs).toString(),
  get: (target, name) => (name === "now" ? () => RealDate.now() + shiftMs : Reflect.get(target, name)),
});
read();
watch(file, { persistent: false }, read);
