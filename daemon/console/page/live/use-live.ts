// Gives views the daemon's state, the person's rights and the time.
import { useCallback, useEffect, useState } from "preact/hooks";
import { api } from "./api.ts";
import { Connection, type Live } from "./connection.ts";

export interface Login {
  live: Live;
  /** Why the token of the address was refused. */
  refused: string;
  /** Rejects if the token is refused. */
  logIn(token: string): Promise<void>;
  logOut(): Promise<void>;
}

const CLOCK_MS = 1_000;
const TOKEN = /^#token=(.+)$/;

/** Logs in with the token in the address, if there is one, and follows the daemon. */
export function useLive(): Login {
  const [live, setLive] = useState<Live>({ link: "connecting" });
  const [refused, setRefused] = useState("");
  // Another number begins another connection.
  const [round, setRound] = useState(0);
  const logIn = useCallback(async (token: string) => {
    await api.login(token);
    setRefused("");
    setRound((before) => before + 1);
  }, []);
  const logOut = useCallback(async () => {
    await api.logout();
    setLive({ link: "logged-out" });
    setRound(0);
  }, []);
  useEffect(() => {
    const [, token] = TOKEN.exec(location.hash) ?? [];
    if (round === 0 && token !== undefined) {
      // The token must not stay in the address, nor in the browser's history.
      history.replaceState(null, "", "/console#/");
      logIn(token).catch((error: unknown) => {
        setRefused(error instanceof Error ? error.message : String(error));
        setLive({ link: "logged-out" });
      });
      return undefined;
    }
    const connection = new Connection(setLive);
    return () => connection.close();
  }, [round, logIn]);
  return { live, refused, logIn, logOut };
}

/** The time of each second. */
export function useNow(): number {
  const [nowMs, setNow] = useState(() => Date.now());
  useEffect(() => {
    const clock = setInterval(() => setNow(Date.now()), CLOCK_MS);
    return () => clearInterval(clock);
  }, []);
  return nowMs;
}
