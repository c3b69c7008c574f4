// The frame around all views: navigation, the state of the connection, and the person's rights.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { ConsoleState, Me } from "../wire.ts";
import type { Live } from "./live/connection.ts";
import { linkTo, type Route, useRoute } from "./live/router.ts";
import { useLive, useNow } from "./live/use-live.ts";
import { Calls } from "./views/calls.tsx";
import { Failures } from "./views/failures.tsx";
import { LoginForm } from "./views/login.tsx";
import { Overview } from "./views/overview.tsx";
import { SessionView } from "./views/session.tsx";
import { Sessions } from "./views/sessions.tsx";

const VIEWS = [
  { view: "overview", label: "Overview" },
  { view: "sessions", label: "Sessions" },
  { view: "calls", label: "Calls" },
  { view: "failures", label: "Failed calls" },
] as const;

export function App() {
  const { live, refused, logIn, logOut } = useLive();
  const route = useRoute();
  useEffect(() => {
    document.title = `${titleOf(route)} · Troupe`;
  }, [route]);
  if (live.link === "logged-out") return <LoginForm logIn={logIn} refused={refused} />;
  const { state, me } = live;
  return (
    <Frame live={live} route={route} logOut={logOut}>
      {state && me ? <View state={state} me={me} route={route} /> : <p>Waiting for the daemon…</p>}
    </Frame>
  );
}

function View({ state, me, route }: { state: ConsoleState; me: Me; route: Route }) {
  const nowMs = useNow();
  const given = { state, me, nowMs };
  switch (route.view) {
    case "overview":
      return <Overview {...given} />;
    case "sessions":
      return <Sessions {...given} />;
    case "session":
      return <SessionView key={route.key} {...given} sessionKey={route.key} />;
    case "calls":
      return <Calls {...given} />;
    case "failures":
      return <Failures {...given} />;
  }
}

interface FrameProps {
  live: Live;
  route: Route;
  logOut(): Promise<void>;
  children: ComponentChildren;
}

function Frame({ live, route, logOut, children }: FrameProps) {
  const current = route.view === "session" ? "sessions" : route.view;
  return (
    <>
      <header>
        <button type="button" class="skip" onClick={skip}>
          Skip to the content
        </button>
        <a class="brand" href={linkTo({ view: "overview" })}>
          Troupe
        </a>
        <nav aria-label="Views">
          {VIEWS.map(({ view, label }) => (
            <a key={view} href={linkTo({ view })} aria-current={view === current ? "page" : undefined}>
              {label}
            </a>
          ))}
        </nav>
        <span class={`link ${live.link}`} role="status">
          {LINKS[live.link]}
        </span>
        {live.me && (
          <span class="me">
            <span class="name">{live.me.client}</span>
            <button type="button" onClick={() => void logOut()}>
              Log out
            </button>
          </span>
        )}
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

const LINKS = { connecting: "Connecting…", live: "Live", lost: "Connection lost", "logged-out": "" };

function titleOf(route: Route): string {
  if (route.view === "session") return "Session";
  return VIEWS.find(({ view }) => view === route.view)?.label ?? "";
}

/** The address's fragment names the view, so a button moves the focus. */
function skip(): void {
  document.getElementById("main")?.focus();
}
