// Pages that overload one role while three roles work.
import type { Scenario } from "./scenario/scenario.ts";
import { openStage } from "./scenario/stage.ts";
import { BAD, weather } from "./storm.ts";
import { stormPages } from "./storm-pages.ts";

const EACH = 2;

export const pages: Scenario = {
  name: "pages",
  about: `${stormPages.length} pages that loop, flood, ask or grow without end, in one of 3 roles at work (some 12 minutes)`,
  async *play({ say, interrupted, part }) {
    await using stage = await openStage({ each: EACH, interrupted, own: { [BAD]: { memory: "900MiB" } } });
    for (const [index, storm] of stormPages.entries()) {
      if (part !== undefined && !storm.title.includes(part)) continue;
      say(`${storm.title}…`);
      yield { title: storm.title, figures: await weather(stage, storm, index + 1) };
    }
  },
};
