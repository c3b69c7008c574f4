// Holds the functions that find and call a page's tools in its own world. The draft has moved, so each of its forms is
// tried: `document.modelContext`, `navigator.modelContext`, and the testing interface of browsers and polyfills.
import { VALUE_BOUNDS, WRITE_VALUE } from "../../page-scripts/script-value.ts";

const BOUNDS = JSON.stringify(VALUE_BOUNDS);

/** Returns the first interface that lists tools, with its tools. */
const FIND = `const _find = async () => {
  for (const context of [document.modelContext, navigator.modelContext, navigator.modelContextTesting]) {
    if (!context) continue;
    const listed = typeof context.getTools === "function" ? await context.getTools() : typeof context.listTools === "function" ? await context.listTools() : undefined;
    const tools = listed && Array.isArray(listed.tools) ? listed.tools : listed;
    if (tools && tools.length > 0) return { context, tools: Array.from(tools).slice(0, 100) };
  }
};`;

export const LIST_TOOLS = `async function () {
  ${FIND}
  const _found = await _find();
  const _schema = (schema) => { try { return typeof schema === "string" ? JSON.parse(schema) : schema; } catch { return schema; } };
  const _tools = _found ? _found.tools.map((tool) => ({ name: tool.name, description: tool.description, schema: _schema(tool.inputSchema) })) : [];
  return (${WRITE_VALUE})(_tools, ${BOUNDS});
}`;

/** Replies often are JSON in a text. */
export const CALL_TOOL = `async function (_name, _json) {
  ${FIND}
  const _found = await _find();
  const _tool = _found && _found.tools.find((tool) => tool.name === _name);
  if (!_tool) throw new Error("the page no longer offers " + _name);
  const { context: _context } = _found;
  let _reply;
  if (typeof _context.executeTool === "function") _reply = await _context.executeTool(typeof _context.getTools === "function" ? _tool : _name, _json);
  else if (typeof _context.callTool === "function") _reply = await _context.callTool({ name: _name, arguments: JSON.parse(_json) });
  else if (typeof _tool.execute === "function") _reply = await _tool.execute(JSON.parse(_json));
  else throw new Error("the page lists this tool but cannot be asked to call it");
  try { if (typeof _reply === "string") _reply = JSON.parse(_reply); } catch {}
  return (${WRITE_VALUE})(_reply, ${BOUNDS});
}`;
