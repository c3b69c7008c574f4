/** Maps requests to the shop's answers. */
import { messagePage, type Visit } from "./layout.ts";
import { sessionCookie, type User, userOf, users } from "./logins.ts";
import { accountPage, adminPage, editPage, loginPage, stockPage } from "./member-pages.ts";
import { type Entry, readOrderFields } from "./order-fields.ts";
import { orderedPage, orderPage } from "./order-pages.ts";
import { acceptCard, paymentOrigin, paymentPage } from "./payment.ts";
import { categories } from "./products.ts";
import { isPage, methodNotAllowed, notFound, noticeCookie, ok, type Reply, seeOther } from "./reply.ts";
import { cartPage, cataloguePage, deliveryPage, productPage } from "./shop-pages.ts";
import {
  addToCart,
  cartLines,
  checkOut,
  countOf,
  editProduct,
  findProduct,
  newGuestSession,
  orderStatuses,
  quantityMax,
  removeFromCart,
  type Shop,
  takeCartAlong,
} from "./state.ts";

export interface ShopRequest {
  method: "GET" | "POST";
  /** The Host header of the request. */
  host: string;
  path: string;
  query: URLSearchParams;
  /** The fields of a form or of a JSON object. Empty for GET. */
  form: URLSearchParams;
  cookies: ReadonlyMap<string, string>;
}

/** Returns the reply to a request. A POST changes the shop. */
export function answer(shop: Shop, request: ShopRequest): Reply {
  const at = routes.filter(({ path }) => path.test(request.path));
  const visitor = visitorOf(shop, request);
  const route = at.find(({ method }) => method === request.method);
  if (!route) {
    return at.length > 0 ? methodNotAllowed(at.map(({ method }) => method)) : notFound(visitor.visit);
  }
  const [, id] = route.path.exec(request.path) ?? [];
  const reply =
    refusal(route, request, visitor.visit) ?? route.answer({ shop, ...request, ...visitor, id: Number(id) });
  // This page has shown the notice.
  if (visitor.visit.notice && isPage(reply))
    return { ...reply, cookies: { [noticeCookie]: undefined, ...reply.cookies } };
  return reply;
}

interface Visitor {
  session: string | undefined;
  visit: Visit;
}

interface Context extends ShopRequest, Visitor {
  shop: Shop;
  /** The number in the path; NaN if there is none. */
  id: number;
}

interface Route {
  method: "GET" | "POST";
  path: RegExp;
  /** The users who may use the route. Default: everyone. */
  only?: "user" | "admin";
  answer: (context: Context) => Reply;
}

/** No cart costs more. */
const centsMax = 100_000_000;

const routes: readonly Route[] = [
  { method: "GET", path: /^\/$/, answer: catalogue },
  { method: "GET", path: /^\/product\/(\d{1,6})$/, answer: product },
  { method: "GET", path: /^\/delivery$/, answer: delivery },
  { method: "GET", path: /^\/api\/recommended$/, answer: recommended },
  {
    method: "GET",
    path: /^\/cart$/,
    answer: ({ shop, session, visit }) => ok(cartPage(visit, cartLines(shop, session))),
  },
  { method: "POST", path: /^\/cart$/, answer: addAndShowCart },
  { method: "POST", path: /^\/api\/cart$/, answer: addAndCount },
  { method: "POST", path: /^\/cart\/remove$/, answer: remove },
  { method: "POST", path: /^\/checkout$/, only: "user", answer: placeOrder },
  { method: "GET", path: /^\/order$/, only: "user", answer: orderForm },
  { method: "POST", path: /^\/order$/, only: "user", answer: placeFullOrder },
  { method: "GET", path: /^\/orders\/(\d{1,6})$/, only: "user", answer: showOrder },
  { method: "GET", path: /^\/payment$/, answer: payment },
  { method: "POST", path: /^\/payment$/, answer: takeCard },
  {
    method: "GET",
    path: /^\/login$/,
    answer: ({ query, visit }) => ok(loginPage(visit, localPath(query.get("next")))),
  },
  { method: "POST", path: /^\/login$/, answer: logIn },
  {
    method: "POST",
    path: /^\/logout$/,
    answer: () => seeOther("/", "You are logged out.", { [sessionCookie]: undefined }),
  },
  { method: "GET", path: /^\/account$/, only: "user", answer: account },
  {
    method: "GET",
    path: /^\/admin$/,
    only: "admin",
    answer: ({ shop, visit }) => ok(adminPage(visit, shop.orders.toReversed())),
  },
  { method: "POST", path: /^\/admin\/orders\/(\d{1,6})$/, only: "admin", answer: changeStatus },
  { method: "GET", path: /^\/admin\/products$/, only: "admin", answer: stock },
  { method: "GET", path: /^\/admin\/products\/(\d{1,6})$/, only: "admin", answer: editForm },
  { method: "POST", path: /^\/admin\/products\/(\d{1,6})$/, only: "admin", answer: saveProduct },
];

