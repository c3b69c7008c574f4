/** The users who can log in, and the browser state of a logged-in user. */

export interface User {
  /** The name to log in with, which is also the role's name in troupe.yaml. */
  username: LoginRole;
  password: string;
  name: string;
  admin: boolean;
  /** The value of the session cookie. It is fixed, so that a login in a file outlives the process. */
  session: string;
  /** The user's chosen currency, which the browser keeps. */
  currency: string;
}

export type LoginRole = "customer" | "admin";

export const sessionCookie = "shop_session";

export const users: readonly User[] = [
  {
    username: "customer",
    password: "customer-demo",
    name: "Carla Customer",
    admin: false,
    session: "demo-session-of-carla",
    currency: "USD",
  },
  {
    username: "admin",
    password: "admin-demo",
    name: "Adam Admin",
    admin: true,
    session: "demo-session-of-adam",
    currency: "GBP",
  },
];

/** Returns the user of a session, or undefined for a guest. */
export function userOf(session: string | undefined): User | undefined {
  return users.find((user) => user.session === session);
}

/** Returns a logged-in browser as Playwright's storageState, for the shop at `url`. */
export function storageStateFor(role: LoginRole, url: string): StorageState {
  const user = users.find(({ username }) => username === role);
  if (!user) throw new RangeError(`no such login: ${role}`);
  const { hostname, origin } = new URL(url);
  return {
    cookies: [
      {
        name: sessionCookie,
        value: user.session,
        domain: hostname,
        path: "/",
        expires: -1,
        httpOnly: true,
        secure: false,
        sameSite: "Lax",
      },
    ],
    origins: [{ origin, localStorage: [{ name: "currency", value: user.currency }] }],
  };
}

/** https://playwright.dev/docs/api/class-browsercontext#browser-context-storage-state */
export interface StorageState {
  cookies: {
    name: string;
    value: string;
    domain: string;
    path: string;
    expires: number;
    httpOnly: boolean;
    secure: boolean;
    sameSite: "Strict" | "Lax" | "None";
  }[];
  origins: { origin: string; localStorage: { name: string; value: string }[] }[];
}
