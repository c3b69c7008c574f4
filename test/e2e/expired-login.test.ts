// The shop has forgotten a login. The plan says who must act and how, and following it helps the agent.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { storageStateFor } from "../../deploy/example/shop.ts";
import { runCommand } from "../harness/program.ts";
import { startTroupe, type Troupe } from "../harness/troupe.ts";

test("following the plan of an expired login opens the page logged in, in the same worker", {
  timeout: 120_000,
}, async () => {
  await using troupe = await startTroupe({
    roles: (shopUrl) => ({
      member: {
        startUrl: `${shopUrl}/`,
        auth: "auth/member.json",
        authRequired: true,
        authCheck: { loginUrl: `${shopUrl}/login*`, loggedInText: "My account" },
      },
    }),
  });
  const { dir, shopUrl } = troupe;
  const forgotten = storageStateFor("customer", shopUrl);
  for (const cookie of forgotten.cookies) cookie.value = "a-session-of-yesterday";
  await writeFile(path.join(dir, "auth/member.json"), JSON.stringify(forgotten), { mode: 0o600 });
  await using agent = await troupe.agent("--role", "member");
  const saysOfLogin = async (login: string) => {
    assert.match((await agent.call("list_current_roles")).text, new RegExp(`member .*READY, ${login},`));
    for (const command of ["status", "roles"]) {
      const { out } = await runCommand([command, "--state-dir", troupe.stateDir], { cwd: dir });
      assert.match(out, new RegExp(`member +READY +${login} `), command);
    }
  };

  const failed = await agent.call("browser_navigate", { url: `${shopUrl}/account` });
  assert.equal(failed.error?.type, "AUTHENTICATION_EXPIRED", failed.text);
  const [who, then] = failed.error.steps;
  const command = /troupe (login member) logs in and writes a fresh one to auth\/member\.json/.exec(
    who?.text ?? "",
  )?.[1];
  assert.ok(command, failed.text);
  assert.match(then?.text ?? "", /call browser_navigate/);
  const worker = workerOf(troupe);
  await saysOfLogin("expired");
  const page = await agent.call("browser_snapshot");
  assert.match(
    page.text,
    /Warnings:\n- Auth failed: The login has expired: the site sent it to \S+\/login\n/,
  );
  assert.match((await agent.call("get_failures")).text, /The login has expired/);

  const script = path.join(dir, "login.yaml");
  await writeFile(
    script,
    `
- navigate: ${shopUrl}/login
- type: { role: textbox, name: User name, text: customer }
- type: { role: textbox, name: Password, env: SHOP_PASSWORD }
- click: { role: button, name: Log in }
- wait_for: { role: heading, name: "Hello, Carla Customer" }
`,
  );
  const login = await runCommand([...command.split(" "), "--script", script], {
    cwd: dir,
    env: { SHOP_PASSWORD: "customer-demo" },
  });
  assert.deepEqual([login.code, login.err], [0, ""]);

  // The site refuses the old login once more, and the fresh one has been loaded by then.
  const again = await agent.call("browser_navigate", { url: `${shopUrl}/account` });
  assert.deepEqual(
    [again.error?.type, again.error?.recoverable],
    ["AUTHENTICATION_EXPIRED", true],
    again.text,
  );
  let last = again;
  for (const step of again.error?.steps ?? []) {
    if (step.tool) last = await agent.call(step.tool, step.arguments ?? {});
  }
  assert.match(last.text, /heading "Hello, Carla Customer"/);
  assert.doesNotMatch(last.text, /Auth failed/);
  await saysOfLogin("logged in");
  assert.doesNotMatch((await agent.call("get_failures")).text, /The login has expired/);
  assert.equal(workerOf(troupe), worker, "the worker that noticed");
});

function workerOf(troupe: Troupe): number {
  const found = troupe.processes().find(({ command }) => /worker\/main\.ts.*--role member/.test(command));
  assert.ok(found, "no worker of the role");
  return found.pid;
}
