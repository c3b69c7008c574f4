/** The shop's changing state: stock, carts, orders. It is in memory and bounded. */
import { randomUUID } from "node:crypto";
import type { Entry } from "./order-fields.ts";
import type { Cards } from "./payment.ts";
import { categories, makeProducts, type Product } from "./products.ts";

export const orderStatuses = ["New", "Packed", "Shipped", "Cancelled"] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export interface Order {
  id: number;
  customer: string;
  placedOn: string;
  lines: readonly CartLine[];
  totalCents: number;
  status: OrderStatus;
  /** The values of the order form, if the order was placed with it. */
  details: readonly Entry[];
}

export interface CartLine {
  product: Product;
  quantity: number;
}

export interface Shop {
  products: Product[];
  /** Product id → quantity, by the session of a guest or a user. The cart used last comes last. */
  carts: Map<string, Map<number, number>>;
  orders: Order[];
  cards: Cards;
}

export const quantityMax = 99;
const cartsMax = 1000;
const ordersMax = 500;

/** Opens a shop with two orders of the past. */
export function openShop(): Shop {
  const shop: Shop = { products: makeProducts(), carts: new Map(), orders: [], cards: new Map() };
  addOrder(shop, "Carla Customer", [line(shop, 7, 1), line(shop, 118, 2)], "2026-03-02", "Shipped");
  addOrder(shop, "Dora Guest", [line(shop, 63, 3)], "2026-03-14", "Packed");
  return shop;
}

export function newGuestSession(): string {
  return `guest-${randomUUID()}`;
}

export function findProduct(shop: Shop, id: number): Product | undefined {
  return shop.products.find((product) => product.id === id);
}

export function cartLines(shop: Shop, session: string | undefined): CartLine[] {
  const cart = session === undefined ? undefined : shop.carts.get(session);
  return Array.from(cart ?? [], ([id, quantity]) => line(shop, id, quantity));
}

export function totalCents(lines: readonly CartLine[]): number {
  return lines.reduce((sum, { product, quantity }) => sum + product.priceCents * quantity, 0);
}

export function countOf(lines: readonly CartLine[]): number {
  return lines.reduce((sum, { quantity }) => sum + quantity, 0);
}

/** Puts more of a product in the cart. Returns the reason if the shop has too few. */
export function addToCart(
  shop: Shop,
  session: string,
  product: Product,
  quantity: number,
): string | undefined {
  const cart = shop.carts.get(session) ?? new Map<number, number>();
  const wanted = (cart.get(product.id) ?? 0) + quantity;
  if (wanted > Math.min(product.stock, quantityMax)) {
    return product.stock === 0
      ? `${product.name} is sold out.`
      : `There are only ${product.stock} of ${product.name}.`;
  }
  keepCart(shop, session, cart.set(product.id, wanted));
  return undefined;
}

export function removeFromCart(shop: Shop, session: string, id: number): void {
  shop.carts.get(session)?.delete(id);
}

/** Moves a guest's cart to the user who logs in, as far as the stock allows. */
export function takeCartAlong(shop: Shop, from: string, to: string): void {
  for (const { product, quantity } of cartLines(shop, from)) addToCart(shop, to, product, quantity);
  shop.carts.delete(from);
}

/** Turns the cart into an order, or returns why not. */
export function checkOut(
  shop: Shop,
  session: string,
  customer: string,
  details: readonly Entry[] = [],
): Order | string {
  const lines = cartLines(shop, session);
  if (lines.length === 0) return "The cart is empty.";
  const short = lines.find(({ product, quantity }) => product.stock < quantity);
  if (short) return `There are only ${short.product.stock} of ${short.product.name}.`;
  for (const { product, quantity } of lines) product.stock -= quantity;
  shop.carts.delete(session);
  return addOrder(shop, customer, lines, new Date().toISOString().slice(0, 10), "New", details);
}

/** Changes a product by a form. Returns the fault if the form has one. */
export function editProduct(product: Product, form: URLSearchParams): string | undefined {
  const name = form.get("name")?.trim() ?? "";
  const price = Number(form.get("price"));
  const stock = Number(form.get("stock"));
  const category = categories.find((known) => known === form.get("category"));
  if (name === "" || name.length > 80) return "The name must have 1 to 80 characters.";
  if (!(price > 0 && price <= 10_000)) return "The price must be a number between 0.01 and 10000.";
  if (!(Number.isInteger(stock) && stock >= 0 && stock <= 10_000))
    return "The stock must be a whole number up to 10000.";
  if (!category) return `The category must be one of ${categories.join(", ")}.`;
  Object.assign(product, {
    name,
    category,
    stock,
    priceCents: Math.round(price * 100),
    featured: form.has("featured"),
  });
  return undefined;
}

function line(shop: Shop, id: number, quantity: number): CartLine {
  const product = findProduct(shop, id);
  if (!product) throw new RangeError(`no product ${id}`);
  return { product, quantity };
}

function addOrder(
  shop: Shop,
  customer: string,
  lines: readonly CartLine[],
  placedOn: string,
  status: OrderStatus,
  details: readonly Entry[] = [],
): Order {
  const id = (shop.orders.at(-1)?.id ?? 1000) + 1;
  // These are copies, so that an order keeps its names and prices.
  const kept = lines.map(({ product, quantity }) => ({ product: { ...product }, quantity }));
  const order = { id, customer, placedOn, lines: kept, totalCents: totalCents(kept), status, details };
  shop.orders.push(order);
  if (shop.orders.length > ordersMax) shop.orders.shift();
  return order;
}

function keepCart(shop: Shop, session: string, cart: Map<number, number>): void {
  shop.carts.delete(session);
  shop.carts.set(session, cart);
  const [oldest] = shop.carts.keys();
  if (shop.carts.size > cartsMax && oldest !== undefined) shop.carts.delete(oldest);
}
