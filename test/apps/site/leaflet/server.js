// Tiles of one colour each, as a map server across a network sends them; and the places that are searched for.
import { after } from "../after.js";

const places = [
  { name: "Harbour", lat: 54.32, lng: 10.14 },
  { name: "Castle", lat: 54.33, lng: 10.15 },
  { name: "Market", lat: 54.325, lng: 10.13 },
];

export default function serve(app) {
  app.get("/tiles/:z/:x/:y", async ({ params: { z, x, y } }, reply) => {
    const hue = (Number(z) * 40 + Number(x) * 70 + Number(y) * 110) % 360;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="hsl(${hue} 40% 80%)"/></svg>`;
    return reply.type("image/svg+xml").send(await after(30, svg));
  });
  app.get("/places", async ({ query: { text = "" } }) =>
    after(
      60,
      places.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase())),
    ),
  );
}
