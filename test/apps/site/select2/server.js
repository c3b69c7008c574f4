// Cities by country, as a server across a network searches them.
import { after } from "../after.js";

const cities = {
  Germany: ["Berlin", "Bremen", "Hamburg"],
  Greece: ["Athens", "Thebes", "Thessaloniki"],
  Italy: ["Milan", "Rome"],
};

export default function serve(app) {
  app.addContentTypeParser(
    /^application\/x-www-form-urlencoded/,
    { parseAs: "string" },
    (_request, body, done) => done(null, body),
  );
  app.get("/cities", ({ query: { term, country } }) => {
    const found = (cities[country] ?? []).filter((each) => each.toLowerCase().includes(term.toLowerCase()));
    return after(120, { results: found.map((text) => ({ id: text, text })) });
  });
  app.post("/trips", () => after(100, { planned: true }));
}
