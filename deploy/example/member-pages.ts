/** The pages of logged-in users, and the login page. */
import { type Html, html } from "./html.ts";
import { money, options, page, type Visit } from "./layout.ts";
import { type User, users } from "./logins.ts";
import { categories, type Product } from "./products.ts";
import { type Order, orderStatuses } from "./state.ts";

export function loginPage(visit: Visit, next: string): Html {
  return page(
    "Log in",
    visit,
    html`<h1>Log in</h1>
<form method="post" action="/login" class="stacked">
  <input type="hidden" name="next" value="${next}">
  <label>User name <input name="username" autocomplete="username" required></label>
  <label>Password <input type="password" name="password" autocomplete="current-password" required></label>
  <button>Log in</button>
</form>
<aside aria-label="Demo logins"><p>This is a demo. You can log in as:</p>
<ul>${users.map(({ username, password }) => html`<li><code>${username}</code> with the password <code>${password}</code></li>`)}</ul></aside>`,
  );
}

export function accountPage(visit: Visit, user: User, orders: readonly Order[]): Html {
  return page(
    "My account",
    visit,
    html`<h1>Hello, ${user.name}</h1>
<form method="post" action="/logout"><button class="quiet">Log out</button></form>
<h2 id="orders-heading">Your orders</h2>
${orders.length === 0 ? html`<p>You have not ordered anything yet. <a href="/">Look around</a>.</p>` : ordersTable(orders)}`,
  );
}

function ordersTable(orders: readonly Order[]): Html {
  return html`<table aria-labelledby="orders-heading">
  <thead><tr><th scope="col">Order</th><th scope="col">Date</th><th scope="col">Items</th><th scope="col">Total</th><th scope="col">Status</th><th scope="col">More</th></tr></thead>
  <tbody>${orders.map(
    (order) => html`
  <tr><th scope="row">${order.id}</th><td>${order.placedOn}</td><td>${items(order)}</td><td>${money(order.totalCents)}</td><td>${order.status}</td><td><a href="/orders/${order.id}" aria-label="Details of order ${order.id}">Details</a></td></tr>`,
  )}</tbody>
</table>`;
}

export function adminPage(visit: Visit, orders: readonly Order[]): Html {
  return page(
    "Orders",
    visit,
    html`<h1 id="orders-heading">Orders</h1>
<table aria-labelledby="orders-heading">
  <thead><tr><th scope="col">Order</th><th scope="col">Customer</th><th scope="col">Date</th><th scope="col">Items</th><th scope="col">Total</th><th scope="col">Status</th></tr></thead>
  <tbody>${orders.map(adminRow)}</tbody>
</table>`,
  );
}

function adminRow(order: Order): Html {
  const { id, customer, placedOn, totalCents, status } = order;
  return html`
  <tr>
    <th scope="row">${id}</th><td>${customer}</td><td>${placedOn}</td><td>${items(order)}</td><td>${money(totalCents)}</td>
    <td><form method="post" action="/admin/orders/${id}">
      <select name="status" aria-label="Status of order ${id}">${options(orderStatuses, status)}</select>
      <button aria-label="Save order ${id}">Save</button>
    </form></td>
  </tr>`;
}

export function stockPage(visit: Visit, products: readonly Product[], wanted: string): Html {
  return page(
    "Stock",
    visit,
    html`<h1 id="stock-heading">Stock</h1>
<search><form method="get" action="/admin/products">
  <label>Name <input type="search" name="name" value="${wanted}"></label> <button>Find</button>
</form></search>
<table aria-labelledby="stock-heading">
  <thead><tr><th scope="col">Number</th><th scope="col">Product</th><th scope="col">Category</th><th scope="col">Price</th><th scope="col">Stock</th></tr></thead>
  <tbody>${products.map(stockRow)}</tbody>
</table>`,
  );
}

function stockRow({ id, name, category, priceCents, stock }: Product): Html {
  return html`
  <tr><td>${id}</td><th scope="row"><a href="/admin/products/${id}">${name}</a></th><td>${category}</td><td>${money(priceCents)}</td><td>${stock}</td></tr>`;
}

export function editPage(visit: Visit, product: Product): Html {
  const { id, name, category, priceCents, stock, featured } = product;
  return page(
    `Edit ${name}`,
    visit,
    html`<nav aria-label="Breadcrumb"><a href="/admin/products">Stock</a></nav>
<h1>Edit product ${id}</h1>
<form method="post" action="/admin/products/${id}" class="stacked">
  <label>Name <input name="name" value="${name}" maxlength="80" required></label>
  <label>Price in euros <input type="number" name="price" value="${(priceCents / 100).toFixed(2)}" min="0.01" max="10000" step="0.01" required></label>
  <label>Stock <input type="number" name="stock" value="${stock}" min="0" max="10000" required></label>
  <label>Category <select name="category">${options(categories, category)}</select></label>
  <label class="check"><input type="checkbox" name="featured"${featured && html` checked`}> Recommend this product</label>
  <button>Save product</button>
</form>`,
  );
}

function items({ lines }: Order): string {
  return lines.map(({ product, quantity }) => `${quantity} × ${product.name} (no. ${product.id})`).join(", ");
}
