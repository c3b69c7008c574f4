// A cart in Alpine: repeated parts, transitions, a debounced field, a native dialog.
import Alpine from "alpinejs";

Alpine.data("cart", () => ({
  items: [
    { name: "Tea", price: 4, count: 0 },
    { name: "Honey", price: 7, count: 0 },
    { name: "Bread", price: 3, count: 0 },
  ],
  code: "",
  gift: false,
  card: "",
  done: "",
  more(item, by) {
    item.count += by;
    say(`${item.name} ${item.count}`);
  },
  total() {
    const sum = this.items.reduce((all, { price, count }) => all + price * count, 0);
    return this.code === "HALF" ? sum / 2 : sum;
  },
  hint() {
    return this.code === "" ? "" : this.code === "HALF" ? "Half the price" : `${this.code} is no voucher`;
  },
  order() {
    say(`ordered for ${this.total()}${this.gift ? `, card: ${this.card}` : ""}`);
    this.done = `Thank you for ${this.total()} €`;
  },
}));
Alpine.start();
