// The keys of a role, and of its browser.
import * as z from "zod";
import {
  approval,
  browserAddress,
  documentOrigin,
  duration,
  durationOrNever,
  filePath,
  flag,
  oneOf,
  origin,
  size,
  text,
  webAddress,
  whole,
} from "./values.ts";

const sandbox = z
  .union([z.boolean(), z.literal("auto")])
  .meta({ allowed: "auto, true or false", words: ["auto"] });

const browserKeys = {
  headless: flag().describe("Without a window"),
  sandbox: sandbox.describe("auto: on wherever it can be; true: or the role fails"),
  args: z
    .array(text("an argument such as --lang=de", /^--[^\0]+$/))
    .meta({ allowed: "a list of arguments" })
    .describe("Further arguments of the browser"),
  executable: filePath().describe("The browser's program; without it, one is looked for"),
  connect: browserAddress().describe(
    "A running browser to attach to instead: its debugging address, or `auto` for this user's Chrome with remote debugging switched on at chrome://inspect. See docs/ATTACH.md",
  ),
};

/** The `browser` section for all roles. */
export const browserDefinition = z.strictObject({
  headless: browserKeys.headless.default(true),
  sandbox: browserKeys.sandbox.default("auto"),
  args: browserKeys.args.default([]),
  executable: browserKeys.executable.optional(),
  connect: browserKeys.connect.optional(),
});

/** The keys in which a role's browser differs from the `browser` section. */
const browserOfRole = z.strictObject({
  headless: browserKeys.headless.optional(),
  sandbox: browserKeys.sandbox.optional(),
  args: browserKeys.args.optional(),
  executable: browserKeys.executable.optional(),
  connect: browserKeys.connect.optional(),
});

const authCheck = z.strictObject({
  loginUrl: text("an address in which * stands for anything")
    .optional()
    .describe("Where the site sends who is not logged in; `*.` means the host and all below it"),
  loggedInText: text("a text").optional().describe("What pages show only to who is logged in"),
});

const sourceKeys = {
  file: filePath().optional().describe("A file with the value; its last line break does not count"),
  env: text("the name of a variable", /^[A-Za-z_]\w{0,127}$/)
    .optional()
    .describe("A variable of the daemon's environment"),
  command: z
    .array(text("words without line breaks", /^[^\0\r\n]{1,4096}$/))
    .min(1)
    .max(50)
    .optional()
    .meta({ allowed: 'a program and its arguments, as [op, read, "op://shop/password"]' })
    .describe(
      "A program that prints the value within 20 s. No shell runs it. Its output is kept in memory for 60 s",
    ),
};

const seed = z
  .strictObject(sourceKeys)
  .refine(hasOneSource)
  .meta({ allowed: "one of file, env and command", secret: true });

const credential = z
  .strictObject({
    ...sourceKeys,
    totp: seed
      .optional()
      .describe(
        "The source of a seed for codes (RFC 6238): base32, or an otpauth:// address with algorithm, digits and period",
      ),
    origins: z
      .array(origin())
      .min(1)
      .optional()
      .meta({ allowed: "a list of origins" })
      .describe("Only documents of these origins get it. Default: `allow`, else the origin of `startUrl`"),
  })
  .refine(hasOneSource)
  // The secret itself may have been written in its place.
  .meta({ allowed: "one of file, env, command and totp, and origins", secret: true });

function hasOneSource(source: object): boolean {
  return ["file", "env", "command", "totp"].filter((key) => key in source).length === 1;
}

