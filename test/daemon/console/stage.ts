// A daemon with something to show in each view of the console.
import { readFileSync } from "node:fs";
import { testDaemon } from "../../harness/daemon.ts";
import { sha256 } from "../../harness/tokens.ts";

/** The views with their headings. */
export const VIEWS: Record<string, string> = {
  "": "Overview",
  sessions: "Sessions",
  calls: "Calls",
  failures: "Failed calls",
};

/** A title and a session's name that try to become markup, and are long. */
export const HOSTILE_TITLE = `"><img src=x onerror=alert(1)><script>alert(2)</script>${"W".repeat(300)}`;
export const HOSTILE_SESSION = `<b/onmouseover=alert(3)>'"%2f&amp;${"x".repeat(80)}`;

/** Opens the daemon. Without tokens, it has its own. */
export async function openStage({ withTokens = false } = {}) {
  const tokens = [
    { name: "boss", sha256: sha256("boss-token"), control: "write" },
    { name: "reader", sha256: sha256("reader-token"), control: "read" },
  ];
  const troupe = await testDaemon({
    ...(withTokens && { tokens }),
    roles: { visitor: {}, admin: { startUrl: "https://shop.example/admin" } },
  });
  const [address = ""] = troupe.daemon.http;
  const token = withTokens ? "boss-token" : readFileSync(troupe.config.state.token, "utf8").trim();
  const page = (title: string) => `http://shop.example/?title=${encodeURIComponent(title)}`;
  return {
    ...troupe,
    address,
    token,
    /** The address of a view, for a person who has not logged in. */
    entry: `${address}/console#token=${token}`,
    view: (name: string) => `${address}/console#/${name}`,
    visit: (title: string, session = "s1", role = "visitor") => troupe.open(page(title), { session, role }),
    /** A call of this session fails. */
    fail: (session = "s1") =>
      troupe.open(
        `http://do/fail?type=STALE_REF&data=${encodeURIComponent(
          JSON.stringify({ ref: "e5", role: "button", name: "Submit", tag: "button", candidates: [] }),
        )}`,
        { session, role: "visitor" },
      ),
    [Symbol.asyncDispose]: () => troupe[Symbol.asyncDispose](),
  };
}
