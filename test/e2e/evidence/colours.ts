// Counts the pixels of a picture by their colour.
import type { Person } from "../../harness/browser/person.ts";

/** Resolves with the number of red, green and blue pixels of a WebP picture, as the person's browser shows it. */
export async function coloursIn(
  person: Person,
  image: Buffer,
): Promise<Record<"red" | "green" | "blue", number>> {
  const page = await person.open("about:blank");
  return await page.evaluate(`(async () => {
    const picture = new Image();
    picture.src = "data:image/webp;base64,${image.toString("base64")}";
    await picture.decode();
    const context = new OffscreenCanvas(picture.naturalWidth, picture.naturalHeight).getContext("2d");
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, picture.naturalWidth, picture.naturalHeight);
    const found = { red: 0, green: 0, blue: 0 };
    for (let at = 0; at < data.length; at += 4)
      for (const [index, name] of ["red", "green", "blue"].entries())
        if (data[at + index] > 180 && [0, 1, 2].every((other) => other === index || data[at + other] < 90)) found[name]++;
    return found;
  })()`);
}
