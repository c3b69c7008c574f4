// A daemon at work, with stand-in workers: calls and snapshots, errors with and without recovery, and dead workers.
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { testDaemon } from "../../harness/daemon.ts";
import { restarted } from "../../harness/role-states.ts";
import { tempDir } from "../../harness/temp-dir.ts";

/** More deaths than the alert of a crash loop allows. */
const DEATHS = 5;
const HOUR_S = 3600;

export interface BusyDaemon extends AsyncDisposable {
  http: string;
  /** Does some work of each kind. */
  work(): Promise<void>;
}

/** Opens the daemon. One of its roles loses several workers, and another's login ends within a day. */
export async function busyDaemon(): Promise<BusyDaemon> {
  await using open = new AsyncDisposableStack();
  const temp = open.use(tempDir());
  const auth = path.join(temp.dir, "auth.json");
  writeFileSync(auth, loginUntil(Math.floor(Date.now() / 1000) + HOUR_S));
  const roles = { shop: { auth }, dies: {} };
  const restart = { max: 100, backoff: "1ms", cap: "1ms" };
  const troupe = open.use(await testDaemon({ roles, restart }));
  let deaths = 0;
  let rounds = 0;
  const opened = open.move();
  return {
    http: troupe.daemon.http[0] ?? "",
    async work() {
      await troupe.open(deaths < DEATHS ? "http://do/die" : "http://a.test/", { role: "dies" });
      if (deaths < DEATHS) await restarted(troupe, "dies", ++deaths);
      // A session that meets the same fault again and again has no plan left.
      const session = `shopper-${rounds++}`;
      await troupe.open("http://do/fail?type=NO_HISTORY&data={}", { role: "shop", session });
      await troupe.open("http://a.test/", { role: "shop", session });
      await troupe.ask("CloseSession", { session });
      await troupe.open("http://do/record-failure", { role: "shop" });
      await troupe.open("http://do/lose-frame", { role: "shop" });
      const approval = `approval-${rounds}`;
      await troupe.open(`http://do/ask-approval?id=${approval}&what=POST&times=1`, { role: "shop" });
      await troupe.ask("DecideApproval", { id: approval });
      await once(troupe.stream("Browser.Snapshot", {}, { role: "shop" }).resume(), "end");
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

function loginUntil(expires: number): string {
  const cookie = { name: "sid", value: "x", domain: "a.test", path: "/", expires, httpOnly: true };
  return JSON.stringify({ cookies: [cookie], origins: [] });
}
