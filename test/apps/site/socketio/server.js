// A board for several, over Socket.IO; now and then another one writes too.
import { Server } from "socket.io";
import { after } from "../after.js";

export default function serve(app, say) {
  const notes = [{ id: 1, text: "Welcome", votes: 0 }];
  const io = new Server(app.server);
  app.addHook("onClose", () => io.close());
  io.on("connection", (socket) => {
    socket.emit("notes", notes);
    socket.on("add", async (text, done) => {
      const note = { id: notes.length + 1, text, votes: 0 };
      notes.push(note);
      say(`added ${text}`);
      await after(80);
      done("saved");
      io.emit("note", note);
    });
    socket.on("vote", async (id) => {
      const note = notes.find((each) => each.id === id);
      note.votes++;
      say(`vote for ${note.text}`);
      await after(120);
      io.emit("note", note);
    });
  });
}
