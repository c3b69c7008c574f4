// Finds keys that cannot hold for a role with an attached browser.
import { isLoopback } from "../../proto/machine/address.ts";
import type { Configuration } from "../config-schema/definition.ts";
import type { Path } from "../config-schema/schema-walk.ts";

type Role = Configuration["roles"][string];
type Given = Readonly<Record<string, unknown>>;

/** Returns the keys that contradict `connect`, each at its path. */
export function attachedProblems({ browser, roles }: Configuration): { path: Path; text: string }[] {
  const common = browser.connect === undefined ? [] : startKeys(browser);
  return [
    ...common.map((key) => ({ path: ["browser", key], text: NO_START })),
    ...Object.entries(roles).flatMap(([name, role]) => {
      if (!isAttached(role, browser)) return [];
      const own = startKeys(role.browser).map((key) => ({
        path: ["roles", name, "browser", key],
        text: NO_START,
      }));
      const connect = role.browser.connect ?? browser.connect ?? "";
      const isAway = role.isolation === "session" && !isOnThisMachine(connect);
      const where = role.browser.connect === undefined ? [] : ["roles", name];
      const away = isAway ? [{ path: [...where, "browser", "connect"], text: AWAY }] : [];
      const personal = role.isolation === "role" ? personalProblems(role) : [];
      return [...own, ...away, ...personal.map(({ key, text }) => ({ path: ["roles", name, key], text }))];
    }),
  ];
}

/** Returns the warnings for keys that have no effect. `given`: the roles as the file has them. */
export function attachedWarnings({ browser, roles }: Configuration, given: unknown): string[] {
  const written = (given ?? {}) as Readonly<Record<string, Given | undefined>>;
  const isIgnored = browser.connect !== undefined && browser.executable !== undefined;
  const common = isIgnored ? [`browser.executable has no effect: ${RUNS}`] : [];
  const own = Object.entries(roles).flatMap(([name, role]) => {
    if (!isAttached(role, browser)) return [];
    const program =
      role.browser.executable === undefined
        ? []
        : [`roles.${name}.browser.executable has no effect: ${RUNS}`];
    const without = Object.entries(WITHOUT_EFFECT)
      .filter(([key]) => written[name]?.[key] !== undefined)
      .map(([key, why]) => `roles.${name}.${key} has no effect: ${why}`);
    return [...program, ...without, ...(role.isolation === "role" ? [`role ${name}: ${OPEN}`] : [])];
  });
  return [...common, ...own];
}

function isAttached(role: Role, browser: Configuration["browser"]): boolean {
  return (role.browser.connect ?? browser.connect) !== undefined;
}

const NO_START =
  "is given beside connect: the browser runs already, so it is not started with that; take one of them out";

const AWAY =
  "leads to another machine: its contexts would need the role's proxy, which listens on this machine only; name a browser on this machine, or set isolation: role for the browser's own context";

function isOnThisMachine(connect: string): boolean {
  return connect === "auto" || isLoopback(new URL(connect).hostname);
}

const RUNS = "a role with connect uses a browser that runs already";

const WITHOUT_EFFECT = {
  memory: "the memory of an attached browser is not measured",
  maxAge: "a worker that is attached to a browser is not replaced for its age",
  prepare: "no session is prepared in an attached browser",
};

const OPEN =
  "isolation: role works in the person's own context of the browser, with its logins, and past Troupe's proxy: documents are checked by their address, other requests are not";

/** Returns the keys of a browser's start that differ from their defaults. */
function startKeys({ headless, sandbox, args }: Role["browser"]): string[] {
  const isGiven = {
    headless: headless === false,
    sandbox: sandbox !== undefined && sandbox !== "auto",
    args: args !== undefined && args.length > 0,
  };
  return Object.entries(isGiven).flatMap(([key, given]) => (given ? [key] : []));
}

function personalProblems({ allow, allowRequests, auth, saveAuth }: Role): { key: string; text: string }[] {
  const wall =
    "cannot hold in the person's own context of an attached browser, which has no proxy of Troupe's; take it out, or set isolation: session";
  const login =
    "is given, but the role works with the logins of the person's own context (browser.connect with isolation: role); take it out, or set isolation: session";
  return [
    ...(allow?.length ? [{ key: "allow", text: wall }] : []),
    ...(allowRequests?.length ? [{ key: "allowRequests", text: wall }] : []),
    ...(auth ? [{ key: "auth", text: login }] : []),
    ...(saveAuth ? [{ key: "saveAuth", text: login }] : []),
  ];
}
