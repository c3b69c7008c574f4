import assert from "node:assert/strict";
import { test } from "node:test";
import {
  abandoned,
  afterCall,
  type EndedEpisode,
  type Episode,
  type EpisodeCall,
  expired,
} from "../../../daemon/telemetry/episodes.ts";

type Sent = Partial<EpisodeCall> & {
  type?: string;
  digest?: string;
  recoverable?: boolean;
  retryAtMs?: number;
  /** The ref of the single intended element. */
  meant?: string;
};

/** Makes the calls one second apart. A call with a type fails. */
function follow(...calls: Sent[]): { open: Episode[]; ended: EndedEpisode[] } {
  let open: Episode[] = [];
  const ended: EndedEpisode[] = [];
  calls.forEach(({ type, digest = "same", recoverable = true, retryAtMs, meant, ...call }, index) => {
    const failure =
      type === undefined
        ? undefined
        : {
            type,
            digest,
            recoverable,
            ...(retryAtMs !== undefined && { retryAtMs }),
            ...(meant && { meant: { refs: [meant], likenesses: [] } }),
          };
    const after = afterCall(open, {
      tool: "click",
      role: "r",
      atMs: index * 1000,
      ...call,
      ...(failure && { failure }),
    });
    open = after.open;
    ended.push(...after.ended);
  });
  return { open, ended };
}

const outcomes = (...calls: Sent[]) =>
  follow(...calls).ended.map(({ outcome, calls: count }) => `${outcome} ${count}`);

test("an error is recovered when the same tool succeeds within five calls", () => {
  assert.deepEqual(outcomes({ type: "STALE_REF" }, { tool: "snapshot" }, {}), ["recovered 2"]);
  assert.deepEqual(outcomes({ type: "STALE_REF" }, ...Array(4).fill({ tool: "snapshot" }), {}), [
    "recovered 5",
  ]);
});

test("an error is abandoned when the tool does not succeed within five calls", () => {
  assert.deepEqual(outcomes({ type: "STALE_REF" }, ...Array(5).fill({ tool: "snapshot" }), {}), [
    "abandoned 5",
  ]);
});

test("an error about an element recovers only by success with the intended one", () => {
  const [meant, other] = ["e9", "e6"].map((ref) => ({ element: { ref, likeness: ref } }));
  const stale = { type: "STALE_REF", meant: "e9" };
  assert.deepEqual(outcomes(stale, { ...meant }), ["recovered 1"]);
  assert.deepEqual(outcomes(stale, { ...other }, {}, { ...meant }), ["recovered 3"]);
  assert.deepEqual(outcomes(stale, ...Array(5).fill(other)), ["abandoned 5"]);
  assert.deepEqual(outcomes(stale, { ...other }, stale), ["repeated 2"]);
  assert.deepEqual(outcomes({ type: "UNKNOWN_REF" }, { ...other }), ["recovered 1"]);
});

test("an error is abandoned after five minutes", () => {
  assert.deepEqual(outcomes({ type: "STALE_REF", atMs: 0 }, { atMs: 300_001 }), ["abandoned 0"]);
  assert.deepEqual(outcomes({ type: "STALE_REF", atMs: 0 }, { atMs: 299_000 }), ["recovered 1"]);
});

test("the identical call that fails the same way repeats the error, and opens the next episode", () => {
  const { open, ended } = follow({ type: "STALE_REF" }, { type: "STALE_REF" });
  assert.deepEqual(
    ended.map(({ outcome }) => outcome),
    ["repeated"],
  );
  assert.equal(open.length, 1);
});

test("another request, or another error, is no repetition", () => {
  assert.deepEqual(outcomes({ type: "STALE_REF", digest: "a" }, { type: "STALE_REF", digest: "b" }, {}), [
    "recovered 2",
  ]);
  assert.deepEqual(outcomes({ type: "STALE_REF" }, { type: "ELEMENT_COVERED" }, {}), ["recovered 2"]);
});

test("a retry at the time that the error gave is no repetition, one before it is", () => {
  assert.deepEqual(outcomes({ type: "BUSY", retryAtMs: 1000 }, { type: "BUSY" }), []);
  assert.deepEqual(outcomes({ type: "BUSY", retryAtMs: 1001 }, { type: "BUSY" }), ["repeated 1"]);
});

test("an unrecoverable error opens no episode", () => {
  assert.deepEqual(follow({ type: "INTERNAL", recoverable: false }), { open: [], ended: [] });
});

test("each role and tool has an episode of its own", () => {
  const { open, ended } = follow(
    { type: "STALE_REF", role: "a" },
    { type: "STALE_REF", role: "b" },
    { type: "TIMEOUT", tool: "wait" },
    { role: "a" },
  );
  assert.deepEqual(ended, [{ type: "STALE_REF", role: "a", tool: "click", outcome: "recovered", calls: 3 }]);
  assert.deepEqual(
    open.map(({ role, tool }) => `${role} ${tool}`),
    ["b click", "r wait"],
  );
});

test("episodes of an ended session, or without a later call, are abandoned", () => {
  const { open } = follow({ type: "STALE_REF" });
  assert.deepEqual(
    abandoned(open).map(({ outcome }) => outcome),
    ["abandoned"],
  );
  assert.deepEqual(expired(open, 1000).ended, []);
  assert.deepEqual(
    expired(open, 300_001).ended.map(({ outcome }) => outcome),
    ["abandoned"],
  );
});
