// Tables for the choice of the next session to hibernate.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type AwakeSession,
  nextToHibernate,
  slotFreeInMs,
} from "../../../daemon/sessions/hibernation-policy.ts";

const RULES = { hibernateAfterMs: 300_000, patienceMs: 10_000 };
const busy = (key: string): AwakeSession => ({ key, idleMs: undefined });
const idle = (key: string, seconds: number, stays?: AwakeSession["stays"]): AwakeSession => ({
  key,
  idleMs: seconds * 1000,
  stays,
});
const rests = (key: string) => ({ key, sparing: true });
const rather = (key: string) => ({ key, sparing: false });
const later = (seconds: number | undefined) => ({ againInMs: seconds && seconds * 1000 });

const ALONE: [what: string, awake: AwakeSession[], next: object][] = [
  ["nobody is there", [], later(undefined)],
  ["all are at work", [busy("a"), busy("b")], later(undefined)],
  ["one will have been idle for long enough", [busy("a"), idle("b", 100), idle("c", 40)], later(200)],
  ["one has been idle for long enough", [idle("a", 299), idle("b", 300)], rests("b")],
  ["the longest idle comes first", [idle("a", 400), idle("b", 500)], rests("b")],
  ["what would lose something stays", [idle("a", 999, "would-lose"), idle("b", 100)], later(200)],
  ["what failed to rest is not tried at once", [idle("a", 999, "failed")], later(undefined)],
];
for (const [what, awake, next] of ALONE)
  test(`no session waits: ${what}`, () => assert.deepEqual(nextToHibernate(awake, false, RULES), next));

const WAITED_FOR: typeof ALONE = [
  ["all are at work", [busy("a")], later(undefined)],
  ["30 s are enough", [idle("a", 29), idle("b", 30)], rests("b")],
  ["it is looked again when 30 s have passed", [idle("a", 12)], later(18)],
  [
    "what would lose something stays while another can rest",
    [idle("a", 999, "would-lose"), idle("b", 30)],
    rests("b"),
  ],
  [
    "it stays while another can rest before the one that waits gives up",
    [idle("a", 999, "would-lose"), idle("b", 20)],
    later(10),
  ],
  ["it rests where no other can", [busy("b"), idle("a", 300, "would-lose")], rather("a")],
  ["it rests where others could only much later", [idle("a", 300, "would-lose"), idle("b", 5)], rather("a")],
  ["it is not taken for idle after 30 s", [idle("a", 60, "would-lose"), busy("b")], later(240)],
  ["what failed to rest is not forced", [idle("a", 999, "failed")], later(undefined)],
];
for (const [what, awake, next] of WAITED_FOR)
  test(`another waits: ${what}`, () => assert.deepEqual(nextToHibernate(awake, true, RULES), next));

test("never: no session hibernates by itself, and for another one only without a loss", () => {
  const never = { ...RULES, hibernateAfterMs: 0 };
  assert.deepEqual(nextToHibernate([idle("a", 9999)], false, never), later(undefined));
  assert.deepEqual(nextToHibernate([idle("a", 30)], true, never), rests("a"));
  assert.deepEqual(nextToHibernate([idle("a", 9999, "would-lose")], true, never), later(undefined));
});

test("a session with a short idle bound makes room as soon", () => {
  const soon = { ...RULES, hibernateAfterMs: 2_000 };
  assert.deepEqual(nextToHibernate([idle("a", 2)], true, soon), rests("a"));
  assert.deepEqual(nextToHibernate([idle("a", 2)], false, soon), rests("a"));
});

const FREE: [what: string, awake: AwakeSession[], inSeconds: number | undefined][] = [
  ["not known while all are at work", [busy("a")], undefined],
  ["when the first has been idle for 30 s", [idle("a", 12), idle("b", 3), busy("c")], 18],
  ["at once where one has been", [idle("a", 40)], 0],
  ["later where something would be lost", [idle("a", 12, "would-lose")], 288],
];
for (const [what, awake, inSeconds] of FREE)
  test(`a slot is free: ${what}`, () =>
    assert.equal(slotFreeInMs(awake, RULES), inSeconds && inSeconds * 1000));
