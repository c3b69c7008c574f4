// A container whose engine denies namespaces, as Docker's own profile does: it serves, and warns.
import assert from "node:assert/strict";
import type { Image } from "./build.ts";
import { processesOf } from "./processes.ts";
import { shippedProfile, withoutNamespaces } from "./seccomp.ts";
import { OPEN, renderersOf } from "./serving.ts";
import { startTeam } from "./team.ts";
import type { Verdicts } from "./verdicts.ts";

export async function showDenied(image: Image, { show }: Verdicts): Promise<void> {
  await using team = await startTeam(image, { seccomp: withoutNamespaces(shippedProfile()) });
  const { container } = team;

  await show("a snapshot through /mcp", async () => {
    const [text = ""] = await team.call(OPEN);
    assert.match(text, /button "Pay" \[ref=e\d+\]/);
    return text.split("\n").at(-1) ?? "";
  });
  await show("status and log warn that the sandbox is off", async () => {
    const { roles, warnings } = await team.status();
    assert.match(roles[0]?.sandbox ?? "", /^off: this machine allows Chrome no sandbox/);
    assert.match(warnings.join("\n"), /sandbox is off/);
    const own = processesOf(container.pid).find(({ pid }) => pid === container.pid)?.userNamespace;
    for (const { userNamespace } of renderersOf(team)) assert.equal(userNamespace, own);
    const logged = container.lines.all.find((line) => /^\{.*sandbox/.test(line)) ?? "";
    assert.ok(logged, "the log says nothing");
    return warnings.join("; ");
  });
}
