// Orders, as a REST backend serves them.
import { after } from "../after.js";

const people = ["Ann Abel", "Bob Baker", "Cy Cole", "Dee Dorn", "Eve East", "Flo Fisk"];

export default function serve(app) {
  const orders = people.map((customer, index) => ({
    id: 1001 + index,
    customer,
    total: [120, 80, 45, 300, 15, 60][index],
    status: index % 2 ? "open" : "pending",
  }));
  app.get("/api/orders", () => after(80, orders));
  app.get("/api/customers", ({ query }) =>
    after(
      120,
      people.filter((each) => each.toLowerCase().includes(String(query.q).toLowerCase())),
    ),
  );
  app.put("/api/orders/:id", async ({ params, body }, reply) => {
    const order = orders.find(({ id }) => id === Number(params.id));
    if (body.total !== undefined && !(body.total > 0))
      return reply.code(422).send({ message: "The total must be above 0" });
    return after(100, Object.assign(order, body));
  });
  app.post("/api/orders", ({ body }) => {
    const order = { id: 1001 + orders.length, status: "open", ...body };
    orders.push(order);
    return after(150, order);
  });
}
