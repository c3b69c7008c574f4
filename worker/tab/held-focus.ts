// The focus that a page believes it has, whichever tab is in front.
import type { CDPSession } from "puppeteer-core";

/** A tab behind another one is as visible and focused to its page as if it were in front. */
export async function holdFocus(client: CDPSession, isHeld: boolean): Promise<void> {
  await client.send("Emulation.setFocusEmulationEnabled", { enabled: isHeld });
}
