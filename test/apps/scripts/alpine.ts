// Fills a cart, takes a voucher, and orders, in Alpine.
import { at, type Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  await person.open("/", {
    shows: ['heading "Cart"', at("Honey", 'button "Less" [disabled]'), 'button "Order" [disabled]'],
  });
  await person.click(at("Honey", 'button "More"'), {
    shows: [
      at("Honey", /\b1$/),
      at("Honey", 'button "Less" [!disabled]'),
      /\b7\b/,
      'button "Order" [!disabled]',
    ],
    did: ["Honey 1"],
  });
  await person.click(at("Honey", 'button "More"'), {
    shows: [at("Honey", /\b2$/), /\b14\b/],
    did: ["Honey 2"],
  });
  await person.click(at("Bread", 'button "More"'), {
    shows: [at("Bread", /\b1$/), /\b17\b/],
    did: ["Bread 1"],
  });
  await person.click(at("Honey", 'button "Less"'), {
    shows: [at("Honey", /\b1$/), /\b10\b/],
    did: ["Honey 1"],
  });
  await person.click('button "Voucher"', { shows: ['button "Voucher" [expanded]', 'textbox "Code"'] });
  await person.type('textbox "Code"', "FREE", { shows: [/FREE is no voucher/] });
  await person.type('textbox "Code"', "HALF", { shows: [/Half the price/, /\b5\b/] });
  await person.click('button "Voucher"', {
    shows: ['button "Voucher" [expanded=false]'],
    gone: ['textbox "Code"', /Half the price/],
  });
  await person.click('checkbox "A gift"', { shows: ['checkbox "A gift" [checked]', 'textbox "Card"'] });
  await person.type('textbox "Card"', "For you", { shows: ['textbox "Card": For you'] });
  await person.click('button "Order"', {
    shows: ['dialog "Order now?"', /5 € in all/, 'button "Yes, order"'],
  });
  await person.click('button "Not yet"', { gone: ['dialog "Order now?"'] });
  await person.click('button "Order"', { shows: ['dialog "Order now?"'] });
  await person.click('button "Yes, order"', {
    shows: [/Thank you for 5 €/, 'button "OK"'],
    gone: ['dialog "Order now?"'],
    did: ["ordered for 5, card: For you"],
  });
  await person.click('button "OK"', { gone: [/Thank you for/, 'button "OK"'] });
}
