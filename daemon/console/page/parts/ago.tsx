// Shows how long ago something happened, or how soon it will.
import { spanText } from "./words.ts";

export function Ago({ atMs, nowMs }: { atMs: number; nowMs: number }) {
  const date = new Date(atMs);
  const isComing = atMs > nowMs + 1000;
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString()}>
      {isComing ? `in ${spanText(atMs - nowMs)}` : `${spanText(nowMs - atMs)} ago`}
    </time>
  );
}
