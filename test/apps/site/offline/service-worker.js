// Answers from the cache first, and keeps what the network said since.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.includes("/api/")) event.respondWith(cacheFirst(event.request));
});

async function cacheFirst(request) {
  const cache = await caches.open("api");
  const kept = await cache.match(request);
  const fresh = fetch(request).then(async (answer) => {
    await cache.put(request, answer.clone());
    const news = await answer.clone().json();
    for (const client of await self.clients.matchAll()) client.postMessage(news);
    return answer;
  });
  return kept ?? fresh;
}
