// Finds how wide the lists of siblings may be within a number of characters. Each attempt prints the tree, so few are
// made.

/** No line has fewer characters than this, with the siblings on other lines that come with it. */
const UNIT_MIN = 4;
/** Neither a width nor a room that is nearer than this share is worth more attempts. */
const NEAR = 1 / 8;

/**
 * Returns about the largest width that fits, or undefined if not even `least` does. `leaves` returns the room that a
 * width leaves, and a negative number if it does not fit. The room that the last units of width took gives the next
 * width to try.
 */
export function widest(least: number, room: number, leaves: (width: number) => number): number | undefined {
  let low = least;
  let spare = leaves(low);
  if (spare < 0) return undefined;
  let unit = (room - spare) / low;
  let high = Math.max(least, Math.floor(room / UNIT_MIN));
  while (low < high - Math.floor(NEAR * low) && spare > NEAR * room) {
    const next = Math.min(high, low + Math.max(1, Math.floor(spare / unit)));
    const left = leaves(next);
    if (left < 0) {
      high = next - 1;
      // The next attempt is halfway.
      unit = (2 * spare) / (next - low);
    } else {
      unit = Math.max(0, spare - left) / (next - low);
      spare = left;
      low = next;
    }
  }
  return low;
}
