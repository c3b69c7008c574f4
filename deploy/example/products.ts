/** The shop's 200 products, the same in every process. */

export interface Product {
  id: number;
  name: string;
  category: Category;
  priceCents: number;
  stock: number;
  featured: boolean;
  description: string;
}

export const categories = ["Kitchen", "Garden", "Office", "Travel", "Music"] as const;
export type Category = (typeof categories)[number];

/** Ids run from 1 to 200. Every 25th product is sold out. */
export function makeProducts(): Product[] {
  return materials.flatMap((material, row) =>
    things.map(([thing, category], column) =>
      makeProduct(row * things.length + column + 1, material, thing, category),
    ),
  );
}

/** Writes a price in the shop's own currency. A page's script converts it to another one. */
export function euros(cents: number): string {
  return `€${(cents / 100).toFixed(2)}`;
}

const materials = [
  "Oak",
  "Copper",
  "Linen",
  "Steel",
  "Bamboo",
  "Glass",
  "Walnut",
  "Brass",
  "Wool",
  "Ceramic",
];

const things: readonly (readonly [string, Category])[] = [
  ["Kettle", "Kitchen"],
  ["Bowl", "Kitchen"],
  ["Ladle", "Kitchen"],
  ["Tray", "Kitchen"],
  ["Planter", "Garden"],
  ["Lantern", "Garden"],
  ["Bird House", "Garden"],
  ["Watering Can", "Garden"],
  ["Desk Lamp", "Office"],
  ["Pen Holder", "Office"],
  ["Letter Tray", "Office"],
  ["Bookend", "Office"],
  ["Flask", "Travel"],
  ["Luggage Tag", "Travel"],
  ["Wash Bag", "Travel"],
  ["Phone Stand", "Travel"],
  ["Music Stand", "Music"],
  ["Metronome", "Music"],
  ["Tuning Fork", "Music"],
  ["Record Shelf", "Music"],
];

function makeProduct(id: number, material: string, thing: string, category: Category): Product {
  return {
    id,
    name: `${material} ${thing}`,
    category,
    priceCents: 495 + ((id * 737) % 180) * 50,
    stock: id % 25 === 0 ? 0 : 5 + ((id * 7) % 40),
    featured: id % 23 === 19,
    description: `A ${thing.toLowerCase()} of ${material.toLowerCase()}, made to be used every day and to be mended when it wears.`,
  };
}
