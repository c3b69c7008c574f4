// The runs that are exported: in the example's shop and in applications of real libraries, driven over MCP.
import { type LoginRole, serveShop, storageStateFor } from "../../deploy/example/shop.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import { OneByOne } from "../apps/one-by-one.ts";
import type { Person } from "../apps/person.ts";
import { Screen } from "../apps/screen.ts";
import { openSite } from "../apps/site.ts";
import { type Agent, refOf, type Troupe } from "../harness/troupe.ts";

/** A site that a run begins on. Each run has a fresh one. */
export interface Place extends AsyncDisposable {
  url: string;
  /** The application's record of what it did, if it keeps one. */
  record?: readonly string[];
}

export interface Scenario {
  name: string;
  role: string;
  /** The login that the exported test starts from. */
  login?: LoginRole;
  /** Variables that the exported test asks for. */
  env?: Record<string, string>;
  open(): Promise<Place>;
  /** Carries the run out, and returns what the application should have done. */
  drive(troupe: Troupe, agent: Agent, place: Place): Promise<readonly string[] | undefined>;
}

/** Finds controls by role and name in the page as it is now, and acts on them. */
class Visitor {
  readonly #agent: Agent;

  constructor(agent: Agent) {
    this.#agent = agent;
  }

  open(url: string): Promise<string> {
    return this.#agent.text("browser_navigate", { url });
  }

  async click(role: string, name: string, args: JsonObject = {}): Promise<string> {
    return await this.#agent.text("browser_click", { ref: await this.#ref(role, name), ...args });
  }

  async type(name: string, text: string, args: JsonObject = {}, role = "textbox"): Promise<string> {
    return await this.#agent.text("browser_type", { ref: await this.#ref(role, name), text, ...args });
  }

  async choose(name: string, values: string[]): Promise<string> {
    return await this.#agent.text("browser_select_option", {
      ref: await this.#ref("combobox", name),
      values,
    });
  }

  async #ref(role: string, name: string): Promise<string> {
    const page = await this.#agent.text("browser_snapshot", { full: true, maxTokens: 0 });
    return refOf(page, role, name);
  }
}

function shop(
  name: string,
  role: "visitor" | LoginRole,
  walk: (visitor: Visitor, url: string, agent: Agent) => Promise<void>,
  env?: Record<string, string>,
): Scenario {
  return {
    name: `shop: ${name}`,
    role,
    ...(role !== "visitor" && { login: role }),
    ...(env && { env }),
    open: () => serveShop({ port: 0 }),
    async drive(troupe, agent) {
      await walk(new Visitor(agent), troupe.shopUrl, agent);
      return undefined;
    },
  };
}

function application(name: string): Scenario {
  return {
    name,
    role: "visitor",
    open: () => openSite(name),
    async drive(_troupe, agent, place) {
      const script = (await import(`../apps/scripts/${name}.ts`)) as {
        default(person: Person): Promise<void>;
        restless?: RegExp;
      };
      const screen = new Screen(agent, place as never, { late: false, restless: script.restless });
      const person = new OneByOne(screen);
      await script.default(person);
      await person.end();
      return screen.did;
    },
  };
}

export const applicationNames = ["alpine", "bootstrap", "forms", "htmx", "radix", "turbo"];

export const scenarios: readonly Scenario[] = [
  shop("a visitor fills the cart", "visitor", async (visitor, url) => {
    await visitor.open(`${url}/product/7`);
    await visitor.click("button", "Add to cart");
    await visitor.open(`${url}/product/42`);
    await visitor.click("button", "Add to cart");
    await visitor.click("link", "Cart (2)");
  }),
  shop("a customer orders", "customer", async (visitor, url) => {
    await visitor.open(`${url}/product/42`);
    await visitor.click("button", "Add to cart");
    await visitor.open(`${url}/cart`);
    await visitor.click("button", "Check out");
    await visitor.click("button", "Place order");
  }),
  shop(
    "a visitor logs in",
    "visitor",
    async (visitor, url) => {
      await visitor.open(`${url}/`);
      await visitor.click("link", "Log in");
      await visitor.type("User name", "customer");
      await visitor.type("Password", "customer-demo", { submit: true });
    },
    { VISITOR_PASSWORD: "customer-demo" },
  ),
  shop("an admin looks through the orders", "admin", async (visitor, url, agent) => {
    await visitor.open(`${url}/`);
    await agent.text("browser_navigate", { url: `${url}/admin` });
    await agent.text("browser_navigate_back");
    await visitor.choose("Currency", ["EUR"]);
  }),
  ...applicationNames.map(application),
];

/** Returns the login file's content for a site. */
export function loginFor(role: LoginRole, url: string): string {
  return JSON.stringify(storageStateFor(role, url));
}
