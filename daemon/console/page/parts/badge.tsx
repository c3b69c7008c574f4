// Shows a state as a word with a colour. The colour alone says nothing.
import { Term } from "./term.tsx";

export type Tone = "good" | "busy" | "bad" | "quiet";

export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span class={`badge ${tone}`}>
      <Term text={children} />
    </span>
  );
}

const TONES: Record<string, Tone> = {
  READY: "good",
  STARTING: "busy",
  DRAINING: "busy",
  BACKING_OFF: "bad",
  FAILED: "bad",
  OK: "good",
  recovered: "good",
  repeated: "bad",
  abandoned: "busy",
};

export function toneOf(state: string, otherwise: Tone = "quiet"): Tone {
  return TONES[state] ?? otherwise;
}
