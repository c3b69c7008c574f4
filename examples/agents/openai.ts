// An agent with OpenAI's chat completions. OPENAI_API_KEY=… node openai.ts "Put product 42 into the cart"
import OpenAI from "openai";
import { connect } from "troupe";
import { openaiTools } from "troupe/adapters";

const openai = new OpenAI();
await using troupe = await connect({ role: "customer" });
const { tools, run } = openaiTools(troupe.session);
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: process.argv[2] ?? "" }];

for (let turn = 0; turn < 30; turn++) {
  const { choices } = await openai.chat.completions.create({ model: "gpt-5", messages, tools });
  const message = choices[0]?.message;
  if (!message?.tool_calls) {
    console.log(message?.content);
    break;
  }
  messages.push(message, ...(await Promise.all(message.tool_calls.map((call) => run(call)))));
}