function visitorOf(shop: Shop, { cookies }: ShopRequest): Visitor {
  const session = cookies.get(sessionCookie);
  const cartCount = countOf(cartLines(shop, session));
  return { session, visit: { user: userOf(session), cartCount, notice: cookies.get(noticeCookie) } };
}

function refusal({ only, method }: Route, { path }: ShopRequest, visit: Visit): Reply | undefined {
  if (!only) return undefined;
  if (!visit.user)
    return seeOther(
      `/login?next=${encodeURIComponent(method === "GET" ? path : "/cart")}`,
      "Please log in first.",
    );
  if (only === "admin" && !visit.user.admin) {
    return {
      status: 403,
      body: messagePage("Not for you", "Only the shop's own people see this page.", visit),
    };
  }
  return undefined;
}

function catalogue({ shop, query, visit }: Context): Reply {
  const category = categories.find((known) => known === query.get("category"));
  const products = shop.products.filter((product) => !category || product.category === category);
  return ok(cataloguePage(visit, products, category));
}

function product({ shop, id, visit }: Context): Reply {
  const found = findProduct(shop, id);
  return found ? ok(productPage(visit, found)) : notFound(visit);
}

function delivery({ shop, query, visit }: Context): Reply {
  const found = findProduct(shop, Number(query.get("product")));
  return found ? ok(deliveryPage(found, (query.get("postcode") ?? "").slice(0, 10))) : notFound(visit);
}

function recommended({ shop }: Context): Reply {
  const products = shop.products.filter(({ featured, stock }) => featured && stock > 0).slice(0, 8);
  return ok({ products: products.map(({ id, name, priceCents }) => ({ id, name, priceCents })) });
}

function addAndShowCart(context: Context): Reply {
  const { error, cookies, name } = add(context);
  if (error) return { status: 422, body: messagePage("Not added", error, context.visit) };
  return seeOther("/cart", `Added ${name} to your cart.`, cookies);
}

function addAndCount(context: Context): Reply {
  const { error, cookies, session } = add(context);
  if (error) return { status: 422, body: { error } };
  return { ...ok({ cartCount: countOf(cartLines(context.shop, session)) }), cookies };
}

/** A guest gets a session with the first product in the cart. */
function add({ shop, form, session = newGuestSession() }: Context) {
  const found = findProduct(shop, Number(form.get("product")));
  const quantity = Number(form.get("quantity") ?? 1);
  const valid = Number.isInteger(quantity) && quantity >= 1 && quantity <= quantityMax;
  const error = found
    ? valid
      ? addToCart(shop, session, found, quantity)
      : `The quantity must be a whole number from 1 to ${quantityMax}.`
    : "There is no such product.";
  return { error, session, name: found?.name, cookies: { [sessionCookie]: session } };
}

function remove({ shop, form, session }: Context): Reply {
  if (session) removeFromCart(shop, session, Number(form.get("product")));
  return seeOther("/cart", "Removed from your cart.");
}

function placeOrder({ shop, session, visit }: Context): Reply {
  const order = checkOut(shop, session ?? "", visit.user?.name ?? "");
  if (typeof order === "string") return seeOther("/cart", order);
  return seeOther("/account", `Thank you. Your order ${order.id} is placed.`);
}

