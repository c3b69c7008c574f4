/**
 * The payment service, which is another site than the shop, in a frame of the order form. The shop never sees a card's
 * number.
 */
import { randomUUID } from "node:crypto";
import { type Html, html } from "./html.ts";
import { framedPage, money } from "./layout.ts";

/** The part of an accepted card that the shop may know. */
export interface Card {
  holder: string;
  lastDigits: string;
  expires: string;
}

/** Accepted cards by the token that the shop gets for them, oldest first. */
export type Cards = Map<string, Card>;

const cardsMax = 1000;
const holderLengthMax = 100;

/**
 * Returns the payment service's origin for a shop requested under this Host. It is the same server. To a browser
 * `localhost` and `127.0.0.1` are two sites, so each is the other's payment service.
 */
export function paymentOrigin(host: string | undefined): string {
  const [, name, port] = /^(localhost|127\.0\.0\.1)(:\d+)?$/.exec(host ?? "") ?? [];
  return `http://${name === "localhost" ? "127.0.0.1" : "localhost"}${port ?? ""}`;
}

/** The frame. `shop`: the origin that gets a message when a card is accepted. */
export function paymentPage(cents: number, shop: string): Html {
  return framedPage(
    "Payment",
    html`<h2>Pay by card</h2>
<form id="card" class="stacked" data-shop="${shop}">
  <p>To pay: ${money(cents)}</p>
  <label>Name on card <input name="holder" autocomplete="cc-name" maxlength="${holderLengthMax}" required></label>
  <label>Card number <input name="number" inputmode="numeric" autocomplete="cc-number" required></label>
  <label>Expires <input name="expires" placeholder="MM/YY" autocomplete="cc-exp" pattern="\\d\\d/\\d\\d" required></label>
  <label>Security code <input type="password" name="code" inputmode="numeric" autocomplete="cc-csc" maxlength="4" required></label>
  <button>Use this card</button>
</form>
<p role="status" id="card-status"></p>
<script src="/payment.js" type="module"></script>`,
  );
}

/** Keeps a card. Returns its token, or a description of the fault. */
export function acceptCard(cards: Cards, form: URLSearchParams): { token: string; card: Card } | string {
  const digits = (form.get("number") ?? "").replaceAll(" ", "");
  const holder = form.get("holder")?.trim() ?? "";
  const expires = form.get("expires") ?? "";
  if (holder === "" || holder.length > holderLengthMax) return "The name on the card is missing.";
  if (!/^\d{12,19}$/.test(digits)) return "The card number must have 12 to 19 digits.";
  if (!/^(?:0[1-9]|1[0-2])\/\d\d$/.test(expires))
    return "The expiry must be a month and a year, as in 04/29.";
  if (!/^\d{3,4}$/.test(form.get("code") ?? "")) return "The security code must have 3 or 4 digits.";
  const token = randomUUID();
  const card = { holder, lastDigits: digits.slice(-4), expires };
  cards.set(token, card);
  const [oldest] = cards.keys();
  if (cards.size > cardsMax && oldest !== undefined) cards.delete(oldest);
  return { token, card };
}
