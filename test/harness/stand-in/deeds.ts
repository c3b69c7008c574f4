// The commands that a worker's stand-in obeys: `http://do/WHAT?…` in a call's URL. Any other address is a page.
import type { ErrorType } from "../../../proto/errors/catalogue.ts";
import { SESSION } from "../../../proto/wire/metadata.ts";
import { type Call, keyOf, LINES, type Reply, type StandInState, write } from "./state.ts";

interface Deed {
  state: StandInState;
  call: Call;
  reply: Reply;
  url: URL;
  text: (said: string) => void;
}

/** Answers a call of browser_navigate. */
export function navigate(state: StandInState, call: Call, reply: Reply): void {
  const url = new URL(String(call.request.url));
  const text = (said: string) => {
    const session = String(call.metadata.get(SESSION)[0]);
    reply(null, { text: said, page: { role: state.role?.name, session, tab: "t1", url: url.href } });
  };
  const what = url.host === "do" ? deeds[url.pathname] : open;
  if (!what) throw new Error(`the stand-in cannot do ${url.href}`);
  what({ state, call, reply, url, text });
}

function open({ state, call, url, text }: Deed): void {
  state.reportTab(call, url.href);
  text(`opened ${url.href}`);
}

const deeds: Record<string, (deed: Deed) => void> = {
  "/die": () => process.exit(9),
  "/block": () => {
    for (;;);
  },
  "/hang": ({ state, call }) => {
    call.on("cancelled", () => {
      state.seen.cancelled++;
      write(LINES.cancelled(keyOf(call)));
    });
    write(LINES.holds(keyOf(call)));
  },
  "/wait": ({ state, call, text }) => {
    state.waiting.push(() => text("waited"));
    write(LINES.holds(keyOf(call)));
  },
  "/go-on": ({ state, text }) => {
    for (const goOn of state.waiting.splice(0)) goOn();
    text("they go on");
  },
  "/fail": ({ state, call, reply, url: { searchParams } }) => {
    const data = JSON.parse(searchParams.get("data") ?? "{}");
    reply(state.statusOf(searchParams.get("type") as ErrorType, data, String(call.request.url)));
  },
  "/grow": ({ state, url, text }) => {
    state.ballast = Buffer.alloc(Number(url.searchParams.get("bytes")), 1);
    state.isGarbage = url.searchParams.has("garbage");
    text(`holds ${state.ballast.length}`);
  },
  "/type": ({ state, call, url, text }) => {
    const field = url.searchParams.get("field");
    state.reportTab(call, url.href, field === null ? [] : [{ tab: "t1", field }]);
    text("typed");
  },
  "/store": ({ state, call, url, text }) => {
    const ballast = Buffer.alloc(Number(url.searchParams.get("bytes") ?? 0), "x");
    const parts = [
      { name: "cookies", data: Buffer.from("stored") },
      { name: "ballast", data: ballast },
    ];
    state.report({ storage: { key: keyOf(call), parts } });
    state.reportTab(call, url.href);
    text("stored");
  },
  "/large": ({ url, text }) => text("x".repeat(Number(url.searchParams.get("bytes")))),
  "/state": ({ state: { role, seen, held, ballast }, call, text }) =>
    text(
      JSON.stringify({
        ...seen,
        role,
        held: [...held.keys()],
        ballast: ballast?.length ?? 0,
        pid: process.pid,
        deadline: call.getDeadline(),
        key: keyOf(call),
        metadata: call.metadata.getMap(),
      }),
    ),
  "/let-rest": ({ state: { held }, text }) => {
    for (const goOn of held.values()) goOn();
    held.clear();
    text("let them");
  },
  "/environment": ({ text }) => text(JSON.stringify(process.env)),
  "/report-login": ({ state, url, text }) => {
    state.report({ login: { login: url.searchParams.get("login") ?? "" } });
    text("reported");
  },
  "/record-failure": ({ state, text }) => {
    const cleanupErrors = [{ step: "context", error: "told to", timestamp: { seconds: 1 } }];
    state.report({ failure: { kind: "cleanup", entry: { cleanupErrors } } });
    text("recorded");
  },
  "/lose-frame": ({ state, text }) => {
    const failure = { frameId: "f1", error: "told to", reason: "detached", timestamp: { seconds: 1 } };
    const entry = { frameInjectionFailures: [failure] };
    state.report({ failure: { kind: "frame_injection", reason: failure.reason, entry } });
    text("recorded");
  },
  "/crash-page": ({ state, call, url, text }) => {
    const error = `The page ${url.searchParams.get("page")} crashed.`;
    const incidents = [{ kind: "page-crashed", error, timestamp: { seconds: 1 }, session: keyOf(call) }];
    state.report({ failure: { kind: "incident", entry: { incidents } } });
    text("recorded");
  },
  "/ask-approval": ({ state, call, url: { searchParams }, text }) => {
    const what = searchParams.get("what")?.repeat(Number(searchParams.get("times") ?? 1)) ?? "";
    const now = { seconds: Math.floor(Date.now() / 1000) };
    const approval = {
      id: searchParams.get("id") ?? "",
      tab: "t1",
      action: "APPROVAL_ACTION_SUBMIT" as const,
      what,
      page: "https://user:secret@shop.example/pay?card=4111#end",
      askedAt: now,
      endsAt: { seconds: now.seconds + 300 },
    };
    state.report({ approvalAsked: { key: keyOf(call), approval } });
    text("asked");
  },
  "/lose-browser": ({ state }) => {
    state.report({ browserGone: { reason: "told to" } });
    state.watcher?.end();
  },
};
