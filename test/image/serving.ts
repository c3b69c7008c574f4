// A container with the shipped seccomp profile serves an agent, with Chrome's sandbox, and ends by a signal.
import assert from "node:assert/strict";
import { until } from "../harness/within.ts";
import type { Image } from "./build.ts";
import type { Call } from "./client.ts";
import { processesOf } from "./processes.ts";
import { shippedProfile } from "./seccomp.ts";
import { startTeam, type Team } from "./team.ts";
import type { Verdicts } from "./verdicts.ts";

const PAGE = "data:text/html;charset=utf-8,<h1>漢字 かな 한글 😀</h1><button>Pay</button>";
export const OPEN: Call = ["browser_navigate", { url: PAGE }];
/** Draws each text, and one that no font has. Texts that look alike are boxes for missing glyphs. */
const DRAW = `() => ["Ag", "Żж", "漢", "字", "か", "한", "글", "😀", "🎉", "\\u{10FFFD}"].map((text) => {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  context.font = "32px sans-serif";
  context.fillText(text, 8, 40);
  return canvas.toDataURL().length + ":" + canvas.toDataURL().slice(-400);
})`;
const ENDED_MS_MAX = 40_000;
const ANOTHER_MS_MAX = 30_000;

export async function showServing(image: Image, { show }: Verdicts): Promise<void> {
  await using team = await startTeam(image, { seccomp: shippedProfile() });
  const { container } = team;

  await show("a snapshot through /mcp", async () => {
    const [text = ""] = await team.call(OPEN);
    assert.match(text, /heading "漢字 かな 한글 😀"/);
    assert.match(text, /button "Pay" \[ref=e\d+\]/);
    return text.split("\n").at(-1) ?? "";
  });
  await show("Chrome's sandbox is on, as the daemon says and as the kernel does", () => sandboxed(team));
  await show("every process is without rights", () => {
    const processes = processesOf(container.pid);
    for (const { command, status } of processes) {
      assert.deepEqual(status.Uid?.split("\t"), Array(4).fill(`${image.uid}`), command);
      assert.equal(status.NoNewPrivs, "1", command);
    }
    const init = processes.find(({ pid }) => pid === container.pid);
    assert.equal(Number.parseInt(init?.status.CapBnd ?? "", 16), 0);
    return `${processes.length} processes of user ${image.uid}`;
  });
  await show("the root file system is read-only", async () => {
    const folders = ["/", "/opt/troupe", "/etc", "/etc/troupe", "/usr", "/var", "/var/tmp", "/root", "/home"];
    const script = `for each in ${folders.join(" ")}; do touch $each/x 2>/dev/null && echo $each; done; true`;
    assert.equal(await container.inside("sh", "-c", script), "");
    return `${folders.length} folders refuse a file`;
  });
  await show("fonts for Latin, Chinese, Japanese, Korean and emoji", async () => {
    const [drawn = ""] = await team.call(["browser_evaluate", { function: DRAW }]);
    const pictures = drawn.match(/"\d+:[^"]+"/g) ?? [];
    assert.equal(new Set(pictures).size, 10, `${new Set(pictures).size} of 10 look different`);
    return "9 texts and the box for a missing glyph look different";
  });
  await show("a picture, though /dev/shm has 64 KiB", async () => {
    const [picture] = await team.call(["browser_take_screenshot", { fullPage: true }]);
    assert.match(picture ?? "", /image/);
    assert.equal(await container.inside("ls", "-A", "/dev/shm"), "");
    return "/dev/shm is empty";
  });
  await show("the health check", async () => {
    await container.inside(...image.healthcheck);
    return image.healthcheck.join(" ");
  });
  await show("orphans are reaped", () => reaped(team));
  await show("SIGHUP reads the configuration again", async () => {
    const { configReadAt } = await team.status();
    await container.kill("HUP");
    await until(async () => (await team.status()).configReadAt > configReadAt, "it is read again");
    return "read";
  });
  await show("SIGTERM drains, and leaves no process", async () => {
    const pids = processesOf(container.pid).map(({ pid }) => pid);
    await container.kill("TERM");
    assert.equal(await Promise.race([container.over, lateness()]), 0);
    assert.deepEqual(
      pids.flatMap((pid) => processesOf(pid)).map(({ command }) => command),
      [],
    );
    return `exit code 0, ${pids.length} processes gone`;
  });
}

/** A sandboxed renderer is in a user namespace of its own, and its system calls are filtered. */
async function sandboxed(team: Team): Promise<string> {
  const { roles, warnings } = await team.status();
  assert.equal(roles[0]?.sandbox, "on");
  assert.deepEqual(warnings, []);
  const renderers = renderersOf(team);
  const own = processesOf(team.container.pid).find(({ pid }) => pid === team.container.pid)?.userNamespace;
  assert.ok(renderers.length > 0);
  for (const { userNamespace } of renderers) assert.notEqual(userNamespace, own);
  const filters = Number(renderers[0]?.status.Seccomp_filters);
  assert.ok(filters > 1, `${filters} filters`);
  return `${renderers.length} renderers in a user namespace of their own, ${filters} filters of system calls`;
}

export const renderersOf = ({ container }: Team) =>
  processesOf(container.pid).filter(({ command }) => command.includes("--type=renderer"));

/** Kills Chrome with a signal. Its processes come to the container's first process, which must reap them. */
async function reaped(team: Team): Promise<string> {
  const { container, call, status } = team;
  const { roles } = await status();
  await container.inside("sh", "-c", `kill -KILL ${roles[0]?.browserPid}`);
  const isOther = async () => {
    // The call that meets the dead Chrome fails, and another one follows.
    await call(OPEN).catch(() => undefined);
    const [role] = (await status()).roles;
    return role?.browserPid !== roles[0]?.browserPid && role?.state === "ROLE_STATE_READY";
  };
  await until(isOther, "another Chrome", ANOTHER_MS_MAX);
  const zombies = () => processesOf(container.pid).filter(({ status }) => status.State?.startsWith("Z"));
  await until(() => zombies().length === 0, "no process waits to be reaped");
  return "Chrome was killed; no process waits to be reaped";
}

function lateness(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  setTimeout(() => reject(new Error("it does not end")), ENDED_MS_MAX).unref();
  return promise;
}
