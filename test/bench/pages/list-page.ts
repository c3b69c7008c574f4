/** A list of n rows with 8 elements each. Every contender gets this page in growing sizes. */

/** The rows of the pages on which all kinds of snapshots are measured. */
export const listSizes = [10, 125, 1250, 6250] as const;
/** A page of 100,000 elements, for figures that must not grow with the page. */
export const hugeRows = 12_500;

export const listPage = (rows: number) => `rows-${rows}`;

/** `salt` changes the text of every row without changing its length, so that no two pages are the same. */
export function listHtml(rows: number, salt: number, script: string): string {
  const items = Array.from({ length: rows }, (_, i) => rowHtml(i, salt)).join("");
  return (
    `<!doctype html><html lang="en"><head><title>Catalogue of ${rows}</title>` +
    `<style>.row{margin:4px}.price{color:#060}</style></head><body>` +
    `<header><h1>Catalogue</h1><nav><a href="home">Home</a><a href="cart">Cart</a></nav></header>` +
    `<main><ul id="list">${items}</ul></main><footer><p>End of ${rows}</p></footer>${script}</body></html>`
  );
}

function rowHtml(i: number, salt: number): string {
  const price = `$${10 + ((i * 7 + salt * 13) % 90)}.99`;
  return (
    `<li class="row"><div><a href="item/${i}">Product ${i}</a><span class="price">${price}</span>` +
    `<label><input type="checkbox" name="c${i}"> Select ${i}</label>` +
    `<button type="button">Add ${i} to cart</button><p>Ships in ${1 + ((i + salt) % 5)} days</p></div></li>`
  );
}

/** Text that only a snapshot of the whole list holds. */
export const endOfList = (rows: number) => `Add ${rows - 1} to cart`;
