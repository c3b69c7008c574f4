// Sends, buys and counts. The answers come over a socket, over a stream and from a worker.
import { at, type Person } from "../person.ts";

export const restless = /Clock/;

export default async function (person: Person): Promise<void> {
  await person.open("/", { shows: ['textbox "Message"', at("tea", "cell: 0")] });
  await person.type(
    'textbox "Message"',
    "hello",
    { shows: [/you said hello/], did: ["message hello"] },
    { submit: true },
  );
  await person.type('textbox "Message"', "again", { shows: ['textbox "Message": again'] });
  await person.click('button "Send"', { shows: [/you said again/], did: ["message again"] });
  await person.type(
    'textbox "Message"',
    "long",
    { shows: [/you said long/, /and there is more/], did: ["message long"] },
    { submit: true },
  );
  await person.click('button "Buy tea"', { shows: [at("tea", "cell: 1")], did: ["bought tea"] });
  await person.click('button "Buy tea"', { shows: [at("tea", "cell: 2")], did: ["bought tea"] });
  await person.click('button "Buy milk"', { shows: [at("milk", "cell: 1")], did: ["bought milk"] });
  await person.click('button "Count primes"', { shows: [/168 primes up to 1000/], did: ["counted"] });
  await person.type(
    'textbox "Up to"',
    "100",
    { shows: [/25 primes up to 100/], did: ["counted"] },
    { submit: true },
  );
  await person.type('textbox "Up to"', "10", { shows: ['textbox "Up to": 10'] });
  await person.click('button "Count with a new worker"', {
    shows: [/4 primes up to 10/],
    did: ["counted"],
  });
}
