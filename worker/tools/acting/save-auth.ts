// browser_save_auth: writes the session's cookies and storage to the role's login file, for sessions that begin later.
import { fail } from "../../../proto/errors/catalogue.ts";
import type { RoleConfig } from "../../../proto/gen/troupe.ts";
import { counted } from "../../../proto/text/counted.ts";
import { loginEndMs, untilText } from "../../../proto/text/login-end.ts";
import { requireWritable, saveLogin } from "../../login/auth-file.ts";
import { LoginError } from "../../login/login-error.ts";
import type { StorageState } from "../../storage/storage-state.ts";
import type { ToolHandler } from "../tool.ts";

export const saveAuth: ToolHandler<"SaveAuth"> = async (_request, { page: open, role, session }) => {
  checkAllowed(role.config);
  const page = await open();
  page.call.waitsFor = "the login to be read";
  const { kept } = session.context;
  const login = await page.during(kept.asLogin(page.tab.id, session.key));
  if (login.cookies.length === 0 && login.origins.length === 0) throw notLoggedIn(role.config.name);
  const left = await page.during(kept.notKept(session.key));
  await page.during(write(role.config, role.authPath, login));
  await role.sessions.renewLogin();
  const counts = { cookies: login.cookies.length, origins: login.origins.length };
  return {
    text: [inWords(role.config.name, role.authPath, login), ...left.map(leftOut)].join("\n"),
    ...counts,
  };
};

function checkAllowed({ name, saveAuth, authFile }: RoleConfig): void {
  const key = `roles.${name}.${saveAuth ? "auth" : "saveAuth: true"}`;
  if (saveAuth && authFile) return;
  throw fail("PERMISSION_DENIED", {
    what: `saving the login of role ${name}`,
    reason: saveAuth
      ? "The role has no file for a login."
      : "The configuration does not allow it for this role.",
    causes: [`The configuration has no ${key}`],
    steps: [`Do without it, or ask the operator to set ${key} in the configuration`],
  });
}

function notLoggedIn(name: string) {
  return fail("PERMISSION_DENIED", {
    what: `saving an empty login of role ${name}`,
    reason: "This session has no cookies and no storage. The file stays as it is.",
    causes: ["The site is not logged in, or its login is in another session"],
    steps: ["Log in on the site first, and then call browser_save_auth"],
  });
}

/** A login is written as `troupe login` writes it: whole or not at all, and for its owner only. */
async function write({ authFile }: RoleConfig, shown: string, login: StorageState): Promise<void> {
  try {
    await requireWritable(authFile, shown);
    await saveLogin(authFile, shown, login);
  } catch (error) {
    if (!(error instanceof LoginError)) throw error;
    const steps = ["Tell the operator of Troupe: the daemon's user must be able to write this file"];
    const what = "writing the login's file";
    throw fail(
      "PERMISSION_DENIED",
      { what, reason: `${error.message}.`, causes: [error.message], steps },
      error,
    );
  }
}

function inWords(name: string, shown: string, login: StorageState): string {
  const endMs = loginEndMs(login);
  const end = endMs === undefined ? "no date at which it ends" : `expires ${untilText(endMs, Date.now())}`;
  const { cookies, origins } = login;
  const what = `${counted(cookies.length, "cookie")}, storage of ${counted(origins.length, "origin")}`;
  return `Saved the login of role ${name} to ${shown}: ${what}, ${end}. Sessions that begin from now on have it.`;
}

function leftOut(what: string): string {
  return `Left out: ${what}`;
}
