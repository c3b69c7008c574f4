// Reads news behind a service worker, which answers from its cache and then from the network.
import { at, type Person } from "../person.ts";

/** The page waits for its service worker, whose start no action causes. */
export const restless = /Starting …|Choose a topic/;

export default async function (person: Person): Promise<void> {
  await person.open("/", { shows: ['heading "News"', 'button "World"'] });
  await person.click('button "World"', {
    shows: [/2 about world/, at("Rain", 'button "Read"')],
    did: ["asked for world"],
  });
  await person.click(at("Rain", 'button "Read"'), { shows: [at("Rain", /\(read\)/)], did: ["read Rain"] });
  await person.click('button "Sport"', {
    shows: [/about sport/, at("Goal", 'button "Read"')],
    did: ["asked for sport"],
  });
  await person.click('button "World"', {
    shows: [/3 about world/, at("Late world", 'button "Read"')],
    did: ["asked for world"],
  });
  await person.click(at("Peace", 'button "Read"'), { shows: [at("Peace", /\(read\)/)], did: ["read Peace"] });
}
