import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { examplePort, type LoginRole, serveShop, storageStateFor } from "../../../deploy/example/shop.ts";

test("the catalogue lists 200 products, each with a page of its own, and no other", async () => {
  await using shop = await openShop();
  const catalogue = await shop.get("/");
  assert.equal(catalogue.match(/<li data-stock/g)?.length, 200);
  assert.match(await shop.get("/product/42"), /<h1>Linen Bowl<\/h1>/);
  assert.match(await shop.get("/product/200"), /Sold out/);
  for (const path of ["/product/201", "/product/0", "/product/x", "/nowhere", "/admin/products/9"]) {
    assert.notEqual((await shop.fetch(path)).status, 200, path);
  }
});

test("a category shows its own products, an unknown one all", async () => {
  await using shop = await openShop();
  assert.equal((await shop.get("/?category=Music")).match(/<li data-stock/g)?.length, 40);
  assert.equal((await shop.get("/?category=Nonsense")).match(/<li data-stock/g)?.length, 200);
});

test("what customers put in their cart and check out, the admin sees and moves on", async () => {
  await using shop = await openShop();
  const customer = shop.as("customer");
  const admin = shop.as("admin");
  const stock = stockOf(await customer.get("/product/42"));

  assert.match(
    await customer.post("/cart", { product: "42", quantity: "2" }),
    /Added Linen Bowl to your cart\./,
  );
  assert.match(await customer.get("/cart"), /<dialog id="confirm"/);
  assert.match(await customer.post("/checkout"), /Your order 1003 is placed\./);
  assert.equal(stockOf(await customer.get("/product/42")), stock - 2);

  assert.match(await admin.get("/admin"), /1003<\/th><td>Carla Customer<\/td>.*2 × Linen Bowl \(no\. 42\)/s);
  assert.match(await admin.post("/admin/orders/1003", { status: "Packed" }), /Order 1003 is now Packed\./);
  assert.match(await customer.get("/account"), /1003<\/th>.*Packed<\/td>/);
  assert.equal((await admin.fetch("/admin/orders/1003", { status: "Lost" })).status, 422);
  assert.equal((await admin.fetch("/admin/orders/4711", { status: "Packed" })).status, 404);
});

test("an order takes what is there and says what is not", async () => {
  await using shop = await openShop();
  const customer = shop.as("customer");
  assert.match(await customer.post("/checkout"), /The cart is empty\./);
  for (const quantity of ["0", "-1", "1.5", "many", "100"]) {
    assert.equal((await customer.fetch("/cart", { product: "42", quantity })).status, 422, quantity);
  }
  assert.equal((await customer.fetch("/cart", { product: "25", quantity: "1" })).status, 422);
  assert.equal((await customer.fetch("/cart", { product: "777", quantity: "1" })).status, 422);
  const stock = stockOf(await customer.get("/product/42"));
  await customer.post("/cart", { product: "42", quantity: String(stock) });
  await shop.as("admin").post("/admin/products/42", { ...linenBowl, stock: "1" });
  assert.match(await customer.post("/checkout"), /There are only 1 of Linen Bowl\./);
  assert.match(await customer.post("/cart/remove", { product: "42" }), /Your cart is empty/);
});

test("an order with its form is kept whole, for who ordered and the admin, without the card's number", async () => {
  await using shop = await openShop();
  const customer = shop.as("customer");
  await customer.post("/cart", { product: "42", quantity: "1" });
  const { token } = await shop.card();
  const ordered = await customer.post("/order", { ...orderForm, payment: token });
  assert.match(ordered, /Your order 1003 is placed\..*<dt>Email<\/dt><dd>ada@example\.org<\/dd>/s);
  assert.match(ordered, /<dd>8 characters<\/dd>.*<dd>Ada, ending in 4242, expires 04\/29<\/dd>/s);
  assert.doesNotMatch(ordered, /hush-now|42424242/);
  assert.match(await shop.as("admin").get("/orders/1003"), /ada@example\.org/);
  assert.equal((await customer.fetch("/orders/1002")).status, 404);
  assert.equal((await shop.fetch("/orders/1003")).headers.get("location"), "/login?next=%2Forders%2F1003");
});

