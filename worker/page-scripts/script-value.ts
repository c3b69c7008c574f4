// Holds the function that writes a value of a page within bounds. It runs in the page's own world, whose functions the
// page may have replaced. So it uses few of them, and the worker bounds the answer again.

/** The bounds of a written value. */
export interface ValueBounds {
  /** All parts together, in characters. */
  chars: number;
  depth: number;
  /** Entries of one list or object. */
  entries: number;
}

export const VALUE_BOUNDS: ValueBounds = { chars: 20_000, depth: 8, entries: 500 };

/**
 * Returns `{ value, isCut }` of plain data. JSON has no word for some values, so a text stands for them: functions,
 * elements, `[circular]`, dates. A property whose getter throws has the error's message.
 */
export const WRITE_VALUE = `(_value, _max) => {
  let _left = _max.chars, _isCut = false;
  const _open = [];
  const _text = (text) => {
    const whole = "" + text;
    const kept = whole.length > _left ? whole.slice(0, _left < 0 ? 0 : _left) + "…" : whole;
    if (kept.length !== whole.length) _isCut = true;
    _left -= kept.length + 2;
    return kept;
  };
  const _get = (object, key, depth) => {
    let value;
    try { value = object[key]; } catch (error) { return _text("[throws " + _said(error) + "]"); }
    return _write(value, depth);
  };
  const _said = (error) => { try { return "" + (error && error.message !== undefined ? error.message : error); } catch { return "an error"; } };
  const _node = (node) => {
    if (node.nodeType !== 1) return node.nodeType === 3 ? "#text " + node.data : node.nodeName;
    const id = node.getAttribute("id"), type = node.getAttribute("type"), name = node.getAttribute("name");
    return "<" + node.localName + (id ? ' id="' + id + '"' : "") + (type ? ' type="' + type + '"' : "") + (name ? ' name="' + name + '"' : "") + ">";
  };
  const _list = (items, depth) => {
    const out = [];
    let at = 0;
    for (const item of items) {
      if (at === _max.entries || _left <= 0) { _isCut = true; break; }
      out[at++] = _write(item, depth);
    }
    return out;
  };
  const _object = (value, depth) => {
    if (typeof Node === "function" && value instanceof Node) return _text(_node(value));
    if (typeof Window === "function" && value instanceof Window) return "[window]";
    if (value instanceof Date) return _text(isNaN(value) ? "Invalid Date" : value.toISOString());
    if (value instanceof RegExp) return _text(value);
    if (value instanceof Error) return _text(value.name + ": " + value.message);
    if (value instanceof Promise) return "[promise]";
    if (depth >= _max.depth) { _isCut = true; return "[deeper]"; }
    for (let at = 0; at < _open.length; at++) if (_open[at] === value) return "[circular]";
    _open[_open.length] = value;
    try {
      if (Array.isArray(value) || value instanceof Set || ArrayBuffer.isView(value) && !(value instanceof DataView)) return _list(value, depth + 1);
      if (typeof NodeList === "function" && (value instanceof NodeList || value instanceof HTMLCollection)) return _list(value, depth + 1);
      if (value instanceof Map) return _list(value, depth + 1);
      const out = { __proto__: null };
      let count = 0;
      for (const key in value) {
        if (count++ === _max.entries || _left <= 0) { _isCut = true; break; }
        out[_text(key)] = _get(value, key, depth + 1);
      }
      return out;
    } finally { _open.length--; }
  };
  const _write = (value, depth) => {
    try {
      switch (typeof value) {
        case "string": return _text(value);
        case "number": _left -= 8; return value === value && value !== 1 / 0 && value !== -1 / 0 ? value : "" + value;
        case "boolean": _left -= 5; return value;
        case "bigint": return _text(value) + "n";
        case "undefined": return depth ? null : "[undefined]";
        case "function": return _text("[function " + value.name + "]");
        case "symbol": return _text(Symbol.prototype.toString.call(value));
        default: return value === null ? null : _object(value, depth);
      }
    } catch (error) { return _text("[throws " + _said(error) + "]"); }
  };
  return { value: _write(_value, 0), isCut: _isCut };
}`;