/** One entry of `roles`. */
export const roleDefinition = z
  .strictObject({
    eager: flag().default(false).describe("Start the worker with the daemon, not with the first call"),
    isolation: oneOf("session", "role")
      .default("session")
      .describe("session: a browser context for each session; role: sessions share one"),
    sessions: whole(1, 1000)
      .default(8)
      .describe("Sessions that are awake at once; one at rest makes room for one that waits"),
    hibernateAfter: durationOrNever("1s", "30d")
      .prefault("5m")
      .describe(
        "A session that nobody has used for so long rests: its storage and tabs are kept, its browser context is closed, its next call brings it back. After 30 s already while another session waits for a place. Kept of each context are at most 2,000,000 characters of web storage, and as many of databases. A session that stores more, or would lose typed text, a changed control, an open dialog, an open connection, a playing medium or a page without an address, is spared as long as another can rest. `never`: only for another session",
      ),
    prepare: flag()
      .default(true)
      .describe(
        "Keep a browser context with the login and an empty tab ready for the next session (`isolation: session`)",
      ),
    freezeAfter: durationOrNever("1s", "1d")
      .prefault("60s")
      .describe(
        "Pages of a session that nobody has used for so long stand still until its next call: their timers, animations, and what servers send them wait. Pages can notice (`freeze`, `visibilitychange`, `blur`). Only with `isolation: session`: what a page has locked would stay so for the others of a shared context",
      ),
    startUrl: webAddress().optional().describe("Where a session's first tab begins"),
    auth: filePath().optional().describe("The role's login: a Playwright storageState file"),
    authRequired: flag()
      .default(false)
      .describe("true: no login, no role; false: carry on and warn in every snapshot"),
    authCheck: authCheck.optional().describe("How an expired login is noticed"),
    evaluate: flag()
      .default(false)
      .describe(
        "browser_evaluate runs scripts of the client in pages. browser_storage then shows what scripts can read, also if it looks like a secret",
      ),
    debugger: flag().default(false).describe("The debugger's tools, in the profile `debug`"),
    saveAuth: flag().default(false).describe("browser_save_auth may overwrite the role's login"),
    memory: size("100MiB", "1024GiB")
      .prefault("1500MiB")
      .describe("Worker and browser together, as the sum of PSS"),
    maxAge: duration("1m", "365d").prefault("24h").describe("Planned recycling, between calls"),
    allow: z
      .array(documentOrigin())
      .optional()
      .meta({ allowed: "a list of origins" })
      .describe(
        "Origins of documents: pages, frames, popups, redirects; any http(s) without. A whole scheme, such as `file:`, opens what is closed otherwise; so does an origin that is a metadata or daemon address itself. `https://wiki.example read-only`: its pages may only be looked at",
      ),
    allowRequests: z
      .array(origin())
      .optional()
      .meta({ allowed: "a list of origins" })
      .describe("Beside `allow`, and only with it: what else a page may request; anything without"),
    approve: z
      .array(approval())
      .default([])
      .meta({ allowed: "a list of downloads, uploads, submit:ADDRESS and navigate:ADDRESS" })
      .describe(
        "Actions that wait for a person, who decides in the console or by `troupe approve`. `submit:` is a request that may change something, `navigate:` a page that is opened from elsewhere. In the path `*` stands for any text; no path means all. See docs/APPROVALS.md",
      ),
    approveWithin: duration("1s", "1h")
      .prefault("5m")
      .describe("What nobody has decided about after so long is refused"),
    credentials: z
      .record(text("a name of letters, digits, - and _", /^[\w-]{1,64}$/), credential)
      .optional()
      .meta({
        allowed: "names with a source each, as { password: { file: secrets/customer } }",
      })
      .describe(
        "Secrets that browser_type inserts for `{{ROLE.NAME}}`. Models never see their values: these are masked in all texts and pictures",
      ),
    record: flag()
      .default(false)
      .describe(
        "Keep evidence of each call: its arguments, what it replied, a small picture, and the plan of a failure. `troupe sessions ID --evidence FILE` exports it. See docs/EVIDENCE.md",
      ),
    mask: z
      .array(text("a CSS selector", /^[^{}\0]{1,1000}$/))
      .max(100)
      .default([])
      .meta({ allowed: "a list of CSS selectors" })
      .describe(
        "Elements that pictures of evidence and of the console hide, beside fields of passwords and secrets. A delta still has their text",
      ),
    browser: browserOfRole.prefault({}).describe("What differs from `browser` for this role"),
  })
  .meta({ allowed: "the role's keys" });

export type RoleDefinition = z.output<typeof roleDefinition>;