test("an order form with a field that is missing or makes no sense, or without a card, orders nothing", async () => {
  await using shop = await openShop();
  const customer = shop.as("customer");
  assert.match(await customer.get("/order"), /The cart is empty\./);
  await customer.post("/cart", { product: "42", quantity: "1" });
  const { token } = await shop.card();
  for (const wrong of [
    { email: "" },
    { email: "nobody" },
    { delivery: "Pigeon" },
    { date: "tomorrow" },
    { terms: "" },
    { address: "x".repeat(501) },
    { payment: "" },
    { payment: "made-up" },
  ]) {
    const reply = await customer.fetch("/order", { ...orderForm, payment: token, ...wrong });
    assert.equal(reply.status, 422, JSON.stringify(wrong));
  }
  assert.equal((await customer.fetch("/orders/1003")).status, 404);
  assert.match(await customer.post("/order", { ...orderForm, payment: token }), /Your order 1003 is placed/);
  await customer.post("/cart", { product: "42", quantity: "1" });
  assert.equal((await customer.fetch("/order", { ...orderForm, payment: token })).status, 422);
});

test("the payment service is the same server under its other name, and either frames only the other", async () => {
  await using shop = await openShop();
  const customer = shop.as("customer");
  await customer.post("/cart", { product: "42", quantity: "1" });
  const payment = shop.url.replace("127.0.0.1", "localhost");
  const form = await customer.fetch("/order");
  assert.match(form.headers.get("content-security-policy") ?? "", new RegExp(`frame-src 'self' ${payment};`));
  assert.match(await form.text(), new RegExp(`<iframe src="${payment}/payment\\?cents=`));
  const frame = await fetch(`${payment}/payment?cents=100`);
  const policy = frame.headers.get("content-security-policy") ?? "";
  assert.match(policy, new RegExp(`frame-ancestors 'self' ${shop.url};`));
  assert.match(await frame.text(), new RegExp(`data-shop="${shop.url}"`));
});

test("a card with a wrong number, expiry or code is refused with the reason", async () => {
  await using shop = await openShop();
  for (const [field, value] of Object.entries({
    number: "4242",
    expires: "13/29",
    code: "12345",
    holder: " ",
  })) {
    const { status, error } = await shop.card({ [field]: value });
    assert.equal(status, 422, field);
    assert.match(error, /^The /);
  }
});

test("a guest's cart is his own and comes along when he logs in", async () => {
  await using shop = await openShop();
  const guest = shop.visitor();
  const other = shop.visitor();
  await guest.post("/cart", { product: "7", quantity: "1" });
  assert.match(await guest.get("/cart"), /Log in to check out/);
  assert.match(await other.get("/cart"), /Your cart is empty/);
  assert.equal((await guest.fetch("/login", { username: "customer", password: "wrong" })).status, 401);
  assert.match(
    await guest.post("/login", { username: "customer", password: "customer-demo", next: "/cart" }),
    /Welcome, Carla Customer\..*Oak Bird House/s,
  );
  assert.match(await guest.post("/logout"), /You are logged out\./);
  assert.match(await guest.get("/cart"), /Your cart is empty/);
});

test("the login never leads out of the shop", async () => {
  await using shop = await openShop();
  for (const next of ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"]) {
    const reply = await shop.fetch("/login", { username: "admin", password: "admin-demo", next });
    assert.equal(reply.headers.get("location"), "/account", next);
  }
});

test("pages of members ask guests to log in, and those of the admin refuse the customer", async () => {
  await using shop = await openShop();
  const asked = await shop.fetch("/account");
  assert.deepEqual([asked.status, asked.headers.get("location")], [303, "/login?next=%2Faccount"]);
  assert.equal((await shop.fetch("/admin")).headers.get("location"), "/login?next=%2Fadmin");
  const customer = shop.as("customer");
  assert.equal((await customer.fetch("/admin")).status, 403);
  assert.equal((await customer.fetch("/admin/products/42", linenBowl)).status, 403);
  assert.match(await customer.get("/account"), /Hello, Carla Customer/);
});

