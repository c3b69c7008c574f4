// The contract itself, and the program that pdf.js reads it with in a worker.
import { readFile } from "node:fs/promises";
import { pdfOf } from "../../../site/pdf.ts";
import { after } from "../after.js";

const contract = pdfOf(
  [
    ["Contract of sale", "Between Ann and Bob", "Price 400 EUR"],
    ["Delivery", "Within a week", "To the harbour"],
    ["Signatures", "Ann", "Bob"],
  ],
  "Contract",
);

export default async function serve(app) {
  const worker = await readFile(new URL("node_modules/pdfjs-dist/build/pdf.worker.min.mjs", import.meta.url));
  app.get("/pdf-worker.js", (_request, reply) => reply.type("text/javascript").send(worker));
  app.get("/contract.pdf", async (_request, reply) =>
    reply.type("application/pdf").send(await after(40, contract)),
  );
}
