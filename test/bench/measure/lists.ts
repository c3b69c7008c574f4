/**
 * Measures snapshots of lists of growing size: the first one, after changes, without changes, and within the default
 * budget.
 */
import { endOfList, hugeRows, listPage, listSizes } from "../pages/list-page.ts";
import type { ContenderId } from "../results/results.ts";
import { inTurn, type Round, type Run } from "./rounds.ts";

/** Rounds for each size. The shorter they are, the more there are. */
const roundsOf: Record<(typeof listSizes)[number], number> = { 10: 11, 125: 11, 1250: 7, 6250: 5 };
/** From this size on a peer's snapshot takes seconds, so peers get fewer questions. */
const dearRows = 6250;
const dearRounds = 3;

export async function measureLists(run: Run, isChosen: (page: string) => boolean): Promise<void> {
  for (const rows of listSizes) {
    const page = listPage(rows);
    if (!isChosen(page)) continue;
    const most = run.quick ? 2 : roundsOf[rows];
    const rounds = (id: ContenderId) =>
      id === "troupe" || rows < dearRows ? most : Math.min(most, dearRounds);
    await inTurn(run, { page, rounds }, async (round) => {
      await looksAtWhole(round, rows);
      await looksWithinBudget(round, rows);
    });
  }
  const huge = listPage(hugeRows);
  if (isChosen(huge)) await measureHuge(run, huge);
}

/** One whole snapshot is enough to show where the others are. */
async function measureHuge(run: Run, page: string): Promise<void> {
  const rounds = (id: ContenderId) => (id !== "troupe" ? 1 : run.quick ? 2 : 5);
  await inTurn(run, { page, rounds }, async (round) => {
    await looksWithinBudget(round, hugeRows);
    if (round.round > 0) return;
    await round.entrant.stage.visit(`rows/${hugeRows}`);
    round.keep("full-first", await round.entrant.look("full", endOfList(hugeRows)));
  });
}

async function looksAtWhole({ entrant, round, keep }: Round, rows: number): Promise<void> {
  const { stage, contender } = entrant;
  await stage.visit(`rows/${rows}`);
  keep("full-first", await entrant.look("full", endOfList(rows)));

  const price = `$1${100 + round}.50`;
  await stage.change({ rows: [rows >> 1], price, toggle: false });
  keep("one-row", await entrant.look("again", price));

  // Five rows or one make little difference to the others.
  if (contender.id === "troupe" || rows < dearRows) {
    const next = `$2${100 + round}.50`;
    await stage.change({ rows: fiveOf(rows), price: next, toggle: true });
    keep("full-again", await entrant.look("full", next));
  }
  keep("unchanged", await entrant.look("again", contender.dialect.unchanged ?? endOfList(rows)));
}

async function looksWithinBudget({ entrant, round, keep }: Round, rows: number): Promise<void> {
  const { dialect, id } = entrant.contender;
  if (!dialect.look("default") || (id !== "troupe" && rows >= dearRows)) return;
  await entrant.stage.visit(`rows/${rows}`);
  keep("default-first", await entrant.look("default", "Home"));
  await entrant.stage.change({ rows: fiveOf(rows), price: `$3${100 + round}.50`, toggle: true });
  keep("default-again", await entrant.look("default-whole", "Home"));
}

/** Returns five rows from all over the list. */
const fiveOf = (rows: number) => [0, 1, 2, 3, 4].map((i) => Math.floor((i * (rows - 1)) / 4));
