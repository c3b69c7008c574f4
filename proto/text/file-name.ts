// Makes a file's name out of a foreign one, which may be hostile: a page suggests it, or a client sends it.

/** File systems allow 255 bytes. Writers add a few characters, such as a number. */
const NAME_BYTES_MAX = 200;
/** Control and format characters, surrogates without their half, and what separates folders on any system. */
const UNFIT = /[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]/gu;
/** An ending that is longer than this belongs to the name. */
const ENDING_LENGTH_MAX = 20;

/** Returns the last part of the name without anything that a path, a shell or a terminal could take as its own. */
export function safeFileName(given: string): string {
  const last = given.slice(-4_000).split(/[/\\]/).at(-1) ?? "";
  // No leading dot hides the file, and no leading dash passes for an option.
  const plain = last
    .normalize()
    .replace(UNFIT, "_")
    .trim()
    .replace(/^[.\-\s]+|[.\s]+$/g, "");
  return cutToBytes(plain) || "file";
}

/** Cuts the middle, so that the ending still shows the file's type. */
function cutToBytes(name: string): string {
  if (Buffer.byteLength(name) <= NAME_BYTES_MAX) return name;
  const dot = name.lastIndexOf(".");
  const ending = dot > 0 && name.length - dot <= ENDING_LENGTH_MAX ? name.slice(dot) : "";
  let left = NAME_BYTES_MAX - Buffer.byteLength(ending);
  let start = "";
  for (const character of name.slice(0, name.length - ending.length)) {
    left -= Buffer.byteLength(character);
    if (left < 0) break;
    start += character;
  }
  return start + ending;
}
