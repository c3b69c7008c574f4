/** Measures actions up to the reply that shows their result: click, type, navigate. */

import type { Running } from "../contenders/contender.ts";
import { afterClicks } from "../pages/small-pages.ts";
import type { Entrant } from "./entrant.ts";
import { attempt, inTurn, type Run } from "./rounds.ts";

export const actionsPage = "actions";
export const navigatePage = "small-page";

/** The page as one browser shows it. */
interface Shown {
  button: string;
  field: string;
  clicks: number;
}

export async function measureActions(run: Run): Promise<void> {
  await measureClickAndType(run);
  await inTurn(run, { page: navigatePage, rounds: run.quick ? 3 : 11 }, async ({ entrant, keep }) => {
    keep("navigate", await entrant.do(entrant.contender.dialect.navigate(entrant.stage.small())));
  });
  for (const entrant of run.entrants) {
    await attempt(run, { contender: entrant.contender.id, page: navigatePage }, () => entrant.enterAgain());
  }
}

async function measureClickAndType(run: Run): Promise<void> {
  // A restarted contender begins anew.
  const shownTo = new Map<Running, Shown>();
  const rounds = run.quick ? 3 : 11;
  await inTurn(run, { page: actionsPage, rounds }, async ({ entrant, round, keep }) => {
    const { dialect, id } = entrant.contender;
    const shown = shownTo.get(entrant.running) ?? (await begin(entrant));
    shownTo.set(entrant.running, shown);
    const clicked = await entrant.do(dialect.click(shown.button));
    shown.clicks++;
    // The others need not show it, because not all of their replies do.
    if (id === "troupe") mustHold(clicked.text, afterClicks(shown.clicks));
    keep("click", clicked);
    keep("type", await entrant.do(dialect.type(shown.field, `Ada ${round}`)));
    if (round === rounds - 1) await entrant.look("full", afterClicks(shown.clicks));
  });
}

export async function begin(entrant: Entrant): Promise<Shown> {
  const { refOf } = entrant.contender.dialect;
  await entrant.stage.visit("actions");
  const text = (await entrant.look("full", "Add one"))?.text ?? "";
  const button = refOf(text, "button", "Add one");
  const field = refOf(text, "textbox", "Name");
  if (!button || !field) throw new Error("its look gives no refs of the button and the field");
  return { button, field, clicks: 0 };
}

function mustHold(text: string, part: string): void {
  if (!text.includes(part)) throw new Error(`its reply lacks ${JSON.stringify(part)}`);
}
