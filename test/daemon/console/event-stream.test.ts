import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { eventOf, paced } from "../../../daemon/console/event-stream.ts";

/** A connection whose reader is slow when the test says so. */
class Reader extends EventEmitter {
  readonly read: string[] = [];
  isFull = false;
  isDestroyed = false;

  write(event: Buffer): boolean {
    this.read.push(event.toString());
    return !this.isFull;
  }

  destroy(): this {
    this.isDestroyed = true;
    return this;
  }
}

const bytes = (text: string) => Buffer.from(text);
const open = () => {
  const reader = new Reader();
  return { reader, stream: paced(reader as never) };
};

test("an event is one line of JSON with its kind", () => {
  assert.equal(eventOf("change", { a: "x\ny" }).toString(), 'event: change\ndata: {"a":"x\\ny"}\n\n');
});

test("a reader that keeps up gets each event", () => {
  const { reader, stream } = open();
  for (const each of ["a", "b"]) stream.send(bytes(each), () => bytes("whole"));
  assert.deepEqual(reader.read, ["a", "b"]);
});

test("a slow reader gets the newest whole state in place of what it missed", () => {
  const { reader, stream } = open();
  reader.isFull = true;
  stream.send(bytes("a"), () => bytes("whole a"));
  stream.send(bytes("b"), () => bytes("whole b"));
  stream.send(bytes("c"), () => bytes("whole c"));
  assert.deepEqual(reader.read, ["a"]);
  reader.isFull = false;
  reader.emit("drain");
  stream.send(bytes("d"), () => bytes("whole d"));
  assert.deepEqual(reader.read, ["a", "whole c", "d"]);
});

test("a reader that missed nothing gets no state again", () => {
  const { reader, stream } = open();
  reader.isFull = true;
  stream.send(bytes("a"), () => bytes("whole"));
  reader.isFull = false;
  reader.emit("drain");
  assert.deepEqual(reader.read, ["a"]);
});

test("a reader that takes nothing for too long is dropped", () => {
  const { reader, stream } = open();
  reader.isFull = true;
  for (let event = 0; event < 100; event++) stream.send(bytes("x"), () => bytes("whole"));
  assert.deepEqual([reader.read.length, reader.isDestroyed], [1, true]);
});
