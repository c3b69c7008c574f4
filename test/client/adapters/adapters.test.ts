// Tools in the forms of the vendors' APIs, and calls of those forms, against a daemon's stand-in.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  anthropicTools,
  langchainTools,
  openaiResponsesTools,
  openaiTools,
} from "../../../client/adapters/index.ts";
import { connect } from "../../../client/sdk/index.ts";
import { fail } from "../../../proto/errors/catalogue.ts";
import type { Profile } from "../../../proto/tools/read-tools.ts";
import { adapterTools } from "../../../proto/tools/tool-list.ts";
import { aborted, StandIn } from "../../harness/stand-in/daemon.ts";

const DEADLINE = { timeout: 60_000 };
const PNG = Buffer.from("a picture");

/** Returns a session over a stand-in whose clicks succeed, unless the ref is e404. */
async function standing(profile: Profile = "core") {
  await using parts = new AsyncDisposableStack();
  const daemon = parts.use(
    await StandIn.start({
      Click: ({ request: { ref } }) => {
        if (ref !== "e404") return { text: `Clicked ${ref}` };
        throw fail("UNKNOWN_REF", { ref: "e404", cause: "unseen" });
      },
      TakeScreenshot: () => ({ text: "The page", image: PNG, mimeType: "image/png" }),
    }),
  );
  const client = parts.use(await connect({ address: daemon.address, profile }));
  const open = parts.move();
  return { daemon, session: client.session, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

type Session = Awaited<ReturnType<typeof standing>>["session"];
/** A form's result of a call: the text, or JSON if there is more. `given`: the arguments as a model wrote them. */
type Run = (session: Session, name: string, given: unknown, signal?: AbortSignal) => Promise<string>;
const json = (given: unknown) => (typeof given === "string" ? given : JSON.stringify(given));

const forms: Record<string, Run> = {
  async openai(session, name, given, signal) {
    const call = { id: "call_1", type: "function", function: { name, arguments: json(given) } };
    const { role, tool_call_id, content } = await openaiTools(session).run(call, { signal });
    assert.deepEqual([role, tool_call_id], ["tool", "call_1"]);
    return content;
  },
  async responses(session, name, given, signal) {
    const call = { type: "function_call", call_id: "call_1", name, arguments: json(given) };
    const { type, call_id, output } = await openaiResponsesTools(session).run(call, { signal });
    assert.deepEqual([type, call_id], ["function_call_output", "call_1"]);
    return typeof output === "string" ? output : JSON.stringify(output);
  },
  async anthropic(session, name, input, signal) {
    const use = { type: "tool_use", id: "toolu_1", name, input };
    const { type, tool_use_id, content, is_error } = await anthropicTools(session).run(use, { signal });
    assert.deepEqual([type, tool_use_id], ["tool_result", "toolu_1"]);
    const [first, second] = content;
    assert.equal(first?.type, "text");
    const text = first?.type === "text" ? first.text : "";
    assert.equal(is_error, text.startsWith("❌"));
    return second ? JSON.stringify(content) : text;
  },
  async langchain(session, name, args, signal) {
    const tool = langchainTools(session).find((each) => each.name === name);
    return tool
      ? tool.invoke({ type: "tool_call", id: "call_1", name, args }, { signal })
      : "❌ no such tool";
  },
};

for (const profile of ["small", "core"] as const) {
  test(`each form lists the same tools of the ${profile} profile`, DEADLINE, async () => {
    await using troupe = await standing(profile);
    const { session } = troupe;
    const listed = adapterTools(profile).map(({ name, description, inputSchema }) => ({
      name,
      description,
      parameters: inputSchema,
    }));
    assert.deepEqual(
      openaiTools(session).tools,
      listed.map((each) => ({ type: "function", function: each })),
    );
    assert.deepEqual(
      openaiResponsesTools(session).tools,
      listed.map((each) => ({ type: "function", ...each, strict: false })),
    );
    assert.deepEqual(
      anthropicTools(session).tools,
      listed.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
    );
    assert.deepEqual(
      langchainTools(session).map(({ name, description, schema }) => ({
        name,
        description,
        parameters: schema,
      })),
      listed,
    );
  });
}

for (const [form, run] of Object.entries(forms)) {
  test(`${form}: a call is run, and answered with the reply's text`, DEADLINE, async () => {
    await using troupe = await standing();
    assert.equal(await run(troupe.session, "browser_click", { ref: "e5" }), "Clicked e5");
  });

  test(`${form}: a failed call is answered with its plan, wherever it was refused`, DEADLINE, async () => {
    await using troupe = await standing();
    const { session, daemon } = troupe;
    assert.match(
      await run(session, "browser_click", { ref: "e404" }),
      /^❌ [\s\S]*🔧 Action Required:\n1\. /,
    );
    assert.match(await run(session, "browser_click", {}), /^❌ Invalid Argument[\s\S]*ref is missing/);
    assert.match(
      await run(session, "browser_click", "[1]"),
      /^❌ Invalid Argument[\s\S]*are a list; [^\n]*one JSON object/,
    );
    for (const cut of ["{ref: e1}", '{"ref": "e'])
      assert.match(await run(session, "browser_click", cut), /are no JSON[\s\S]*such as \{"ref": "e5"\}/);
    await daemon.stop();
    assert.match(await run(session, "browser_click", { ref: "e5" }), /^❌ Daemon Unreachable/);
  });

  test(`${form}: an aborted signal is no answer to a model: its reason is thrown`, DEADLINE, async () => {
    await using troupe = await standing();
    const { session, daemon } = troupe;
    daemon.answers.Click = ({ signal }) => aborted(signal);
    const abort = new AbortController();
    const asked = daemon.next("Click");
    const running = run(session, "browser_click", { ref: "e5" }, abort.signal);
    const reason = new Error("the user left");
    await asked;
    abort.abort(reason);
    await assert.rejects(running, reason);
    await assert.rejects(run(session, "browser_click", { ref: "e5" }, abort.signal), reason);
    assert.equal(daemon.callsOf("Click").length, 1);
  });
}

test("a tool of another server is answered with ours", DEADLINE, async () => {
  await using troupe = await standing();
  for (const form of ["openai", "responses", "anthropic"] as const) {
    assert.match(
      (await forms[form]?.(troupe.session, "browser_clik", { ref: "e5" })) ?? "",
      /^❌ Unknown Tool[\s\S]*browser_click/,
    );
  }
});

test("a picture is returned in forms that hold pictures, and mentioned in the others", DEADLINE, async () => {
  await using troupe = await standing();
  const shown = (form: string) => forms[form]?.(troupe.session, "browser_take_screenshot", {});
  const data = PNG.toString("base64");
  assert.deepEqual(JSON.parse((await shown("anthropic")) ?? ""), [
    { type: "text", text: "The page" },
    { type: "image", source: { type: "base64", media_type: "image/png", data } },
  ]);
  assert.deepEqual(JSON.parse((await shown("responses")) ?? ""), [
    { type: "input_text", text: "The page" },
    { type: "input_image", image_url: `data:image/png;base64,${data}`, detail: "auto" },
  ]);
  for (const form of ["openai", "langchain"]) {
    assert.match((await shown(form)) ?? "", /^The page\n\(.*no place for the picture/);
  }
});

test("langchain: a tool also takes bare arguments, or none", DEADLINE, async () => {
  await using troupe = await standing();
  const [click, press] = ["browser_click", "browser_press_key"].map((name) =>
    langchainTools(troupe.session).find((tool) => tool.name === name),
  );
  assert.equal(await click?.invoke({ ref: "e7" }), "Clicked e7");
  assert.equal(await click?.func({ ref: "e8" }), "Clicked e8");
  assert.match((await press?.invoke(undefined)) ?? "", /key is missing/);
});

test(
  "langchain: a failed call is a message of status error if LangChain's message class is given",
  DEADLINE,
  async () => {
    await using troupe = await standing();
    class ToolMessage {
      readonly fields: object;
      constructor(fields: object) {
        this.fields = fields;
      }
    }
    const click = langchainTools(troupe.session, { ToolMessage }).find(
      ({ name }) => name === "browser_click",
    );
    const call = (ref: string) => ({ type: "tool_call", id: "call_1", name: "browser_click", args: { ref } });
    assert.equal(await click?.invoke(call("e5")), "Clicked e5");
    const failed = [
      await click?.invoke(call("e404")),
      await click?.func({ ref: "e404" }, { toolCall: { id: "call_1" } }),
    ];
    for (const message of failed) {
      assert.ok(message instanceof ToolMessage);
      const { content, ...rest } = message.fields as { content: string };
      assert.match(content, /^❌ /);
      assert.deepEqual(rest, { tool_call_id: "call_1", name: "browser_click", status: "error" });
    }
    const withoutCall = await click?.func({ ref: "e404" });
    assert.match(String(withoutCall), /^❌ /, "no message can answer a call without an id");
  },
);
