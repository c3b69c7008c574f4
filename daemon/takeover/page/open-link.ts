// Opens the link that the person came by. Its secret leaves the address at once, so that no history keeps it.

const ANSWER_MS_MAX = 10_000;
const ASK = "Ask for another link.";
const REFUSED: Readonly<Record<string, string>> = {
  used: `This link has been opened before, and each link opens once. ${ASK}`,
  unknown: `This link is not known here. It has ended, or was never made. ${ASK}`,
  taken: "Another person is at work in this session now. Open the link again once they have left.",
  unreachable: "Troupe cannot be reached. Load this page again once it can.",
};
const OVER: Readonly<Record<string, string>> = {
  "handed-back": "You have handed the session back. This page can be closed.",
  lost: "The connection was gone for too long, and the session went back to its agent.",
  timeout: "The time is up, and the session went back to its agent.",
  rights: "The right to this link was taken back, and the session went back to its agent.",
  session: "The session has ended.",
  worker: `The agent's browser has ended or was started again. ${ASK}`,
  restart: `The agent's browser is started again. ${ASK}`,
  role: "The role of this session was removed, and its browser ends.",
  daemon: "Troupe has ended.",
  elsewhere: "The session is shown in another window of yours.",
};

/** The words for the end of a turn. */
export function wordsOf(over: string): string {
  return OVER[over] ?? "The session went back to its agent.";
}

/** A turn that has begun. It has a cookie, and an id in the page's address for when the page is loaded again. */
export type Turn = { id: string } | { refused: string };

export async function openedTurn(): Promise<Turn> {
  const secret = location.hash.slice(1);
  const isTurn = /^[0-9a-f]{16}$/.test(secret);
  const answer = await asked(isTurn ? { turn: secret } : { token: secret });
  const { state, id, why = "unknown" } = answer ?? { state: "invalid", why: "unreachable" };
  if (state === "opened" && id !== undefined) {
    history.replaceState(null, "", `#${id}`);
    return { id };
  }
  if (state === "over") return { refused: wordsOf(why) };
  // A link that can be opened later stays in the address.
  return { refused: REFUSED[state === "taken" ? state : why] ?? "" };
}

/** Says how a turn stands that lost its connection. It runs on as long as the daemon cannot say otherwise. */
export async function turnStanding(id: string): Promise<Turn> {
  const { state, why = "unknown" } = (await asked({ turn: id })) ?? {};
  if (state === "over") return { refused: wordsOf(why) };
  return state === "invalid" ? { refused: REFUSED[why] ?? "" } : { id };
}

/** Returns undefined if no answer of the daemon comes. */
async function asked(body: object): Promise<{ state?: string; id?: string; why?: string } | undefined> {
  try {
    const response = await fetch("/takeover/open", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    return await response.json();
  } catch (error) {
    // No network, no answer in time, or the page of a proxy in front of the daemon.
    if ([TypeError, DOMException, SyntaxError].some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}
