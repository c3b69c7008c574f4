// Takes files, and records their names.
import { after } from "../after.js";

export default function serve(app, say) {
  app.addContentTypeParser("multipart/form-data", { parseAs: "buffer" }, (_request, body, done) =>
    done(null, body),
  );
  for (const [path, what] of Object.entries({ papers: "paper", receipts: "receipt", scans: "scan" }))
    app.post(`/${path}`, async (request, reply) => {
      const [, name] = /filename="([^"]*)"/.exec(request.body.toString("latin1")) ?? [];
      await after(60);
      say(`${what} ${name}`);
      return path === "papers" ? { url: `/papers/${name}` } : reply.type("text/plain").send(`${path}-1`);
    });
}
