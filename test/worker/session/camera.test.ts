// When pictures of a session are taken: in pauses, and for busy sessions so seldom that they hardly cost anything.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Camera, type Taken } from "../../../worker/session/camera.ts";
import { PAUSE_MS, pictureDelayMs } from "../../../worker/session/picture-plan.ts";

const IMAGE = { image: Buffer.from("picture") };

/** A camera whose pictures take so long, and its reports. */
function opened(tookMs = 50) {
  mock.timers.enable({ apis: ["setTimeout"] });
  const state = { isBusy: false, hasPerson: false, nowMs: 0 };
  const camera = new Camera({
    isBusy: () => state.isBusy,
    hasPerson: () => state.hasPerson,
    nowMs: () => state.nowMs,
  });
  const reports: [string, Taken][] = [];
  const ended = (id: string, workMs = 10, meanwhile: () => void = () => undefined) =>
    camera.callEnded({
      tookMs: workMs,
      take: async () => {
        state.nowMs += tookMs;
        meanwhile();
        return IMAGE;
      },
      report: (taken) => void reports.push([id, taken]),
    });
  /** Lets what is due begin, and what has begun end. */
  const pass = async (ms: number) => {
    mock.timers.tick(ms);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return { camera, state, reports, ended, pass, [Symbol.dispose]: () => mock.timers.reset() };
}

test("a busy session's picture waits for a pause until its cost hardly shows", () => {
  assert.equal(pictureDelayMs({ workMs: 100, costMs: 50 }), PAUSE_MS);
  assert.equal(pictureDelayMs({ workMs: 5_000, costMs: 50 }), 0);
});

test("a picture is taken in the pause after a call, and not when the next call comes first", async () => {
  using stage = opened();
  const { camera, reports, ended, pass } = stage;
  ended("one");
  await pass(PAUSE_MS);
  ended("two");
  await pass(PAUSE_MS - 1);
  camera.callBegan();
  ended("three");
  await pass(PAUSE_MS);
  assert.deepEqual(reports, [
    ["one", IMAGE],
    ["two", { missing: "the next call came first" }],
    ["three", IMAGE],
  ]);
});

test("no picture is taken while a call has its turn or a person is at work, nor kept if a person comes", async () => {
  using stage = opened();
  const { state, reports, ended, pass } = stage;
  ended("one");
  state.isBusy = true;
  await pass(PAUSE_MS);
  state.isBusy = false;
  ended("two");
  state.hasPerson = true;
  await pass(PAUSE_MS);
  state.hasPerson = false;
  ended("three", 10, () => {
    state.hasPerson = true;
  });
  await pass(PAUSE_MS);
  assert.deepEqual(reports, [
    ["one", { missing: "the next call came first" }],
    ["two", { missing: "a person was at work" }],
    ["three", { missing: "a person was at work" }],
  ]);
});

test("a session whose calls leave no pause gets a picture now and then", async () => {
  using stage = opened(20);
  const { camera, reports, ended, pass } = stage;
  for (let call = 0; call < 400; call++) {
    camera.callBegan();
    ended(String(call), 25);
    await pass(1);
  }
  const taken = reports.filter(([, each]) => "image" in each).length;
  // 400 calls take 10 s. Pictures may cost some hundred milliseconds of that.
  assert.ok(taken >= 5 && taken <= 15, `${taken} pictures`);
});

test("a closed session's picture is not taken", async () => {
  using stage = opened();
  const { camera, reports, ended, pass } = stage;
  ended("one");
  camera.close();
  await pass(PAUSE_MS);
  ended("two");
  await pass(PAUSE_MS);
  assert.deepEqual(reports, []);
});
