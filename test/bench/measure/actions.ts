/** Actions, until the reply tells what came of them: click, type, navigate. */
import { afterClicks } from "../pages/small-pages.ts";
import type { Entrant } from "./entrant.ts";
import { attempt, inTurn, type Run } from "./rounds.ts";

export const actionsPage = "actions";
export const navigatePage = "small-page";

interface Refs {
  button: string;
  field: string;
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
  const refs = new Map<Entrant, Refs>();
  const rounds = run.quick ? 3 : 11;
  await inTurn(run, { page: actionsPage, rounds }, async ({ entrant, round, keep }) => {
    const { dialect, id } = entrant.contender;
    const { button, field } = refs.get(entrant) ?? (await begin(entrant));
    refs.set(entrant, { button, field });
    const clicked = await entrant.do(dialect.click(button));
    // The others are let off: not all of their replies tell it.
    if (id === "troupe") mustHold(clicked.text, afterClicks(round + 1));
    keep("click", clicked);
    keep("type", await entrant.do(dialect.type(field, `Ada ${round}`)));
    if (round === rounds - 1) await entrant.look("full", afterClicks(rounds));
  });
}

async function begin(entrant: Entrant): Promise<Refs> {
  const { refOf } = entrant.contender.dialect;
  await entrant.stage.visit("actions");
  const text = (await entrant.look("full", "Add one"))?.text ?? "";
  const button = refOf(text, "button", "Add one");
  const field = refOf(text, "textbox", "Name");
  if (!button || !field) throw new Error("its look gives no refs of the button and the field");
  return { button, field };
}

function mustHold(text: string, part: string): void {
  if (!text.includes(part)) throw new Error(`its reply lacks ${JSON.stringify(part)}`);
}
