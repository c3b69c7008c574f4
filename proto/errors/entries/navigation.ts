// The reasons of a failed navigation, by Chromium's net errors. Each one has its own causes and steps.

import type { FailedCall, Step } from "../steps/step.ts";
import { again, callStep, say, tabOf } from "../steps/step-words.ts";
import type { GrpcCode } from "./entry.ts";

/** The reason that stopped a navigation. */
export type NavigationCause = keyof typeof NAVIGATION;

/** `reason`: Chromium's own word, such as net::ERR_CONNECTION_REFUSED. */
export interface NavigationData {
  url: string;
  reason: string;
  cause: NavigationCause;
}

interface Kind {
  why: string;
  causes: string[];
  code: Extract<GrpcCode, "UNAVAILABLE" | "FAILED_PRECONDITION">;
  /** The same call may well succeed the next time. */
  recoverable?: true;
  /** The wait before the same call, milliseconds. */
  afterMs?: number;
  steps(data: { url: string }, call: FailedCall): Step[];
}

const OTHER_ADDRESS = say("Check the address and call browser_navigate(url: …) with the right one");
const onceMore = (_data: unknown, call: FailedCall) => [again(call, {}, "to try once more")];

export const NAVIGATION = {
  dns: {
    why: "The host's name could not be resolved.",
    causes: ["The address is misspelt", "The host does not exist or is known only inside another network"],
    code: "UNAVAILABLE",
    steps: ({ url }) => [
      say(`Check the spelling of ${hostOf(url)} and call browser_navigate(url: …) with the right address`),
      say("If it is right, ask the operator whether the machine that Troupe runs on can resolve it"),
    ],
  },
  refused: {
    why: "Nothing accepts connections at that address.",
    causes: ["The server is not running, or is being restarted", "The port is wrong"],
    code: "UNAVAILABLE",
    afterMs: 1000,
    steps: ({ url }, call) => [
      again(call, {}, "after 1000 ms, in case the server is being restarted"),
      say(`If it fails again, check the port, or ask the operator to start the server at ${hostOf(url)}`),
    ],
  },
  unreachable: {
    why: "There is no way through the network to that address.",
    causes: ["The host is switched off or in another network", "A firewall is in the way"],
    code: "UNAVAILABLE",
    steps: ({ url }) => [
      say(`Ask the operator whether ${hostOf(url)} can be reached from the machine that Troupe runs on`),
    ],
  },
  proxy: {
    why: "The proxy that the browser uses did not make the connection.",
    causes: ["The proxy is down or refuses this host", "The proxy asks for a login"],
    code: "UNAVAILABLE",
    steps: () => [say("Ask the operator to check the proxy of the role's browser")],
  },
  reset: {
    why: "The server broke the connection off.",
    causes: ["The server crashed or was restarted meanwhile", "A firewall or proxy ended the connection"],
    code: "UNAVAILABLE",
    recoverable: true,
    afterMs: 1000,
    steps: onceMore,
  },
  empty: {
    why: "The server closed the connection without an answer.",
    causes: ["The server crashed on this request", "The port speaks another protocol, such as https"],
    code: "UNAVAILABLE",
    recoverable: true,
    afterMs: 1000,
    steps: onceMore,
  },
  timeout: {
    why: "The server did not answer in time.",
    causes: ["The server is slow or overloaded", "A firewall drops the connection"],
    code: "UNAVAILABLE",
    recoverable: true,
    afterMs: 1000,
    steps: onceMore,
  },
  "invalid-response": {
    why: "What the server answered is no HTTP.",
    causes: ["The port belongs to another kind of service", "The server or a proxy before it is faulty"],
    code: "FAILED_PRECONDITION",
    steps: () => [OTHER_ADDRESS],
  },
  "tls-authority": {
    why: "The server's certificate is signed by nobody whom this machine trusts.",
    causes: [
      "The certificate is self-signed, as on many test servers",
      "It is signed by an authority of the company's own, which this machine does not know",
    ],
    code: "FAILED_PRECONDITION",
    steps: ({ url }) => [
      say(
        `Ask the operator to have the machine trust the certificate of ${hostOf(url)}, or, for a test server, to set browser.args: ["--ignore-certificate-errors"] for the role`,
      ),
    ],
  },
  "tls-date": {
    why: "The server's certificate is out of date, or not valid yet.",
    causes: ["The certificate has expired and was not renewed", "The clock of this machine is wrong"],
    code: "FAILED_PRECONDITION",
    steps: ({ url }) => [
      say(`Ask the operator to renew the certificate of ${hostOf(url)}, or to set the machine's clock right`),
    ],
  },
  "tls-name": {
    why: "The server's certificate is for another host.",
    causes: [
      "The address names the host otherwise than its certificate does",
      "Another server answers there",
    ],
    code: "FAILED_PRECONDITION",
    steps: ({ url }) => [
      say(`Call browser_navigate(url: …) with the host's name as its certificate has it, not ${hostOf(url)}`),
      say("If that is not known, ask the operator"),
    ],
  },
  "tls-protocol": {
    why: "The server does not speak TLS there.",
    causes: ["The server speaks plain http at this port", "The port is another one's than that for https"],
    code: "FAILED_PRECONDITION",
    recoverable: true,
    steps: ({ url }, call) => [plainly(url, call)],
  },
  tls: {
    why: "The secure connection could not be made.",
    causes: [
      "The certificate is revoked, broken or too weak",
      "The server asks for a certificate of the client's, or speaks too old a version of TLS",
    ],
    code: "FAILED_PRECONDITION",
    steps: ({ url }) => [
      say(`Ask the operator to mend the TLS of ${hostOf(url)}; the reason above says what`),
    ],
  },
  aborted: {
    why: "The navigation was stopped before a page came.",
    causes: ["The page started another navigation", "A leave-page dialog was dismissed"],
    code: "FAILED_PRECONDITION",
    recoverable: true,
    steps: onceMore,
  },
  "no-content": {
    why: "The server answered, but with no page: the tab shows what it showed before.",
    causes: ["The address only does something, such as counting or logging out, and has nothing to show"],
    code: "FAILED_PRECONDITION",
    steps: (_data, call) => [
      callStep(call, "browser_snapshot", tabOf(call), "to go on with the page as it is"),
    ],
  },
  "http-login": {
    why: "The server asks for a login of HTTP's own, which the browser does not have.",
    causes: ["The address is protected by HTTP authentication", "The role has no access there"],
    code: "FAILED_PRECONDITION",
    steps: ({ url }, call) => [
      say(
        `Ask the operator for a page of ${hostOf(url)} that role ${call.role || "this role"} can open with the login it has`,
      ),
      say("Do without this page meanwhile"),
    ],
  },
  "http-refused": {
    why: "The server answered that it does not give this page, and sent nothing else.",
    causes: ["There is no such page", "The role's login may not see it"],
    code: "FAILED_PRECONDITION",
    steps: ({ url }) => [
      say(`Check the path, and call browser_navigate(url: …) with another page of ${hostOf(url)}`),
    ],
  },
  "http-server": {
    why: "The server failed at this page, and sent nothing else.",
    causes: ["The server has a fault, or is overloaded", "It is being restarted"],
    code: "UNAVAILABLE",
    recoverable: true,
    afterMs: 1000,
    steps: ({ url }, call) => [
      again(call, {}, "after 1000 ms, to try once more"),
      say(`If it fails again, tell the operator that ${hostOf(url)} fails`),
    ],
  },
  redirects: {
    why: "The page redirects without end.",
    causes: ["A cookie that the site needs is missing or refused", "The role's login is half expired"],
    code: "FAILED_PRECONDITION",
    steps: ({ url }, call) => [
      say(`Call browser_navigate(url: …) with another page of ${hostOf(url)}, such as its start page`),
      say(`If that redirects too, ask the operator to renew the login of role ${call.role || "this role"}`),
    ],
  },
  "blocked-port": {
    why: "Browsers never open this port, as it belongs to another kind of service.",
    causes: ["The port is wrong", "The server was set to a port that browsers refuse"],
    code: "FAILED_PRECONDITION",
    steps: ({ url }) => [
      say(`Call browser_navigate(url: …) with the right port, or ask the operator to move ${hostOf(url)}`),
    ],
  },
  blocked: {
    why: "The browser was kept from opening the page.",
    causes: [
      "A policy of the browser or of the machine forbids it",
      "The site's own headers forbid to show it this way",
    ],
    code: "FAILED_PRECONDITION",
    steps: () => [say("Do without this page, or ask the operator to allow it in the browser's policies")],
  },
  offline: {
    why: "There is no network.",
    causes: ["The machine is offline"],
    code: "UNAVAILABLE",
    steps: () => [say("Ask the operator to connect the machine that Troupe runs on")],
  },
  "network-changed": {
    why: "The machine's network changed while the page was loaded.",
    causes: ["A connection or VPN came up or went down"],
    code: "UNAVAILABLE",
    recoverable: true,
    afterMs: 1000,
    steps: onceMore,
  },
  "invalid-url": {
    why: "This is no address that can be opened.",
    causes: ["The address is misspelt or incomplete"],
    code: "FAILED_PRECONDITION",
    steps: () => [OTHER_ADDRESS],
  },
  "main-frame": {
    why: "The page opened, but its main frame cannot be automated.",
    causes: ["The page crashed or was replaced while it loaded", "Chrome shows a page of its own"],
    code: "FAILED_PRECONDITION",
    steps: (_data, call) => [
      callStep(call, "browser_snapshot", tabOf(call), "to see the page as it is"),
      OTHER_ADDRESS,
    ],
  },
  other: {
    why: "Chrome could not open the page.",
    causes: ["The server or the network failed", "The address is wrong"],
    code: "FAILED_PRECONDITION",
    steps: () => [OTHER_ADDRESS],
  },
} satisfies Record<string, Kind>;

export function kindOf(cause: NavigationCause): Kind {
  return NAVIGATION[cause];
}

/** The same address without TLS. */
function plainly(url: string, call: FailedCall): Step {
  const plain = url.replace(/^https:/i, "http:");
  const purpose = "as the server speaks plain http there";
  return "url" in call.arguments
    ? again(call, { url: plain }, purpose)
    : callStep(call, "browser_navigate", { url: plain, ...tabOf(call) }, purpose);
}

/** Names who can help with a page that does not come, however often it is requested. */
export function whoServes({ url }: { url: string }): string {
  return `Ask the operator whether the server at ${hostOf(url)} works: it answers no better when it is asked again`;
}

function hostOf(url: string): string {
  return (URL.canParse(url) && new URL(url).host) || "the host";
}
