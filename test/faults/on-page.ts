// The commonest fault: an element of a page is acted on that is not, or is no longer, as the call takes it to be.
import type { JsonObject } from "../../proto/wire/struct.ts";
import { refOf } from "../e2e/troupe.ts";
import type { Held, Site } from "../site/serve.ts";
import type { Fault } from "./fault.ts";
import type { Choice } from "./literal-agent.ts";

type ElementName = readonly [role: string, name: string];

/** What a page is made with. */
export interface PageParts {
  /** A script that says that what the call is for has been done. */
  done: string;
  /** Where the same is said by a page that cannot run that script. */
  doneUrl: string;
  /** A script that says that something was done which nobody meant. */
  harm: string;
  /** Answers once the call has failed: what the page waits for. */
  held: Held;
  site: Site;
}

/** A fault by its page and the call; where no tool is named, a click. */
export interface PageFault extends Omit<Fault, "arrange"> {
  html(parts: PageParts): string;
  /** What is clicked before, for the fault to come about. */
  first?: ElementName;
  /** What the call acts on. */
  on: ElementName;
  tool?: string;
  /** The call's arguments besides the ref. */
  args?: JsonObject;
  intent?: readonly Choice[];
}

export function onPage({
  html,
  first,
  on,
  tool = "browser_click",
  args,
  intent,
  ...fault
}: PageFault): Fault {
  return {
    ...fault,
    async arrange({ agent: enter, beacon, site }) {
      const agent = await enter();
      const [done, harm] = [beacon(), beacon()];
      const held = site.hold();
      const page = await agent.open(
        html({ done: done.tell, doneUrl: done.url, harm: harm.tell, held, site }),
      );
      if (first) await agent.text("browser_click", { ref: refOf(page, ...first) });
      return {
        agent,
        tool,
        args: { ref: refOf(page, ...on), ...args },
        failed: () => held.release(),
        reached: done.toldOnce,
        unharmed: harm.untold,
        ...(intent && { intent }),
      };
    },
  };
}
