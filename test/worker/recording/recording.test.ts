// Tests when a session's steps are stored again: a text may turn out to be a secret after it was stored.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RecordedStep } from "../../../worker/recording/recorded-step.ts";
import { Recording } from "../../../worker/recording/recording.ts";
import { TrackedSecrets } from "../../../worker/storage/tracked-secrets.ts";

const typed = (text: string): RecordedStep => ({
  tool: "browser_type",
  tab: "t1",
  urlBefore: "",
  args: { text },
  targets: {},
  hidden: {},
  outcome: { url: "", moved: false, shown: [] },
});

test("parts that show a secret are stored again once it is known", () => {
  const stored = new Map<string, string>();
  const reported: string[] = [];
  const secrets = new TrackedSecrets({ report: () => undefined, kept: async () => undefined });
  const recording = new Recording({
    secrets,
    isSecret: () => false,
    report: ({ name, data }) => {
      reported.push(name);
      stored.set(name, Buffer.from(data).toString());
    },
  });
  recording.add(typed("hunter2-Geheim"));
  for (let step = 1; step < 45; step++) recording.add(typed(`text ${step}`));
  recording.flush();
  assert.match(stored.get("steps 0") ?? "", /hunter2-Geheim/);
  reported.length = 0;
  recording.hide("hunter2-Geheim");
  recording.flush();
  recording.close();
  assert.deepEqual(reported, ["steps 0"]);
  assert.doesNotMatch([...stored.values()].join(), /hunter2/);
});
