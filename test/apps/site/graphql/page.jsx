// Tasks over GraphQL with urql: each change is a mutation, after which what it touched is asked for anew.
import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { Client, cacheExchange, fetchExchange, gql, Provider, useMutation, useQuery } from "urql";

const client = new Client({
  url: "/graphql",
  preferGetMethod: false,
  exchanges: [cacheExchange, fetchExchange],
});
const LEFT = gql`{ left tasks { id } }`;
const TASKS = gql`query Tasks($search: String) { tasks(search: $search) { id title done } }`;
const ADD = gql`mutation Add($title: String!) { add(title: $title) { id title done } }`;
const TOGGLE = gql`mutation Toggle($id: ID!) { toggle(id: $id) { id done } }`;
const DROP = gql`mutation Drop($id: ID!) { drop(id: $id) }`;

function Tasks() {
  const [search, setSearch] = useState("");
  const [typed, setTyped] = useState("");
  const [title, setTitle] = useState("");
  const [{ data: left }, countAnew] = useQuery({ query: LEFT });
  const [{ data, fetching }, askAnew] = useQuery({ query: TASKS, variables: { search } });
  const [added, add] = useMutation(ADD);
  const [, toggle] = useMutation(TOGGLE);
  const [, drop] = useMutation(DROP);
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed), 200);
    return () => clearTimeout(timer);
  }, [typed]);
  const anew = { requestPolicy: "network-only" };
  const change = async (mutation) => {
    const { error } = await mutation;
    if (error) return;
    countAnew(anew);
    askAnew(anew);
  };
  const submit = (event) => {
    event.preventDefault();
    void change(add({ title }));
    setTitle("");
  };
  return (
    <main>
      <h1>Tasks</h1>
      <p>{left ? `${left.left} left` : "Counting …"}</p>
      <input aria-label="Search" value={typed} onChange={(event) => setTyped(event.target.value)} />
      <form onSubmit={submit}>
        <input aria-label="New task" value={title} onChange={(event) => setTitle(event.target.value)} />
        <button type="submit">Add</button>
      </form>
      {added.error && <p role="alert">{added.error.graphQLErrors[0]?.message}</p>}
      {fetching && !data && <p>Loading …</p>}
      <ul>
        {data?.tasks.map(({ id, title, done }) => (
          <li key={id}>
            {title}
            {done && <em> (done)</em>}
            <button type="button" onClick={() => change(toggle({ id }))}>
              {done ? "Reopen" : "Finish"}
            </button>
            <button type="button" onClick={() => change(drop({ id }))}>
              Drop
            </button>
          </li>
        ))}
      </ul>
    </main>
  );
}

createRoot(document.querySelector("#root")).render(
  <Provider value={client}>
    <Tasks />
  </Provider>,
);
