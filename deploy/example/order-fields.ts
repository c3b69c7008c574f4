/** The order form's fields, and how their values are read. */

interface OrderField {
  name: string;
  label: string;
  /**
   * The pattern of a value; without it, any value is valid. An empty value is left out unless the field is required.
   */
  pattern?: RegExp;
  required?: boolean;
  /** Changes a value before it is kept. */
  kept?: (value: string) => string;
}

/** A label and the value entered for it. */
export type Entry = readonly [label: string, value: string];

export const deliveries = ["Standard", "Express", "Pick up"] as const;
export const countries = [
  "Austria",
  "Belgium",
  "Denmark",
  "France",
  "Germany",
  "Netherlands",
  "Norway",
] as const;
export const extras = ["Greeting card", "Silk paper", "Dried flowers", "Wooden crate"] as const;
export const papers = ["Plain", "Stripes", "Stars"] as const;
export const packagings = {
  Recycled: ["Cardboard box", "Paper bag"],
  "For presents": ["Gift box", "Tin"],
} as const;
export const pickUpPoints = ["Harbour kiosk", "Central station", "Old mill"] as const;

const orderFields: readonly OrderField[] = [
  { name: "name", label: "Full name", required: true },
  { name: "email", label: "Email", pattern: /^\S+@\S+$/, required: true },
  { name: "phone", label: "Phone", pattern: /^[-+\d ()/]+$/ },
  {
    name: "password",
    label: "Order password",
    required: true,
    kept: (value) => `${value.length} characters`,
  },
  { name: "website", label: "Wish list", pattern: /^https?:\/\// },
  { name: "address", label: "Address", required: true },
  { name: "country", label: "Country", required: true },
  { name: "delivery", label: "Delivery", pattern: oneOf(deliveries), required: true },
  { name: "date", label: "Delivery date", pattern: /^\d{4}-\d\d-\d\d$/, required: true },
  { name: "time", label: "Delivery time", pattern: /^\d\d:\d\d$/ },
  { name: "point", label: "Pick-up point", pattern: oneOf(pickUpPoints) },
  { name: "courier", label: "Note to the courier" },
  { name: "parcels", label: "Parcels", pattern: /^[1-9]$/, required: true },
  { name: "packaging", label: "Packaging", pattern: oneOf(Object.values(packagings).flat()), required: true },
  { name: "extras", label: "Extras", pattern: oneOf(extras) },
  { name: "gift", label: "Wrapped as a present", pattern: /^yes$/ },
  { name: "paper", label: "Paper", pattern: oneOf(papers) },
  { name: "ribbon", label: "Ribbon colour", pattern: /^#[0-9a-f]{6}$/ },
  { name: "length", label: "Ribbon length", pattern: /^\d{1,3}$/, kept: (value) => `${value} cm` },
  { name: "greeting", label: "Greeting" },
  { name: "updates", label: "Text messages", pattern: /^(?:yes|no)$/ },
  { name: "tip", label: "Tip", pattern: /^\d{1,2}$/, kept: (value) => `${value} %` },
  { name: "picture", label: "Picture" },
  { name: "terms", label: "Terms", pattern: /^accepted$/, required: true },
];

const lengthMax = 500;

/** Returns the entered values in the form's order, or a description of the fault. */
export function readOrderFields(form: URLSearchParams): Entry[] | string {
  const entries: Entry[] = [];
  for (const { name, label, pattern, required, kept } of orderFields) {
    const values = form.getAll(name).filter((value) => value.trim() !== "");
    if (required && values.length === 0) return `${label} is missing.`;
    if (values.some((value) => value.length > lengthMax || (pattern && !pattern.test(value))))
      return `${label} cannot be read.`;
    if (values.length > 0) entries.push([label, values.map((value) => kept?.(value) ?? value).join(", ")]);
  }
  return entries;
}

function oneOf(values: readonly string[]): RegExp {
  return new RegExp(`^(?:${values.join("|")})$`);
}
