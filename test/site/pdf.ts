// Writes a PDF as a program does: pages of lines, in one of the fonts that every viewer has.
import { type Lock, lockOf } from "./locked-pdf.ts";

const OPEN: Pick<Lock, "lock"> = { lock: (_objectNumber, content) => content };

/** Returns the file. Each page is its lines, and may have none. With a password, the file opens only with it. */
export function pdfOf(pages: readonly (readonly string[])[], title: string, password?: string): Buffer {
  const locked = password === undefined ? undefined : lockOf(password);
  const { lock } = locked ?? OPEN;
  const kids = pages.map((_, at) => `${5 + 2 * at} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    `<< /Title <${Buffer.from(lock(4, title), "latin1").toString("hex")}> >>`,
    ...pages.flatMap((lines, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${6 + 2 * at} 0 R >>`,
      stream(
        lock(
          6 + 2 * at,
          `BT /F1 12 Tf 72 770 Td 16 TL ${lines.map((line) => `(${line}) Tj T*`).join(" ")} ET`,
        ),
      ),
    ]),
    ...(locked ? [locked.dictionary] : []),
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join("")}`;
  const key = locked ? ` /Encrypt ${objects.length} 0 R /ID [<${locked.id}> <${locked.id}>]` : "";
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info 4 0 R${key} >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + table + trailer, "latin1");
}

const stream = (content: string) => `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
