// Sends HTML: rows that become forms and rows again, and lines of a chat.
import { WebSocketServer } from "ws";
import { after } from "../after.js";

export default function serve(app, say) {
  const contacts = [
    ["Ann", "Oslo"],
    ["Bob", "Rome"],
    ["Cy", "Berlin"],
  ].map(([name, city], id) => ({ id, name, city }));
  const html = (reply, ms, text) => after(ms, text).then((body) => reply.type("text/html").send(body));
  const row = ({ id, name, city }) => `<tr><td>${name}</td><td>${city}</td><td>
    <button hx-get="/contacts/${id}/edit" hx-target="closest tr" hx-swap="outerHTML">Edit</button>
    <button hx-delete="/contacts/${id}" hx-target="closest tr" hx-swap="delete swap:150ms">Delete</button></td></tr>`;
  const form = ({ id, name, city }, wrong = "") => `<tr><td>${name}</td><td>
    <input name="city" aria-label="City" value="${city}"> <em role="alert">${wrong}</em></td><td>
    <button hx-put="/contacts/${id}" hx-target="closest tr" hx-swap="outerHTML" hx-include="closest tr">Save</button></td></tr>`;
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body))),
  );
  const of = ({ params }) => contacts.find(({ id }) => id === Number(params.id));
  app.get("/contacts", ({ query: { q = "" } }, reply) =>
    html(
      reply,
      90,
      contacts
        .filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()))
        .map(row)
        .join(""),
    ),
  );
  app.get("/contacts/:id/edit", (request, reply) => html(reply, 60, form(of(request))));
  app.put("/contacts/:id", (request, reply) => {
    const { city } = request.body;
    if (city === "") return html(reply, 80, form({ ...of(request), city }, "A city is needed"));
    say(`${of(request).name} lives in ${city}`);
    return html(reply, 120, row(Object.assign(of(request), { city })));
  });
  app.delete("/contacts/:id", (request, reply) => {
    say(`${of(request).name} deleted`);
    contacts.splice(contacts.indexOf(of(request)), 1);
    return html(reply, 100, "");
  });
  new WebSocketServer({ server: app.server, path: "/chat" }).on("connection", (socket) =>
    socket.on("message", async (data) => {
      const { message } = JSON.parse(String(data));
      say(`message ${message}`);
      const answer = { content: `<li>heard ${message}</li>`, target: "#chat", swap: "beforeend" };
      socket.send(await after(90, JSON.stringify(answer)));
    }),
  );
}
