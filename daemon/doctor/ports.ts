// Checks that the configuration's ports are free or belong to its own daemon, and names other users of them.
import { once } from "node:events";
import { createServer } from "node:net";
import { type Finding, unwell, well } from "../../proto/machine/finding.ts";

const ANSWER_MS_MAX = 1_000;

export interface Door {
  host: string;
  port: number;
}

/** `own` is true if this configuration's daemon runs and has the port. */
export async function portFinding({ host, port }: Door, own: boolean): Promise<Finding> {
  const check = `port ${port}`;
  if (port === 0) return well("ports", "any free one is taken");
  if (own) return well(check, `${host}:${port} is this configuration's daemon`);
  const fault = await whyTaken({ host, port });
  if (!fault) return well(check, `${host}:${port} is free`);
  if (fault !== "EADDRINUSE")
    return unwell(
      check,
      `${host}:${port} cannot be listened at (${fault})`,
      "Name another address in http: or listen: of the configuration.",
    );
  const other = (await isTroupe({ host, port }))
    ? "another Troupe, of another configuration,"
    : "another program";
  return unwell(
    check,
    `${other} listens at ${host}:${port}`,
    "End it, or name another port: http: 127.0.0.1:0 takes any free one, http: off none.",
  );
}

async function whyTaken({ host, port }: Door): Promise<string | undefined> {
  const server = createServer();
  try {
    const listening = once(server, "listening");
    server.listen({ host, port });
    await listening;
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
  } finally {
    server.close();
  }
}

/** Returns true if a Troupe daemon answers there, with metrics or with its way of refusing them. */
async function isTroupe({ host, port }: Door): Promise<boolean> {
  const shown = host.includes(":") ? `[${host}]` : host;
  try {
    const url = `http://${shown}:${port}/metrics`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
    return speaksAsTroupe(answer.headers.get("www-authenticate") ?? "", await answer.text());
  } catch {
    // A port without an HTTP answer is not Troupe's HTTP port.
    return false;
  }
}

function speaksAsTroupe(challenge: string, body: string): boolean {
  return challenge.includes('realm="troupe"') || /^troupe_|tag:troupe\.dev/m.test(body);
}
