// An agent with LangChain. OPENAI_API_KEY=… node langchain.ts "Put product 42 into the cart"
import { ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";
import { connect } from "troupe";
import { langchainTools } from "troupe/adapters";

await using troupe = await connect({ role: "customer" });
const tools = langchainTools(troupe.session, { ToolMessage }).map((each) => tool(each.func, each));
const agent = createAgent({ model: new ChatOpenAI({ model: "gpt-5" }), tools });
const { messages } = await agent.invoke({ messages: [{ role: "user", content: process.argv[2] ?? "" }] });
console.log(messages.at(-1)?.content);
