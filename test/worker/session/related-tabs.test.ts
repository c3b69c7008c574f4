import assert from "node:assert/strict";
import { test } from "node:test";
import { relatedTabs } from "../../../worker/session/related-tabs.ts";

const tab = (targetId: string, openerId?: string, reachesOpener = openerId !== undefined) => ({
  targetId,
  openerId,
  reachesOpener,
});

test("popups, their openers and popups of popups are related over any distance", () => {
  const tabs = [tab("a"), tab("b", "a"), tab("c", "b"), tab("d", "a"), tab("other")];
  for (const each of tabs.slice(0, 4)) {
    const names = relatedTabs(each, tabs).map(({ targetId }) => targetId);
    assert.deepEqual(
      names.sort(),
      ["a", "b", "c", "d"].filter((name) => name !== each.targetId),
    );
  }
  assert.deepEqual(relatedTabs(tab("other"), tabs), []);
});

test("a popup that does not reach its opener is unrelated", () => {
  const [opener, popup] = [tab("a"), tab("b", "a", false)];
  assert.deepEqual(relatedTabs(opener, [opener, popup]), []);
  assert.deepEqual(relatedTabs(popup, [opener, popup]), []);
});