test("an edited product is saved if its fields are in order, and left alone with the reason if not", async () => {
  await using shop = await openShop();
  const admin = shop.as("admin");
  const saved = await admin.post("/admin/products/42", { ...linenBowl, name: "Linen Dish", featured: "on" });
  assert.match(saved, /Saved Linen Dish\./);
  assert.match(await shop.get("/product/42"), /<h1>Linen Dish<\/h1>/);
  const wrong = [
    { name: " " },
    { price: "0" },
    { price: "cheap" },
    { stock: "-1" },
    { stock: "1.5" },
    { category: "Cars" },
  ];
  for (const change of wrong) {
    const reply = await admin.fetch("/admin/products/42", { ...linenBowl, ...change });
    assert.equal(reply.status, 422, JSON.stringify(change));
    assert.match(await reply.text(), /The (name|price|stock|category) must/);
  }
  assert.match(await shop.get("/product/42"), /<h1>Linen Dish<\/h1>/);
});

test("what visitors and the admin write is escaped on every page", async () => {
  await using shop = await openShop();
  const admin = shop.as("admin");
  const attack = `"><script>alert('x')</script>&`;
  await admin.post("/admin/products/42", { ...linenBowl, name: attack });
  const pages = [
    await shop.get("/"),
    await shop.get("/product/42"),
    await admin.get("/admin/products/42"),
    await admin.get(`/admin/products?name=${encodeURIComponent(attack)}`),
    await shop.get(`/delivery?product=42&postcode=${encodeURIComponent(`"><b>x`)}`),
    await shop.get(`/login?next=${encodeURIComponent(attack)}`),
  ];
  for (const page of pages) assert.doesNotMatch(page, /<script>|<b>/);
  assert.match(pages[1] ?? "", /&quot;&gt;&lt;script&gt;alert\(&#39;x&#39;\)&lt;\/script&gt;&amp;/);
});

test("the recommendations come as JSON, and a product goes into the cart by JSON", async () => {
  await using shop = await openShop();
  const { products } = JSON.parse(await shop.get("/api/recommended")) as { products: { id: number }[] };
  assert.equal(products.length, 8);
  assert.ok(products.some(({ id }) => id === 42));
  const json = { "content-type": "application/json" };
  const post = (body: string, headers: Record<string, string> = json) =>
    fetch(`${shop.url}/api/cart`, { method: "POST", headers, body });
  const added = await post(JSON.stringify({ product: 42, quantity: 2 }));
  assert.deepEqual(await added.json(), { cartCount: 2 });
  assert.match(added.headers.get("set-cookie") ?? "", /^shop_session=guest-.*HttpOnly; SameSite=Lax/);
  assert.equal((await post(JSON.stringify({ product: 25 }))).status, 422);
  assert.equal((await post("{")).status, 400);
  assert.equal((await post("[1]", { "content-type": "text/plain" })).status, 415);
  assert.equal((await post("1")).status, 400);
});

test("other methods, large bodies and broken requests are refused", async () => {
  await using shop = await openShop();
  const status = async (path: string, init: RequestInit) => (await fetch(shop.url + path, init)).status;
  assert.equal(await status("/", { method: "DELETE" }), 405);
  assert.equal(await status("/", { method: "POST", body: new URLSearchParams({ a: "b" }) }), 405);
  assert.equal(await status("/checkout", { method: "GET" }), 405);
  assert.equal(
    await status("/cart", { method: "POST", body: new URLSearchParams({ a: "x".repeat(20_000) }) }),
    413,
  );
  assert.equal(await status("/", { headers: { cookie: "shop_session=%E0%A4%A; =; shop_notice" } }), 200);
  assert.match(await shop.raw("GET http://[ HTTP/1.1\r\nHost: x\r\n\r\n"), /^HTTP\/1\.1 400 /);
});

test("the files in auth/ are what the shop accepts as logged in, at the example's address", async () => {
  for (const role of ["customer", "admin"] as const) {
    const file = join(import.meta.dirname, `../../../deploy/example/auth/${role}.json`);
    const expected = storageStateFor(role, `http://127.0.0.1:${examplePort}`);
    assert.deepEqual(JSON.parse(await readFile(file, "utf8")), expected);
  }
  assert.throws(() => storageStateFor("nobody" as LoginRole, "http://127.0.0.1"), RangeError);
});

test("a taken port is said, with its code and what to do", async () => {
  await using shop = await openShop();
  const port = Number(new URL(shop.url).port);
  await assert.rejects(serveShop({ port }), (error: NodeJS.ErrnoException) => {
    assert.equal(error.code, "EADDRINUSE");
    assert.match(
      error.message,
      new RegExp(`needs 127\\.0\\.0\\.1:${port}, where another program listens already`),
    );
    return true;
  });
});

test("a shop that has closed is gone, also for who was still connected, and closes once only", async () => {
  const shop = await openShop();
  await shop.get("/");
  await shop.close();
  await shop.close();
  await assert.rejects(fetch(shop.url));
});

const linenBowl = { name: "Linen Bowl", price: "9.95", stock: "5", category: "Kitchen" };

const orderForm = {
  name: "Ada",
  email: "ada@example.org",
  password: "hush-now",
  address: "1 Quay Street",
  country: "Denmark",
  delivery: "Express",
  date: "2027-03-31",
  parcels: "1",
  packaging: "Tin",
  terms: "accepted",
};

function stockOf(productPage: string): number {
  return Number(/<dt>In stock<\/dt><dd>(\d+)/.exec(productPage)?.[1]);
}

/** A shop on a free port, and browsers without a window: they keep cookies and follow redirects. */
async function openShop() {
  const shop = await serveShop({ port: 0 });
  const visitor = (cookies: Record<string, string> = {}) => {
    const jar = new Map(Object.entries(cookies));
    const send = async (path: string, form?: Record<string, string>) => {
      const reply = await fetch(shop.url + path, {
        headers: { cookie: Array.from(jar, (pair) => pair.join("=")).join("; ") },
        redirect: "manual",
        ...(form && { method: "POST", body: new URLSearchParams(form) }),
      });
      for (const cookie of reply.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        if (cookie.includes("Max-Age=0")) jar.delete(name);
        else jar.set(name, value);
      }
      return reply;
    };
    const follow = async (reply: Response): Promise<string> => {
      const location = reply.headers.get("location");
      return location ? follow(await send(location)) : await reply.text();
    };
    return {
      fetch: send,
      get: async (path: string) => follow(await send(path)),
      post: async (path: string, form: Record<string, string> = {}) => follow(await send(path, form)),
    };
  };
  return {
    ...shop,
    ...visitor(),
    visitor: () => visitor(),
    as: (role: LoginRole) =>
      visitor(
        Object.fromEntries(storageStateFor(role, shop.url).cookies.map(({ name, value }) => [name, value])),
      ),
    /** Returns the payment service's answer to a card with these wrong fields. */
    async card(wrong: Record<string, string> = {}) {
      const card = { holder: "Ada", number: "4242 4242 4242 4242", expires: "04/29", code: "123", ...wrong };
      const body = new URLSearchParams(card);
      const reply = await fetch(`${shop.url}/payment`, { method: "POST", body });
      return { status: reply.status, ...((await reply.json()) as { token: string; error: string }) };
    },
    /** Returns the answer to bytes that no client would send. */
    async raw(text: string): Promise<string> {
      const socket = connect(Number(new URL(shop.url).port), "127.0.0.1");
      socket.end(text);
      const chunks: Buffer[] = [];
      socket.on("data", (chunk: Buffer) => chunks.push(chunk));
      await once(socket, "close");
      return Buffer.concat(chunks).toString();
    },
  };
}