function orderForm({ shop, session, visit, host }: Context): Reply {
  const lines = cartLines(shop, session);
  if (lines.length === 0) return seeOther("/cart", "The cart is empty.");
  const frames = paymentOrigin(host);
  return { ...ok(orderPage(visit, visit.user as User, lines, frames)), frames };
}

function placeFullOrder({ shop, session, form, visit }: Context): Reply {
  const entries = readOrderFields(form);
  const card = shop.cards.get(form.get("payment") ?? "");
  const problem = typeof entries === "string" ? entries : card ? undefined : "There is no card to pay with.";
  if (typeof entries === "string" || !card)
    return { status: 422, body: messagePage("Not ordered", problem ?? "", visit) };
  const paid: Entry = ["Card", `${card.holder}, ending in ${card.lastDigits}, expires ${card.expires}`];
  const order = checkOut(shop, session ?? "", visit.user?.name ?? "", [...entries, paid]);
  if (typeof order === "string") return seeOther("/cart", order);
  shop.cards.delete(form.get("payment") ?? "");
  return seeOther(`/orders/${order.id}`, `Thank you. Your order ${order.id} is placed.`);
}

function showOrder({ shop, id, visit }: Context): Reply {
  const order = shop.orders.find((known) => known.id === id);
  const isOwn = order && (visit.user?.admin || order.customer === visit.user?.name);
  return order && isOwn ? ok(orderedPage(visit, order)) : notFound(visit);
}

function payment({ query, host }: Context): Reply {
  const framedBy = paymentOrigin(host);
  const cents = Math.min(Math.max(Math.round(Number(query.get("cents"))) || 0, 0), centsMax);
  return { ...ok(paymentPage(cents, framedBy)), framedBy };
}

function takeCard({ shop, form }: Context): Reply {
  const taken = acceptCard(shop.cards, form);
  if (typeof taken === "string") return { status: 422, body: { error: taken } };
  return ok({ token: taken.token, lastDigits: taken.card.lastDigits });
}

function logIn({ shop, form, session, visit }: Context): Reply {
  const user = users.find(
    ({ username, password }) => username === form.get("username") && password === form.get("password"),
  );
  const next = localPath(form.get("next"));
  if (!user) {
    return { status: 401, body: loginPage({ ...visit, notice: "User name or password is wrong." }, next) };
  }
  if (session && !visit.user) takeCartAlong(shop, session, user.session);
  return seeOther(next, `Welcome, ${user.name}.`, { [sessionCookie]: user.session });
}

function account({ shop, visit }: Context): Reply {
  const user = visit.user as User;
  const own = shop.orders.filter(({ customer }) => customer === user.name);
  return ok(accountPage(visit, user, own.toReversed()));
}

function changeStatus({ shop, id, form, visit }: Context): Reply {
  const order = shop.orders.find((known) => known.id === id);
  const status = orderStatuses.find((known) => known === form.get("status"));
  if (!order) return notFound(visit);
  if (!status) {
    const text = `The status must be one of ${orderStatuses.join(", ")}.`;
    return { status: 422, body: messagePage("Not saved", text, visit) };
  }
  order.status = status;
  return seeOther("/admin", `Order ${id} is now ${status}.`);
}

function stock({ shop, query, visit }: Context): Reply {
  const wanted = (query.get("name") ?? "").slice(0, 80);
  const found = shop.products.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
  return ok(stockPage(visit, found, wanted));
}

function editForm({ shop, id, visit }: Context): Reply {
  const found = findProduct(shop, id);
  return found ? ok(editPage(visit, found)) : notFound(visit);
}

function saveProduct({ shop, id, form, visit }: Context): Reply {
  const found = findProduct(shop, id);
  if (!found) return notFound(visit);
  const error = editProduct(found, form);
  if (error) return { status: 422, body: editPage({ ...visit, notice: error }, found) };
  return seeOther(`/admin/products/${id}`, `Saved ${found.name}.`);
}

/** Returns where to go after the login. It is always inside the shop, whatever the address says. */
function localPath(next: string | null): string {
  return next && /^\/(?![/\\])[\w/?=&.-]*$/.test(next) ? next : "/account";
}
