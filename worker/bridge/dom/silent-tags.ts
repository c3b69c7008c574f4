// These tags never show anything of their own, whatever their style says.

export const SILENT_TAGS: ReadonlySet<string> = new Set(
  [
    "script",
    "style",
    "template",
    "noscript",
    "head",
    "meta",
    "link",
    "title",
    "base",
    "param",
    "source",
    "track",
  ]
    .concat(["datalist", "col", "colgroup", "rp", "noframes", "noembed"])
    .concat(["svg:script", "svg:style", "svg:title", "svg:desc", "svg:metadata", "svg:defs", "svg:symbol"]),
);
