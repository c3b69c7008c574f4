// Each process of a page sends its events by itself, so those of a frame may come before the frame is attached.
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import type { CDPSession } from "puppeteer-core";
import { BRIDGE_WORLD } from "../../../worker/tab/frames/frame.ts";
import { Frames } from "../../../worker/tab/frames/frames.ts";

const ignore = () => undefined;
const process = (frames: Frames) => {
  const events = new EventEmitter();
  const client = events as unknown as CDPSession;
  frames.watch(client);
  return { client, emit: (name: string, event: object) => void events.emit(name, event) };
};
const document = (id: string, parentId?: string) => ({
  frame: { id, parentId, loaderId: `${id} 1`, url: `https://${id}.test/` },
});
const world = (frameId: string) => ({
  context: { id: 1, uniqueId: `world of ${frameId}`, name: BRIDGE_WORLD, auxData: { frameId } },
});

function tabWith() {
  const frames = new Frames({ newDocument: ignore, unreachable: ignore, moved: ignore });
  const [main, first, second] = [process(frames), process(frames), process(frames)];
  frames.begin(main.client, "main");
  const read = () => frames.children.map(({ id, loaderId, world: found }) => [id, loaderId, found?.uniqueId]);
  return { main, first, second, read };
}

const BOTH = [
  ["outer", "outer 1", "world of outer"],
  ["inner", "inner 1", "world of inner"],
];

test("a frame has its document and its world, in whatever order the processes report them", () => {
  const { main, first, second, read } = tabWith();
  second.emit("Runtime.executionContextCreated", world("inner"));
  second.emit("Page.frameNavigated", document("inner", "outer"));
  first.emit("Page.frameAttached", { frameId: "inner", parentFrameId: "outer" });
  first.emit("Runtime.executionContextCreated", world("outer"));
  first.emit("Page.frameNavigated", document("outer", "main"));
  assert.deepEqual(read(), BOTH);
  main.emit("Page.frameAttached", { frameId: "outer", parentFrameId: "main" });
  assert.deepEqual(read(), BOTH);
});

test("a frame whose world is there before anything else has it once it is attached", () => {
  const { main, first, read } = tabWith();
  first.emit("Runtime.executionContextCreated", world("outer"));
  assert.deepEqual(read(), []);
  main.emit("Page.frameAttached", { frameId: "outer", parentFrameId: "main" });
  assert.deepEqual(read(), [["outer", "", "world of outer"]]);
});

test("a frame that is gone before its parent is attached does not come back", () => {
  const { main, first, second, read } = tabWith();
  first.emit("Page.frameAttached", { frameId: "inner", parentFrameId: "outer" });
  second.emit("Runtime.executionContextCreated", world("inner"));
  first.emit("Page.frameDetached", { frameId: "inner", reason: "remove" });
  main.emit("Page.frameAttached", { frameId: "outer", parentFrameId: "main" });
  assert.deepEqual(read(), [["outer", "", undefined]]);
});

test("a world that is gone before its frame is attached is not used", () => {
  const { main, first, read } = tabWith();
  first.emit("Runtime.executionContextCreated", world("outer"));
  first.emit("Runtime.executionContextDestroyed", { executionContextUniqueId: "world of outer" });
  main.emit("Page.frameAttached", { frameId: "outer", parentFrameId: "main" });
  assert.deepEqual(read(), [["outer", "", undefined]]);
});

test("events of very many frames that are never attached are not all held", () => {
  const { main, first, read } = tabWith();
  for (let at = 0; at < 1_000; at++) first.emit("Runtime.executionContextCreated", world(`f${at}`));
  for (const id of ["f0", "f999"]) main.emit("Page.frameAttached", { frameId: id, parentFrameId: "main" });
  assert.deepEqual(read(), [
    ["f0", "", undefined],
    ["f999", "", "world of f999"],
  ]);
});
