// The rows of the doors' table: the authentication of each rpc and path, and its forbidden calls for a known client.
import type { ControlMethods } from "../../proto/gen/troupe.ts";
import { inProfile, rpcs, type Tool } from "../../proto/tools/read-tools.ts";
import { PROFILE, RESUME, ROLE, SESSION } from "../../proto/wire/metadata.ts";
import { encode, messageType } from "../../proto/wire/schema.ts";

/** The clients of the tests' daemon. `ci` has a session called `mine`. */
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
/** Encodes a message of troupe.v1. */
export const message = (name: string, value: object) => encode(messageType(`troupe.v1.${name}`), value);
export const BROWSER = (rpc: string) => ({ path: `/troupe.v1.Browser/${rpc}`, kind: "unary" });
export const CONTROL = (rpc: string) => ({ path: `/troupe.v1.Control/${rpc}`, kind: "unary" });

/** A call that a known client may not make, and its expected result. */
interface Forbidden {
  what: string;
  headers: Record<string, string>;
  request?: Buffer;
  expected: string;
}

/** Resumes a session of that name, with the same resume word each time. */
const FOREIGN = {
  ...bearer("other-token"),
  [SESSION]: "mine",
  [RESUME]: "00000000-0000-4000-8000-000000000000",
};

/** The forbidden calls of each tool. */
function ofTool(tool: Tool): Forbidden[] {
  const mine = { [SESSION]: "s" };
  const beyond = tool.offered && !inProfile(tool.profile, "small");
  return [
    { what: "another's session", headers: FOREIGN, expected: "SESSION_LOST" },
    {
      what: "a role that is not its own",
      headers: { ...mine, ...bearer("ci-token"), [ROLE]: "visitor" },
      expected: "PERMISSION_DENIED",
    },
    {
      what: "a profile that is not its own",
      headers: { ...mine, ...bearer("small-token"), [PROFILE]: "full" },
      expected: "PERMISSION_DENIED",
    },
    ...(beyond
      ? [
          {
            what: "a tool beyond its profile",
            headers: { ...mine, ...bearer("small-token") },
            expected: "PERMISSION_DENIED",
          },
        ]
      : []),
  ];
}

const otherRole = (name: string, value: object): Forbidden => ({
  what: "a role that is not its own",
  headers: bearer("ci-token"),
  request: message(name, value),
  expected: "PERMISSION_DENIED",
});
const changes = (name: string, value: object = {}): Forbidden[] =>
  ["ci-token", "reader-token"].map((token) => ({
    what: `the right to read (${token})`,
    headers: bearer(token),
    request: message(name, value),
    expected: "PERMISSION_DENIED",
  }));

/** The forbidden calls of the control plane. */
const CONTROL_ROWS: Record<keyof ControlMethods, Forbidden[]> = {
  // The replies of these depend on the client. Tests below check them.
  GetStatus: [],
  ListRoles: [],
  GetRole: [otherRole("GetRoleRequest", { name: "visitor" })],
  RestartRole: changes("RestartRoleRequest", { name: "customer" }),
  ListSessions: [otherRole("ListSessionsRequest", { role: "visitor" })],
  CloseSession: ["small-token", "reader-token"].map((token) => ({
    what: `another's session (${token})`,
    headers: bearer(token),
    request: message("CloseSessionRequest", { session: "mine" }),
    expected: "SESSION_EXPIRED",
  })),
  ExportSession: [
    {
      what: "another's session",
      headers: bearer("small-token"),
      request: message("ExportSessionRequest", { session: "mine" }),
      expected: "SESSION_EXPIRED",
    },
  ],
  TakeOver: ["small-token", "reader-token"].map((token) => ({
    what: `another's session (${token})`,
    headers: bearer(token),
    request: message("TakeOverRequest", { session: "mine" }),
    expected: "SESSION_EXPIRED",
  })),
  HandBack: ["small-token", "reader-token"].map((token) => ({
    what: `another's session (${token})`,
    headers: bearer(token),
    request: message("HandBackRequest", { session: "mine" }),
    expected: "SESSION_EXPIRED",
  })),
  ReadEvidence: [otherRole("ReadEvidenceRequest", { session: "mine", role: "visitor" })],
  ListApprovals: [otherRole("ListApprovalsRequest", { role: "visitor" })],
  DecideApproval: changes("DecideApprovalRequest", { id: "a" }),
  GetFailures: [otherRole("ControlGetFailuresRequest", { role: "visitor" })],
  ClearFailures: changes("ControlClearFailuresRequest", { role: "customer" }),
  ListCalls: [otherRole("ListCallsRequest", { role: "visitor" })],
  ReportRefusal: [
    {
      what: "another's session",
      headers: FOREIGN,
      request: message("ReportRefusalRequest", { tool: "browser_click", arguments: "{}" }),
      expected: "SESSION_LOST",
    },
  ],
  WatchEvents: [
    otherRole("WatchEventsRequest", { role: "visitor" }),
    {
      what: "another's session",
      headers: FOREIGN,
      request: message("WatchEventsRequest", { holdsSession: true }),
      expected: "SESSION_LOST",
    },
  ],
  ReloadConfig: changes("ReloadConfigRequest"),
  Drain: changes("DrainRequest"),
};

