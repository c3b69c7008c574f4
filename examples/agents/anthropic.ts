// An agent with Anthropic's messages. ANTHROPIC_API_KEY=… node anthropic.ts "Put product 42 into the cart"
import Anthropic from "@anthropic-ai/sdk";
import { connect } from "troupe";
import { anthropicTools } from "troupe/adapters";

const anthropic = new Anthropic();
await using troupe = await connect({ role: "customer" });
const { tools, run } = anthropicTools(troupe.session);
const messages: Anthropic.MessageParam[] = [{ role: "user", content: process.argv[2] ?? "" }];

for (let turn = 0; turn < 30; turn++) {
  const model = "claude-sonnet-4-5";
  const { content } = await anthropic.messages.create({ model, max_tokens: 4096, messages, tools });
  const uses = content.filter((block) => block.type === "tool_use");
  if (uses.length === 0) {
    console.log(content.map((block) => (block.type === "text" ? block.text : "")).join(""));
    break;
  }
  messages.push({ role: "assistant", content });
  messages.push({ role: "user", content: await Promise.all(uses.map((use) => run(use))) });
}
