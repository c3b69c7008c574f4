// Opens the link that the person came by. Its secret leaves the address at once, so that no history keeps it.

const REFUSED: Readonly<Record<string, string>> = {
  invalid: "This link has been opened before, has ended, or was never made. Ask for a new one.",
  taken: "Another person is at work in this session now. Open the link again once they have left.",
};

/** A turn that has begun. It has a cookie, and an id in the page's address for when the page is loaded again. */
export type Turn = { id: string } | { refused: string };

export async function openedTurn(): Promise<Turn> {
  const secret = location.hash.slice(1);
  if (/^[0-9a-f]{16}$/.test(secret)) return { id: secret };
  const response = await fetch("/takeover/open", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: secret }),
  });
  const { state, id } = (await response.json()) as { state?: string; id?: string };
  // A link that can be opened later stays in the address.
  if (state === "taken") return { refused: REFUSED.taken ?? "" };
  if (state !== "opened" || id === undefined) return { refused: REFUSED.invalid ?? "" };
  history.replaceState(null, "", `#${id}`);
  return { id };
}
