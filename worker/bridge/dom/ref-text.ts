// Writes and reads refs. A frame's refs begin with its prefix, such as `f1_`, so that they are unique in the tab.

let prefix = "";

/** Sets the prefix of all refs. It never changes in a document's life, because lines are kept with it. */
export function setPrefix(ofFrame: string): void {
  prefix = ofFrame;
}

export function refText(number: number): string {
  return `${prefix}e${number}`;
}

/** Returns the number in a ref, and undefined if the text is no ref of this frame. */
export function numberOf(ref: string): number | undefined {
  const digits = ref.startsWith(prefix) && /^e([1-9]\d{0,8})$/.exec(ref.slice(prefix.length))?.[1];
  return digits ? Number(digits) : undefined;
}
