/** The order form with every kind of control, and the page that shows an order. */
import { type Html, html } from "./html.ts";
import { money, options, page, type Visit } from "./layout.ts";
import type { User } from "./logins.ts";
import { countries, deliveries, extras, packagings, papers, pickUpPoints } from "./order-fields.ts";
import type { CartLine, Order } from "./state.ts";
import { totalCents } from "./state.ts";

/** `payment`: the origin of the payment service. */
export function orderPage(visit: Visit, user: User, lines: readonly CartLine[], payment: string): Html {
  const total = totalCents(lines);
  return page(
    "Order",
    visit,
    html`<nav aria-label="Breadcrumb"><a href="/cart">Cart</a></nav>
<h1>Your order</h1>
<p>${visit.cartCount} ${visit.cartCount === 1 ? "item" : "items"} for ${money(total)}. Fields marked with * are needed.</p>
<form method="post" action="/order" id="order" class="order">
${contact(user)}
${delivery}
${wrapping}
${payments(payment, total)}
<p class="choices">
  <button type="button" id="show-terms" class="quiet" aria-haspopup="dialog">Read the terms</button>
  <input type="hidden" name="terms"><output id="terms-status">Not accepted yet</output>
</p>
<p class="choices"><button>Place order</button> <button type="reset" class="quiet">Start over</button></p>
</form>
<dialog id="terms" aria-labelledby="terms-heading">
  <h2 id="terms-heading">Terms</h2>
  <p>Nothing is sold here, and nothing will be sent. The card is not charged.</p>
  <p class="choices">
    <button type="button" id="accept-terms">Accept the terms</button>
    <button type="button" id="close-terms" class="quiet">Not now</button>
  </p>
</dialog>
<script src="/order.js" type="module"></script>`,
  );
}

function contact({ name }: User): Html {
  return html`<fieldset><legend>Contact</legend>
  <label>Full name * <input name="name" value="${name}" autocomplete="name" maxlength="80" required></label>
  <label>Email * <input type="email" name="email" autocomplete="email" placeholder="you@example.org" required></label>
  <label>Phone <input type="tel" name="phone" autocomplete="tel"></label>
  <label>Order password * <input type="password" name="password" autocomplete="new-password" minlength="6" aria-describedby="password-hint" required></label>
  <small id="password-hint">You will be asked for it when you call us about the order.</small>
  <label>Wish list <input type="url" name="website" placeholder="https://"></label>
</fieldset>`;
}

const delivery = html`<fieldset><legend>Delivery</legend>
  <label>Address * <textarea name="address" rows="3" autocomplete="street-address" maxlength="300" required></textarea></label>
  <label>Country * <input name="country" list="countries" autocomplete="country-name" required></label>
  <datalist id="countries">${options(countries, "")}</datalist>
  <fieldset class="inline"><legend>How *</legend>
    ${deliveries.map(
      (value) =>
        html`<label><input type="radio" name="delivery" value="${value}"${value === "Standard" && html` checked`}> ${value}</label> `,
    )}
  </fieldset>
  <label>Delivery date * <input type="date" name="date" required></label>
  <label>Delivery time <input type="time" name="time"></label>
  <div class="field">
    <span id="point-label">Pick-up point</span>
    <input type="hidden" name="point">
    <div role="combobox" id="point" tabindex="0" aria-labelledby="point-label" aria-haspopup="listbox" aria-expanded="false" aria-controls="point-list">None</div>
    <ul role="listbox" id="point-list" aria-labelledby="point-label" hidden>
      ${pickUpPoints.map((name) => html`<li role="option" tabindex="-1" aria-selected="false">${name}</li>`)}
    </ul>
  </div>
  <details><summary>More about the delivery</summary>
    <label>Note to the courier <input name="courier" maxlength="200"></label>
  </details>
</fieldset>`;

const wrapping = html`<fieldset><legend>Wrapping</legend>
  <label>Parcels * <input type="number" name="parcels" value="1" min="1" max="9" required></label>
  <label>Packaging * <select name="packaging" required><option value="">Please choose</option>
    ${Object.entries(packagings).map(([group, names]) => html`<optgroup label="${group}">${options(names, "")}</optgroup>`)}
  </select></label>
  <label>Extras <select name="extras" multiple size="${extras.length}">${options(extras, "")}</select></label>
  <label class="check"><input type="checkbox" name="gift" value="yes"> Wrap it as a present</label>
  <div class="field">
    <span id="paper-label">Paper</span>
    <input type="hidden" name="paper" value="${papers[0]}">
    <ul role="listbox" id="paper" aria-labelledby="paper-label" tabindex="0">
      ${papers.map((name, index) => html`<li role="option" id="paper-${index}" aria-selected="${String(index === 0)}">${name}</li>`)}
    </ul>
  </div>
  <label>Ribbon colour <input type="color" name="ribbon" value="#0b6e6e"></label>
  <label>Ribbon length <input type="range" name="length" min="20" max="200" step="10" value="50"></label>
  <div class="field">
    <span id="greeting-label">Greeting</span>
    <input type="hidden" name="greeting">
    <div id="greeting" contenteditable="true" role="textbox" aria-multiline="true" aria-labelledby="greeting-label"></div>
  </div>
  <label>Picture <input type="file" name="picture" accept="image/*"></label>
</fieldset>`;

function payments(payment: string, cents: number): Html {
  return html`<fieldset><legend>Payment</legend>
  <input type="hidden" name="tip" value="5">
  <div class="field">
    <span id="tip-label">Tip</span>
    <div role="slider" id="tip" tabindex="0" aria-labelledby="tip-label" aria-valuemin="0" aria-valuemax="20" aria-valuenow="5" aria-valuetext="5 %"><span></span></div>
  </div>
  <input type="hidden" name="updates" value="no">
  <button type="button" role="switch" id="send-updates" aria-checked="false">Text messages about the delivery</button>
  <input type="hidden" name="payment">
  <iframe src="${payment}/payment?cents=${cents}" id="payment" title="Payment"></iframe>
  <output id="payment-status">No card yet</output>
</fieldset>`;
}

export function orderedPage(visit: Visit, order: Order): Html {
  const { id, customer, placedOn, status, lines, details } = order;
  return page(
    `Order ${id}`,
    visit,
    html`<h1>Order ${id}</h1>
<ul>${lines.map(({ product, quantity }) => html`<li>${quantity} × ${product.name} (no. ${product.id})</li>`)}</ul>
<dl>
  <dt>Customer</dt><dd>${customer}</dd>
  <dt>Placed on</dt><dd>${placedOn}</dd>
  <dt>Status</dt><dd>${status}</dd>
  <dt>Total</dt><dd>${money(order.totalCents)}</dd>
  ${details.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>\n  `)}
</dl>`,
  );
}