/** For each rpc: open to anonymous callers or not, and its forbidden calls. */
export const GRPC_ROWS: Record<string, { open: boolean; forbidden: Forbidden[] }> = {
  ...Object.fromEntries(
    rpcs().map((tool) => [BROWSER(tool.rpc).path, { open: false, forbidden: ofTool(tool) }]),
  ),
  ...Object.fromEntries(
    Object.entries(CONTROL_ROWS).map(([rpc, forbidden]) => [CONTROL(rpc).path, { open: false, forbidden }]),
  ),
  // Probes of an orchestrator have no token.
  "/grpc.health.v1.Health/Check": { open: true, forbidden: [] },
  "/grpc.health.v1.Health/Watch": { open: true, forbidden: [] },
  "/grpc.health.v1.Health/List": { open: true, forbidden: [] },
  "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo": { open: false, forbidden: [] },
  "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo": { open: false, forbidden: [] },
};

/** For each path: open to anonymous callers or not, and its forbidden calls. */
type HttpRow = {
  open: boolean;
  /** The answer to anonymous callers of an open path. Default: 200. */
  status?: number;
  forbidden: { what: string; headers: Record<string, string>; status: number; type: string; tool?: string }[];
};
const ofProfile = {
  what: "a profile",
  headers: { ...bearer("small-token"), [PROFILE]: "full" },
  status: 403,
  type: "PERMISSION_DENIED",
};
const withTokenAlone = {
  what: "a token without the console's cookie",
  headers: bearer("ci-token"),
  status: 401,
  type: "UNAUTHENTICATED",
};
export const HTTP_ROWS: Record<string, HttpRow> = {
  "GET /livez": { open: true, forbidden: [] },
  "GET /readyz": { open: true, forbidden: [] },
  "GET /metrics": { open: false, forbidden: [] },
  "GET /openapi.json": { open: true, forbidden: [] },
  // The clients' daemon has no issuer whose metadata it could show.
  "GET /.well-known/oauth-protected-resource": { open: true, status: 404, forbidden: [] },
  "GET /.well-known/oauth-protected-resource/mcp": { open: true, status: 404, forbidden: [] },
  "GET /mcp": { open: false, forbidden: [] },
  "DELETE /mcp": { open: false, forbidden: [] },
  "POST /mcp": { open: false, forbidden: [ofProfile] },
  // Only browsers, which ask for a page, are led to the console.
  "GET /": { open: true, status: 404, forbidden: [] },
  // The console's page holds nothing of the daemon. All that it shows comes by the paths that ask.
  ...Object.fromEntries(
    ["", "/console.js", "/console.css", "/icon.svg"].map((file) => [
      `GET /console${file}`,
      { open: true, forbidden: [] },
    ]),
  ),
  "POST /console/login": { open: false, forbidden: [] },
  "POST /console/logout": { open: true, forbidden: [] },
  ...Object.fromEntries(
    [
      "me",
      "events",
      "session",
      "tree",
      "picture",
      "ended",
      "evidence",
      "evidence-call",
      "evidence-picture",
      "failures",
    ].map((read) => [`GET /console/${read}`, { open: false, forbidden: [] }]),
  ),
  // The console takes its own cookie alone, so a token in a header is no right here.
  ...Object.fromEntries(
    [
      "RestartRole",
      "Drain",
      "CloseSession",
      "TakeOver",
      "HandBack",
      "ClearFailures",
      "ReloadConfig",
      "DecideApproval",
    ].map((action) => [`POST /console/${action}`, { open: false, forbidden: [withTokenAlone] }]),
  ),
  // A link's or a cookie's secret is the right of a person.
  "GET /takeover": { open: true, forbidden: [] },
  "GET /takeover/page.css": { open: true, forbidden: [] },
  "GET /takeover/main.js": { open: true, forbidden: [] },
  "POST /takeover/open": { open: true, status: 410, forbidden: [] },
  "GET /v1/tools": { open: false, forbidden: [ofProfile] },
  ...Object.fromEntries(
    ["PUT /v1/files", "GET /v1/files/:id"].map((row): [string, HttpRow] => [
      row,
      {
        open: false,
        forbidden: [
          {
            what: "a profile without files",
            headers: { ...bearer("small-token"), [SESSION]: "s" },
            status: 403,
            type: "PERMISSION_DENIED",
          },
          {
            what: "a role",
            headers: { ...bearer("ci-token"), [SESSION]: "s", [ROLE]: "visitor" },
            status: 403,
            type: "PERMISSION_DENIED",
          },
          { what: "another's session", headers: FOREIGN, status: 409, type: "SESSION_LOST" },
        ],
      },
    ]),
  ),
  "POST /v1/tools/:tool": {
    open: false,
    forbidden: [
      ofProfile,
      {
        what: "a tool beyond the profile",
        tool: "browser_hover",
        headers: { ...bearer("small-token"), [SESSION]: "s" },
        status: 404,
        type: "UNKNOWN_TOOL",
      },
      {
        what: "a role",
        headers: { ...bearer("ci-token"), [SESSION]: "s", [ROLE]: "visitor" },
        status: 403,
        type: "PERMISSION_DENIED",
      },
      {
        what: "another's session",
        headers: FOREIGN,
        status: 200,
        type: "SESSION_LOST",
      },
    ],
  },
};
