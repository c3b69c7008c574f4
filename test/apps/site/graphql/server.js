// A GraphQL endpoint: every question and every change is a POST to the one address.
import { buildSchema, graphql } from "graphql";
import { after } from "../after.js";

const schema = buildSchema(`
  type Task { id: ID!, title: String!, done: Boolean! }
  type Query { tasks(search: String): [Task!]!, left: Int! }
  type Mutation { add(title: String!): Task!, toggle(id: ID!): Task!, drop(id: ID!): Boolean! }
`);

export default function serve(app, say) {
  let tasks = ["Water the plants", "Call Ada", "Pay the rent"].map((title, index) => ({
    id: String(index + 1),
    title,
    done: false,
  }));
  const rootValue = {
    tasks: ({ search }) =>
      tasks.filter(({ title }) => title.toLowerCase().includes((search ?? "").toLowerCase())),
    left: () => tasks.filter(({ done }) => !done).length,
    add({ title }) {
      if (tasks.some((each) => each.title === title)) throw new Error(`There is a task ${title}`);
      const task = { id: String(tasks.length + 1), title, done: false };
      tasks = [...tasks, task];
      say(`added ${title}`);
      return task;
    },
    toggle({ id }) {
      const task = tasks.find((each) => each.id === id);
      task.done = !task.done;
      say(`${task.title} ${task.done ? "done" : "open"}`);
      return task;
    },
    drop({ id }) {
      say(`dropped ${tasks.find((each) => each.id === id).title}`);
      tasks = tasks.filter((each) => each.id !== id);
      return true;
    },
  };
  app.post("/graphql", async ({ body: { query: source, variables: variableValues } }) =>
    after(70, await graphql({ schema, source, rootValue, variableValues })),
  );
}
