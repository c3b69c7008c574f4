// Evaluates an expression in a frame of a paused page. Its value is written in the page, so that no huge value travels.
import type { Protocol } from "puppeteer-core";
import { valueText } from "./value-text.ts";

/** `line` and `column` count from 1, in the expression or in `url`; 0 if unknown. */
interface Where {
  url: string;
  line: number;
  column: number;
}

export type Evaluated = { type: string; text: string } | ({ error: string } & Where);

/** Sends a command to the paused process. */
type Send = (
  asked: Omit<Protocol.Debugger.EvaluateOnCallFrameRequest, "callFrameId">,
) => Promise<Protocol.Debugger.EvaluateOnCallFrameResponse>;

const VALUE_LENGTH_MAX = 6_000;
const ERROR_LENGTH_MAX = 1_000;
const STACK_LENGTH_MAX = 2_000;

/** Rejects as Chrome does if the evaluation takes longer than `timeout`: it is stopped then. */
export async function evaluate(send: Send, expression: string, timeout: number): Promise<Evaluated> {
  const before = `(${WRITE})(() => (`;
  const wrapped = await send({ expression: `${before}${expression}\n))`, timeout, returnByValue: true });
  const { exceptionDetails, result } = wrapped;
  if (!exceptionDetails) return written(result.value, before);
  // It is no expression, but it may be statements. Nothing of it has run yet.
  const plain = await send({ expression, timeout, generatePreview: true });
  if (plain.exceptionDetails) return thrown(plain.exceptionDetails);
  return { type: plain.result.type, text: valueText(plain.result).slice(0, VALUE_LENGTH_MAX) };
}

/** Reads the answer of {@link WRITE}. The page may have tampered with it. */
function written(value: unknown, before: string): Evaluated {
  const { type, text, error, stack } = (value ?? {}) as Record<string, unknown>;
  if (typeof type === "string" && typeof text === "string")
    return { type: type.slice(0, 20), text: text.slice(0, VALUE_LENGTH_MAX) };
  const place = placeIn(String(stack ?? "").slice(0, STACK_LENGTH_MAX));
  return {
    error: String(error ?? "no answer").slice(0, ERROR_LENGTH_MAX),
    ...(place.url === "" && place.line > 0 ? inExpression(place, before) : place),
  };
}

/** Counts from the expression's own beginning instead of from the text before it. */
function inExpression({ url, line, column }: Where, before: string): Where {
  const lines = before.split("\n");
  const own = line - lines.length + 1;
  return { url, line: own, column: own === 1 ? column - (lines.at(-1)?.length ?? 0) : column };
}

function thrown({
  exception,
  text,
  url = "",
  lineNumber,
  columnNumber,
}: Protocol.Runtime.ExceptionDetails): Evaluated {
  const error = exception ? valueText(exception) : text;
  return { error: error.slice(0, ERROR_LENGTH_MAX), url, line: lineNumber + 1, column: columnNumber + 1 };
}

/** Finds the innermost place that a stack's text names. */
function placeIn(stack: string): Where {
  const frame = stack.split("\n").find((line) => /^\s*at /.test(line)) ?? "";
  const found = /([^\s()]*):(\d+):(\d+)\)?$/.exec(frame.trim());
  if (!found) return { url: "", line: 0, column: 0 };
  const [, url = "", line, column] = found;
  return { url: url === "<anonymous>" ? "" : url, line: Number(line), column: Number(column) };
}

/**
 * Runs in the page: calls a function and writes its value, within bounds. Getters are not called. Names in it have
 * underscores, because the expression may use the same names as the page does.
 */
const WRITE = `(_get) => {
  const _MAX = { depth: 3, items: 50, text: ${VALUE_LENGTH_MAX}, string: 2000 };
  const _seen = new Set();
  let _left = _MAX.text;
  const _cut = (text, max) => (text.length > max ? text.slice(0, max) + "…" : text);
  const _list = (items, open, close) => open + items.join(", ") + close;
  const _node = (node) => {
    if (node.nodeType !== 1) return node.nodeName;
    const attributes = [...node.attributes].slice(0, 5).map(({ name, value }) => " " + name + "=" + JSON.stringify(_cut(value, 60)));
    return "<" + node.localName + attributes.join("") + ">";
  };
  const _property = (object, key, depth) => {
    const found = Object.getOwnPropertyDescriptor(object, key);
    return !found ? "(gone)" : "value" in found ? _write(found.value, depth) : "(getter)";
  };
  const _object = (value, depth) => {
    if (typeof Node === "function" && value instanceof Node) return _node(value);
    if (value instanceof Error) return _cut(String(value.stack || value), 500);
    if (value instanceof Date || value instanceof RegExp) return String(value);
    if (typeof Promise === "function" && value instanceof Promise) return "Promise";
    const isList = Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
    const name = value.constructor && typeof value.constructor.name === "string" ? value.constructor.name : "";
    const title = name && name !== "Object" && name !== "Array" ? _cut(name, 60) + " " : "";
    if (_seen.has(value)) return "(circular)";
    if (depth >= _MAX.depth) return isList ? title + "[… " + value.length + "]" : title + "{…}";
    _seen.add(value);
    try {
      if (value instanceof Map || value instanceof Set) {
        const items = [];
        for (const each of value) {
          if (items.length === _MAX.items || _left <= 0) { items.push("…"); break; }
          items.push(value instanceof Map ? _write(each[0], depth + 1) + " => " + _write(each[1], depth + 1) : _write(each, depth + 1));
        }
        return title + _list(items, "{", "}");
      }
      const items = [];
      if (isList) {
        for (let at = 0; at < value.length; at++) {
          if (items.length === _MAX.items || _left <= 0) { items.push("… " + (value.length - at) + " more"); break; }
          items.push(_property(value, at, depth + 1));
        }
        return title + _list(items, "[", "]");
      }
      for (const key in value) {
        if (!Object.prototype.hasOwnProperty.call(value, key)) continue;
        if (items.length === _MAX.items || _left <= 0) { items.push("…"); break; }
        items.push(_cut(key, 100) + ": " + _property(value, key, depth + 1));
      }
      return title + _list(items, "{", "}");
    } finally { _seen.delete(value); }
  };
  const _write = (value, depth) => {
    let text;
    try {
      if (typeof value === "string") text = JSON.stringify(_cut(value, depth ? 200 : _MAX.string));
      else if (typeof value === "bigint") text = _cut(String(value), 200) + "n";
      else if (Object.is(value, -0)) text = "-0";
      else if (typeof value === "function") text = _cut(Function.prototype.toString.call(value).split("\\n")[0], 120);
      else if (typeof value === "object" && value !== null) text = _object(value, depth);
      else text = String(value);
    } catch (error) { text = "(cannot be read)"; }
    _left -= text.length;
    return text;
  };
  let _value;
  try { _value = _get(); } catch (error) {
    const isError = error instanceof Error;
    return { error: isError ? _cut(error.name + ": " + error.message, ${ERROR_LENGTH_MAX}) : _write(error, 0), stack: isError ? _cut(String(error.stack), ${STACK_LENGTH_MAX}) : "" };
  }
  return { type: _value === null ? "null" : typeof _value, text: _write(_value, 0) };
}`;
