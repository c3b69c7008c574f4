// Finds cities and takes bookings.
import { after } from "../after.js";

const cities = ["Berlin", "Bergen", "Bern", "Lisbon", "Oslo"];

export default function serve(app, say) {
  app.get("/cities", ({ query: { q } }) =>
    after(
      110,
      cities.filter((city) => city.toLowerCase().includes(q.toLowerCase())),
    ),
  );
  app.post("/bookings", ({ body: { city, extras, guest, nights, kind } }) => {
    say(`${guest} booked ${nights} nights in ${city}, ${kind}, ${extras.join(" and ") || "no extras"}`);
    return after(140, { text: `Booked for ${guest} in ${city}` });
  });
}
