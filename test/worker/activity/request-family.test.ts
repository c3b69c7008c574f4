// Tests that requests are grouped by what they ask for, and named without secrets.
import assert from "node:assert/strict";
import { test } from "node:test";
import { familyOf, identityOf, nameOf } from "../../../worker/activity/request-family.ts";

const get = (url: string) => ({ method: "GET", url });
const post = (postData: string) => ({ method: "POST", url: "https://shop.example/graphql", postData });

test("query and body belong to a request's identity, the fragment does not", () => {
  assert.notEqual(
    identityOf(get("https://a.example/x?page=1")),
    identityOf(get("https://a.example/x?page=2")),
  );
  assert.notEqual(identityOf(post("mutation")), identityOf(post("query")));
  assert.equal(identityOf(get("https://a.example/x#one")), identityOf(get("https://a.example/x#two")));
});

test("a poll's cursor does not change the family of a request, but another operation does", () => {
  assert.equal(
    familyOf(get("https://a.example/poll?since=1&t=ab")),
    familyOf(get("https://a.example/poll?since=2&t=cd")),
  );
  assert.equal(familyOf(get("https://a.example/poll?17")), familyOf(get("https://a.example/poll?18")));
  assert.equal(familyOf(post('{"query":"a","id":1}')), familyOf(post('{"query":"a","id":22}')));
  assert.notEqual(familyOf(post("mutation Add")), familyOf(post("query Cart")));
});

test("a request is named by method and path, with its origin if that is not the page's", () => {
  const page = "https://shop.example/cart";
  assert.equal(nameOf(get("https://shop.example/api/orders?token=secret#x"), page), "GET /api/orders");
  assert.equal(nameOf(get("https://user:pw@cdn.example/x.js?k=1"), page), "GET https://cdn.example/x.js");
  assert.equal(nameOf(get("data:text/plain,secret"), page), "GET data:");
  assert.ok(nameOf(get(`https://shop.example/${"a".repeat(500)}`), page).length < 150);
});

test("megabytes of address or body are cut", () => {
  assert.ok(identityOf(post("x".repeat(10_000_000))).length < 5_000);
});
