// Runs the shop's pages: currency, search, recommendations, the dialog at checkout. Each piece looks for its elements,
// because a page may lack them.

const rates = { EUR: 1, USD: 1.1, GBP: 0.85 };
const byId = (id) => document.getElementById(id);

const currency = byId("currency");
if (currency) {
  const kept = localStorage.getItem("currency");
  if (kept in rates) currency.value = kept;
  currency.addEventListener("change", () => {
    localStorage.setItem("currency", currency.value);
    showPrices(document);
  });
  showPrices(document);
}

const search = byId("search");
if (search) {
  search.addEventListener("input", filterProducts);
  byId("in-stock").addEventListener("change", filterProducts);
  recommend();
}

const confirmation = byId("confirm");
if (confirmation) {
  byId("check-out").addEventListener("click", () => confirmation.showModal());
  byId("keep-shopping").addEventListener("click", () => confirmation.close());
}

function showPrices(root) {
  const format = new Intl.NumberFormat("en", { style: "currency", currency: currency.value });
  for (const price of root.querySelectorAll("[data-cents]")) {
    price.textContent = format.format((Number(price.dataset.cents) / 100) * rates[currency.value]);
  }
}

function filterProducts() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const inStock = byId("in-stock").checked;
  let shown = 0;
  for (const item of byId("products").children) {
    const name = item.querySelector("a").textContent.toLowerCase();
    item.hidden = !words.every((word) => name.includes(word)) || (inStock && item.dataset.stock === "0");
    if (!item.hidden) shown++;
  }
  byId("search-result").textContent = shown === 1 ? "1 product" : `${shown} products`;
}

async function recommend() {
  const list = byId("recommended");
  const { products } = await (await fetch("/api/recommended")).json();
  list.replaceChildren(...products.map(card));
  list.removeAttribute("aria-busy");
  showPrices(list);
}

function card({ id, name, priceCents }) {
  const link = Object.assign(document.createElement("a"), { href: `/product/${id}`, textContent: name });
  const price = document.createElement("span");
  price.dataset.cents = priceCents;
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    textContent: "Add to cart",
  });
  button.setAttribute("aria-label", `Add ${name} to cart`);
  button.addEventListener("click", () => addToCart(id, name, button));
  const item = document.createElement("li");
  item.append(link, " ", price, " ", button);
  return item;
}

async function addToCart(product, name, button) {
  button.disabled = true;
  const response = await fetch("/api/cart", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ product, quantity: 1 }),
  });
  const { cartCount, error } = await response.json();
  if (response.ok) byId("cart-count").textContent = cartCount;
  byId("notice").textContent = response.ok ? `Added ${name} to your cart.` : error;
  button.disabled = false;
}
