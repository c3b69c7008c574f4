/** The parts that all pages of the shop share. */
import { type Html, html } from "./html.ts";
import type { User } from "./logins.ts";
import { euros } from "./products.ts";

/** The visitor of a page. */
export interface Visit {
  user: User | undefined;
  cartCount: number;
  /** A notice of the previous page, to be shown on this one. */
  notice?: string | undefined;
}

export function page(title: string, visit: Visit, main: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Harbour Goods</title>
<link rel="stylesheet" href="/shop.css">
<link rel="icon" href="data:,">
<script src="/shop.js" defer></script>
</head>
<body>
<header>
  <a class="brand" href="/">Harbour Goods</a>
  <nav aria-label="Main">
    <a href="/">Catalogue</a>
    <a href="/cart">Cart (<span id="cart-count">${visit.cartCount}</span>)</a>
    ${visit.user?.admin && html`<a href="/admin">Orders</a> <a href="/admin/products">Stock</a>`}
    ${visit.user ? html`<a href="/account">My account</a>` : html`<a href="/login">Log in</a>`}
  </nav>
  <label class="currency">Currency
    <select id="currency"><option>EUR</option><option>USD</option><option>GBP</option></select>
  </label>
</header>
<main>
  <p role="status" id="notice" class="notice">${visit.notice}</p>
${main}
</main>
<footer><p>Harbour Goods is the demo shop of Troupe. Nothing is sold, sent or kept.</p></footer>
</body>
</html>
`;
}

/** A document for a frame of another page. */
export function framedPage(title: string, body: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title><link rel="stylesheet" href="/shop.css"></head>
<body class="framed">${body}</body>
</html>
`;
}

/** A page with one message, such as an error. */
export function messagePage(title: string, text: string, visit: Visit): Html {
  return page(
    title,
    visit,
    html`<h1>${title}</h1>\n<p>${text}</p>\n<p><a href="/">Back to the catalogue</a></p>`,
  );
}

/** A price, which the page's script shows in the visitor's currency. */
export function money(cents: number): Html {
  return html`<span data-cents="${cents}">${euros(cents)}</span>`;
}

/** The options of a select, one of them chosen. */
export function options(values: readonly string[], chosen: string): Html[] {
  return values.map((value) => html`<option${value === chosen && html` selected`}>${value}</option>`);
}
