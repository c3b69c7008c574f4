// `troupe mcp` runs the MCP server on stdio.
import {
  PROFILES,
  type Profile,
  profileNamed,
  SNAPSHOT_TOKENS,
  toolsOf,
} from "../../../proto/tools/read-tools.ts";
import { IDLE_EXIT } from "../../connection/autostart.ts";
import { EXIT, type ExitCode, usageError } from "../../connection/exit-code.ts";
import { type SharedFolders, sharedAccess } from "../../files/shared-folders.ts";
import { givenSessionId, newSessionId } from "../../session/session-id.ts";
import type { CommandDefinition, Invocation } from "../terminal/command.ts";

export const mcp: CommandDefinition = {
  usage: "mcp",
  summary: "serve MCP on stdin and stdout; starts a daemon in the background where none runs",
  options: [
    [
      "--role <name> [auth-file] [url]",
      "the role to begin with (TROUPE_ROLE); with a file, and repeatable: roles for a daemon that is started",
    ],
    ["--profile <profile>", "small, core, full or debug: the tools offered (TROUPE_PROFILE; default core)"],
    ["--session <id>", "a session that outlives this process (TROUPE_SESSION; default: one of its own)"],
    ["--max-tokens <n>", "the budget of snapshots (TROUPE_MAX_TOKENS; default: 6000, small 1500)"],
    ["--files <dir>", "the only folder that tools may read files from and write them to (default: none)"],
    ["--ask-person", "offer browser_ask_person, by which the agent asks for a person (TROUPE_ASK_PERSON=1)"],
    ["--record", "have the daemon keep evidence of this session's calls, also in a role without `record`"],
    ["--no-autostart", "fail instead of starting a daemon"],
    [
      "--idle-exit <duration>",
      `how long a daemon started here outlives its last session (default ${IDLE_EXIT})`,
    ],
  ],
  json: false,
  examples: [
    "troupe mcp",
    "troupe mcp --role customer --profile full",
    "troupe mcp --role customer auth/customer.json https://shop.example/ --role visitor",
    "troupe mcp --address 127.0.0.1:7420 --no-autostart",
    "claude mcp add troupe -- troupe mcp --role customer",
  ],
  run: serve,
};

async function serve(invocation: Invocation): Promise<ExitCode> {
  const settings = settingsOf(invocation);
  const [{ connectOrStart: reachDaemon }, { discoverDaemon: whereabouts }] = await Promise.all([
    import("../../connection/connect-or-start.ts"),
    import("../../connection/discovery.ts"),
  ]);
  const { cwd, env, roles } = invocation;
  const where = whereabouts(invocation.flags, { cwd, env });
  const id = settings.session ?? newSessionId("mcp");
  const report = (line: string) => invocation.complain(`troupe mcp: ${line}\n`);
  const link = reachDaemon({ ...settings, session: id, where, cwd, env, roles: roles.definitions, report });
  // The client greets as soon as it runs, and then needs the daemon. It starts while the rest is loaded.
  link.startAhead();
  const [{ NamedSessions }, { serveStdio }] = await Promise.all([
    import("../../session/named-sessions.ts"),
    import("../../shim/main.ts"),
  ]);
  const program = {};
  const folders: SharedFolders = { ask: undefined };
  const { files, asksPerson, ...others } = settings;
  const session = new NamedSessions({
    ...others,
    link,
    id,
    own: settings.session === undefined,
    newReader: true,
    program,
    files: sharedAccess(files, cwd, folders),
  });
  // The user has to know that the debug profile has no tools of its own yet.
  if (settings.profile === "debug" && toolsOf("debug").length === toolsOf("full").length)
    invocation.complain(
      "troupe: the debug profile has no tools of its own in this version: it is the full one\n",
    );
  await serveStdio({ link, session, program, folders, asksPerson });
  return EXIT.ok;
}

interface Settings {
  profile: Profile;
  session: string | undefined;
  role: string | undefined;
  maxTokens: number | undefined;
  autostart: boolean;
  idleExit: string;
  files: string | undefined;
  asksPerson: boolean;
  record: boolean;
}

/** Flags come before the environment, and the environment before defaults. Throws a usage error. */
export function settingsOf({ flags, roles, env }: Pick<Invocation, "flags" | "roles" | "env">): Settings {
  const given = String(flags.profile || env.TROUPE_PROFILE || "core");
  const profile = profileNamed(given);
  if (!profile)
    throw usageError(`there is no profile ${JSON.stringify(given)}; there are ${PROFILES.join(", ")}`);
  const tokens = String(flags.maxTokens || env.TROUPE_MAX_TOKENS || "");
  if (!/^\d{0,9}$/.test(tokens))
    throw usageError(`--max-tokens takes a whole number, not ${JSON.stringify(tokens)}`);
  return {
    profile,
    session: givenSessionId(flags.session, env.TROUPE_SESSION),
    role: roles.current || env.TROUPE_ROLE || undefined,
    maxTokens: tokens ? Number(tokens) : SNAPSHOT_TOKENS[profile],
    autostart: flags.autostart !== false,
    idleExit: String(flags.idleExit ?? IDLE_EXIT),
    files: flags.files === undefined ? undefined : String(flags.files),
    asksPerson: flags.askPerson === true || env.TROUPE_ASK_PERSON === "1",
    record: flags.record === true,
  };
}
