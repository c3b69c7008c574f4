// The commonest fault: a call acts on an element that is not, or is no longer, as the call expects.
import type { JsonObject } from "../../../proto/wire/struct.ts";
import { refOf } from "../../harness/troupe.ts";
import type { Held, Site } from "../../site/serve.ts";
import type { Fault } from "../stage/fault.ts";
import type { Choice } from "../stage/literal-agent.ts";

type ElementName = readonly [role: string, name: string];

/** The parts of a page. */
export interface PageParts {
  /** A script that reports that the call's purpose was reached. */
  done: string;
  /** The address with the same effect, for a page that cannot run that script. */
  doneUrl: string;
  /** A script that reports an unintended action. */
  harm: string;
  /** The response that the page waits for. It comes once the call has failed. */
  held: Held;
  site: Site;
}

/** A fault with a page and a call. The default tool is a click. */
export interface PageFault extends Omit<Fault, "arrange"> {
  html(parts: PageParts): string;
  /** The element of a first click, which causes the fault. */
  first?: ElementName;
  /** The call's element. */
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

/** A script that goes on when the server answers. It sends its request after the reply to the call that started it. */
export const when = ({ url }: Held, script: string) =>
  `setTimeout(() => fetch('${url}').then(() => { ${script} }), 300)`;
