/** The pages that all visitors see: catalogue, product, delivery estimate, cart. */
import { type Html, html } from "./html.ts";
import { framedPage, money, page, type Visit } from "./layout.ts";
import { type Category, categories, type Product } from "./products.ts";
import { type CartLine, quantityMax, totalCents } from "./state.ts";

export function cataloguePage(
  visit: Visit,
  products: readonly Product[],
  category: Category | undefined,
): Html {
  const heading = category ?? "All products";
  return page(
    heading,
    visit,
    html`<h1>${heading}</h1>
<nav aria-label="Categories" class="categories">
  <a href="/"${!category && current}>All</a>
  ${categories.map(
    (name) => html`<a href="/?category=${name}"${name === category && current}>${name}</a>
  `,
  )}
</nav>
<search>
  <label>Search the products <input type="search" id="search" autocomplete="off" placeholder="Oak kettle"></label>
  <label><input type="checkbox" id="in-stock"> In stock only</label>
  <output id="search-result" for="search in-stock">${products.length} products</output>
</search>
<section aria-labelledby="recommended-heading">
  <h2 id="recommended-heading">Recommended</h2>
  <ul id="recommended" class="cards" aria-busy="true"></ul>
</section>
<section aria-labelledby="products-heading">
  <h2 id="products-heading">Products</h2>
  <ul id="products" class="cards" aria-labelledby="products-heading">
    ${products.map(productItem)}
  </ul>
</section>`,
  );
}

const current = html` aria-current="page"`;

function productItem({ id, name, priceCents, stock }: Product): Html {
  return html`<li data-stock="${stock}"><a href="/product/${id}">${name}</a> ${money(priceCents)}${
    stock === 0 && html` <em>sold out</em>`
  }</li>
    `;
}

export function productPage(visit: Visit, product: Product): Html {
  const { id, name, category, priceCents, stock, description } = product;
  return page(
    name,
    visit,
    html`<nav aria-label="Breadcrumb"><a href="/">Catalogue</a> › <a href="/?category=${category}">${category}</a></nav>
<div class="columns">
<article>
  <h1>${name}</h1>
  <p>${description}</p>
  <dl>
    <dt>Product number</dt><dd>${id}</dd>
    <dt>Price</dt><dd>${money(priceCents)}</dd>
    <dt>In stock</dt><dd>${stock}</dd>
  </dl>
  <form method="post" action="/cart">
    <input type="hidden" name="product" value="${id}">
    <label>Quantity <input type="number" name="quantity" value="1" min="1" max="${quantityMax}" required></label>
    <button${stock === 0 && html` disabled`}>${stock === 0 ? "Sold out" : "Add to cart"}</button>
  </form>
</article>
<iframe src="/delivery?product=${id}" title="Delivery estimate"></iframe>
</div>`,
  );
}

/** The frame on a product's page. */
export function deliveryPage(product: Product, postcode: string): Html {
  const days = 1 + ((product.id + postcode.length) % 4);
  return framedPage(
    "Delivery estimate",
    html`<h2>Delivery</h2>
<form method="get" action="/delivery">
  <input type="hidden" name="product" value="${product.id}">
  <label>Postcode <input name="postcode" value="${postcode}" maxlength="10" required></label>
  <button>Estimate</button>
</form>
<p role="status">${postcode && `To ${postcode}: ${days} ${days === 1 ? "day" : "days"}.`}</p>`,
  );
}

export function cartPage(visit: Visit, lines: readonly CartLine[]): Html {
  const content =
    lines.length > 0
      ? filledCart(visit, lines)
      : html`<p>Your cart is empty. <a href="/">Look around</a>.</p>`;
  return page("Cart", visit, html`<h1>Your cart</h1>\n${content}`);
}

function filledCart({ user }: Visit, lines: readonly CartLine[]): Html {
  return html`<table>
  <caption>What you have chosen</caption>
  <thead><tr><th scope="col">Product</th><th scope="col">Price</th><th scope="col">Quantity</th><th scope="col">Sum</th><th scope="col">Change</th></tr></thead>
  <tbody>${lines.map(cartRow)}</tbody>
  <tfoot><tr><th scope="row" colspan="3">Total</th><td>${money(totalCents(lines))}</td><td></td></tr></tfoot>
</table>
${user ? checkout(lines) : html`<p><a class="button" href="/login?next=/cart">Log in to check out</a></p>`}`;
}

function cartRow({ product: { id, name, priceCents }, quantity }: CartLine): Html {
  return html`
  <tr>
    <th scope="row"><a href="/product/${id}">${name}</a></th>
    <td>${money(priceCents)}</td><td>${quantity}</td><td>${money(priceCents * quantity)}</td>
    <td><form method="post" action="/cart/remove"><button name="product" value="${id}" aria-label="Remove ${name}">Remove</button></form></td>
  </tr>`;
}

function checkout(lines: readonly CartLine[]): Html {
  return html`<p class="choices"><button type="button" id="check-out">Check out</button>
<a class="button quiet" href="/order">Order with delivery and payment</a></p>
<dialog id="confirm" aria-labelledby="confirm-heading">
  <h2 id="confirm-heading">Place this order?</h2>
  <p>You order for ${money(totalCents(lines))}. This cannot be undone.</p>
  <form method="post" action="/checkout" class="choices">
    <button>Place order</button>
    <button type="button" id="keep-shopping" class="quiet">Keep shopping</button>
  </form>
</dialog>`;
}
