// Hides what the operator masks, and fields for secrets, while a picture is taken for a person who only looks. Secrets
// that the page shows as text are covered, too.
import { isGone } from "../core/gone.ts";
import type { Recording } from "../recording/recording.ts";
import { CallCame, NEXT_CALL, type Turns } from "../session/turn.ts";
import type { Frame } from "../tab/frames/frame.ts";
import { Page } from "../tab/page.ts";
import { ShowsSecret, veiled } from "./veil.ts";

/** A picture that hides a secret waits so long for the end of a call. */
const TURN_MS_MAX = 2_000;

/** A picture, or the reason why there is none. */
export type Masked = { image: Buffer } | { missing: string };

export interface MaskOptions {
  /** A picture that hides a secret is taken while no call has its turn, because the page cannot be read as it is meanwhile. */
  turns: Pick<Turns, "aside">;
  /** The operator's selectors of what is hidden. */
  masks: readonly string[];
  recording: Pick<Recording, "typed">;
}

/** Takes the picture while all frames hide what is masked. Without that, none is taken. */
export async function masked(
  page: Page,
  { turns, masks, recording }: MaskOptions,
  take: (page: Page) => Promise<Buffer>,
): Promise<Masked> {
  const { tab, call } = page;
  const work = async (by: Page, mayHide: boolean) => {
    const veil = () =>
      veiled(by, async () => ({ image: await take(by) }), { also: recording.typed, mayHide });
    return await tab.pictures.run(
      (before) => by.during(before),
      () => withMasks(by, masks, veil),
    );
  };
  try {
    return await work(page, false);
  } catch (error) {
    if (!(error instanceof ShowsSecret)) throw error;
  }
  const patience = AbortSignal.timeout(TURN_MS_MAX);
  try {
    return await turns.aside(AbortSignal.any([call.signal, patience]), (givenUp) =>
      work(new Page(tab, { ...call, signal: AbortSignal.any([call.signal, givenUp]) }), true),
    );
  } catch (error) {
    if (error instanceof CallCame) return { missing: NEXT_CALL };
    if (error === patience.reason) return { missing: "a call is under way" };
    throw error;
  }
}

async function withMasks(page: Page, masks: readonly string[], take: () => Promise<Masked>): Promise<Masked> {
  const { frames } = page.tab;
  const shown = [page.main(), ...frames.children].filter(({ loaderId }) => loaderId);
  const all = shown.filter(({ world }) => world);
  // Such a frame may be a document of Chrome's own, or one that has only begun.
  if (masks.length > 0 && all.length < shown.length) return { missing: "a frame cannot be masked yet" };
  try {
    const answers = await Promise.all(all.map((frame) => maskIn(page, frame, masks)));
    const missing = answers.find((answer) => answer !== "");
    return missing === undefined ? await take() : { missing };
  } finally {
    for (const frame of all) page.takeBack(frame, "unmask");
  }
}

/** A child frame that goes away meanwhile shows nothing more. */
async function maskIn(page: Page, frame: Frame, masks: readonly string[]): Promise<string> {
  try {
    return await page.askInPassing(frame, "mask", masks);
  } catch (error) {
    if (frame.parent && isGone(error)) return "";
    throw error;
  }
}
