// Logins that the site ends while a session works.
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Fault } from "../stage/fault.ts";
import type { Stage } from "../stage/fault-harness.ts";

export const logins: Fault[] = [
  {
    name: "a login that has expired, where its file holds a fresher one",
    type: "AUTHENTICATION_EXPIRED",
    recovers: "yes",
    async arrange(stage) {
      const { agent, account, served } = await expired(stage, "member-fresh");
      await saveLogin(stage, "member-fresh", "second");
      return { agent, tool: "browser_navigate", args: { url: account }, reached: () => served("second") };
    },
  },
  {
    name: "a login that has expired, where its file holds no other",
    type: "AUTHENTICATION_EXPIRED",
    recovers: "no",
    async arrange(stage) {
      const { agent, account } = await expired(stage, "member-stale");
      return { agent, tool: "browser_navigate", args: { url: account } };
    },
  },
];

/** A logged-in session whose login the site no longer accepts. From now on it accepts another. */
async function expired(stage: Stage, role: string) {
  const { site, loginUrl } = stage;
  let valid = "first";
  const welcomed: string[] = [];
  const account = site.route((request, response) => {
    if (!request.headers.cookie?.includes(`login=${valid}`)) {
      response.writeHead(302, { location: loginUrl, "cache-control": "no-store" }).end();
      return;
    }
    welcomed.push(valid);
    response.setHeader("content-type", "text/html").end("<h1>Your account</h1>");
  });
  await saveLogin(stage, role, valid);
  const agent = await stage.agent({ role });
  await agent.text("browser_navigate", { url: account });
  valid = "second";
  return { agent, account, served: (login: string) => welcomed.includes(login) };
}

/** Writes a storageState with the site's cookie. */
async function saveLogin({ troupe, site }: Stage, role: string, login: string): Promise<void> {
  const cookie = { name: "login", value: login, domain: new URL(site.origin).hostname, path: "/" };
  const rest = { expires: -1, httpOnly: true, secure: false, sameSite: "Lax" };
  const state = { cookies: [{ ...cookie, ...rest }], origins: [] };
  await writeFile(path.join(troupe.dir, `auth/${role}.json`), JSON.stringify(state), { mode: 0o600 });
}
