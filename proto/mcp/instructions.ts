// The server's instructions for every model that uses it.

/** It is short because it stands in the context of each conversation. */
export const INSTRUCTIONS = `Troupe drives logged-in browser roles.
1. Look: browser_navigate, browser_snapshot and browser_find show the page as lines such as - button "Save" [ref=e5].
2. Act on a ref: browser_click(ref: "e5"). The reply shows what changed, with new refs; take a snapshot only if you need more.
3. Refs live as long as their page: after a navigation use those of the newest reply.
Each role is a separate browser with its own login and tabs. select_role(role) changes the current one; the argument role on any other tool is for that call alone.
If several agents share this connection, each gives its own name as session in every call: it then has tabs, a current role and refs of its own.
When a call fails, follow the numbered steps of its text in order.`;
