// Gives files to react-dropzone, Uppy, FilePond and Dropzone: to fields, choosers and drop zones.
import type { Person } from "../person.ts";

/** FilePond shows its progress for a while after the end, and Uppy moves the focus a while later. */
export const restless = /tap to (cancel|undo)|Upload complete|button "(Cancel|Remove|Done)"/;

export default async function (person: Person): Promise<void> {
  await person.open("/", { shows: [/Drag photos here/, 'button "browse files"'] });
  await person.upload('button "file upload"', ["cat.png"], {
    shows: [/Added cat\.png/],
    did: ["photo cat.png, 7 bytes"],
  });
  await person.upload(/generic \[ref/, ["dog.png", "notes.txt"], {
    shows: [/Added dog\.png/, /Refused notes\.txt/],
    gone: [/Added cat\.png/],
    did: ["photo dog.png, 7 bytes"],
  });
  await person.upload('button "browse files"', ["paper.pdf"], {
    shows: [/1 file selected/, 'button "Upload 1 file"'],
  });
  await person.click('button "Upload 1 file"', { shows: [/Complete/], did: ["paper paper.pdf"] });
  await person.upload('button "Drag & Drop your files or Browse"', ["one.txt", "two.txt"], {
    shows: [/one\.txt/, /two\.txt/],
    did: ["receipt one.txt", "receipt two.txt"],
  });
  await person.upload('button "Drop files here to upload"', ["scan.pdf"], {
    shows: [/scan\.pdf/],
    did: ["scan scan.pdf"],
  });
}
