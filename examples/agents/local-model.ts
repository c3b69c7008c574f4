// An agent with a local model behind an OpenAI-compatible server: LM Studio, Ollama, llama.cpp, vLLM.
// MODEL_URL=http://127.0.0.1:1234/v1 MODEL=qwen3-8b node local-model.ts "Put product 42 into the cart"
import OpenAI from "openai";
import { connect } from "troupe";
import { openaiTools } from "troupe/adapters";

const local = new OpenAI({ baseURL: process.env.MODEL_URL, apiKey: "none" });
const model = process.env.MODEL ?? "local";
// Nine tools with flat schemas, and short replies.
await using troupe = await connect({ role: "customer", profile: "small" });
const { tools, run } = openaiTools(troupe.session);
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: process.argv[2] ?? "" }];

for (let turn = 0; turn < 30; turn++) {
  const { choices } = await local.chat.completions.create({ model, messages, tools });
  const message = choices[0]?.message;
  if (!message?.tool_calls?.length) {
    console.log(message?.content);
    break;
  }
  messages.push(message);
  // Small models do better with one answer at a time.
  for (const call of message.tool_calls) messages.push(await run(call));
}
