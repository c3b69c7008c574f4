// Answers over a WebSocket after a while, and sends prices as server-sent events.
import { WebSocketServer } from "ws";
import { after } from "../after.js";

export default function serve(app, say) {
  const sockets = new WebSocketServer({ server: app.server, path: "/chat" });
  sockets.on("connection", (socket) =>
    socket.on("message", async (data) => {
      const { id, text } = JSON.parse(String(data));
      say(`message ${text}`);
      socket.send(await after(80, JSON.stringify({ id, text: `you said ${text}` })));
      if (text === "long") socket.send(await after(60, JSON.stringify({ id, text: "and there is more" })));
    }),
  );
  const streams = new Set();
  app.get("/prices", (request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { "content-type": "text/event-stream" });
    streams.add(reply.raw);
    request.raw.on("close", () => streams.delete(reply.raw));
  });
  app.post("/orders", async ({ body }) => {
    say(`bought ${body.what}`);
    void after(90, `data: ${JSON.stringify(body)}\n\n`).then((event) => {
      for (const stream of streams) stream.write(event);
    });
    return {};
  });
}
