// Makes a page believe that it has the focus, whichever tab is in front.
import type { CDPSession } from "puppeteer-core";

/** Holds the focus of a page, so that its tab counts as visible and focused even in the background. */
export async function holdFocus(client: CDPSession, isHeld: boolean): Promise<void> {
  await client.send("Emulation.setFocusEmulationEnabled", { enabled: isHeld });
}
