// An office's orders, in MUI: a table that sorts, a filter, a confirmation, a form with an autocomplete, snackbars.
import * as m from "@mui/material";
import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

const api = async (path, method = "GET", body = undefined) => {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`/api${path}`, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error((await answer.json()).message);
  return answer.json();
};

function Office() {
  const [orders, setOrders] = useState();
  const [status, setStatus] = useState("all");
  const [up, setUp] = useState(true);
  const [asked, setAsked] = useState();
  const [isNew, setNew] = useState(false);
  const [said, setSaid] = useState("");
  useEffect(() => void api("/orders").then(setOrders), []);
  const put = async (order, change, done) => {
    const changed = await api(`/orders/${order.id}`, "PUT", change);
    setOrders((all) => all.map((each) => (each.id === order.id ? changed : each)));
    setSaid(done);
    say(done);
  };
  const approve = async () => {
    const order = asked;
    setAsked(undefined);
    await put(order, { status: "approved" }, `order ${order.id} approved`);
  };
  const add = async (order) => {
    const made = await api("/orders", "POST", order);
    setOrders((all) => [...all, made]);
    setNew(false);
    setSaid(`order ${made.id} made`);
    say(`order ${made.id} made for ${made.customer}: ${made.total}`);
  };
  if (!orders) return <m.CircularProgress aria-label="Loading" />;
  const rows = orders
    .filter((order) => status === "all" || order.status === status)
    .sort((one, other) => (up ? 1 : -1) * (one.total - other.total));
  return (
    <m.Container>
      <m.Typography variant="h4" component="h1">
        Orders
      </m.Typography>
      <m.FormControl sx={{ minWidth: 160 }}>
        <m.InputLabel id="status">Status</m.InputLabel>
        <m.Select
          labelId="status"
          label="Status"
          value={status}
          onChange={(event) => setStatus(event.target.value)}
        >
          {["all", "open", "pending", "approved"].map((each) => (
            <m.MenuItem key={each} value={each}>
              {each}
            </m.MenuItem>
          ))}
        </m.Select>
      </m.FormControl>
      <m.Button variant="contained" onClick={() => setNew(true)}>
        New order
      </m.Button>
      <m.Table>
        <m.TableHead>
          <m.TableRow>
            <m.TableCell>Order</m.TableCell>
            <m.TableCell>Customer</m.TableCell>
            <m.TableCell sortDirection={up ? "asc" : "desc"}>
              <m.TableSortLabel active direction={up ? "asc" : "desc"} onClick={() => setUp(!up)}>
                Total
              </m.TableSortLabel>
            </m.TableCell>
            <m.TableCell>Status</m.TableCell>
            <m.TableCell />
          </m.TableRow>
        </m.TableHead>
        <m.TableBody>
          {rows.map((order) => (
            <Row key={order.id} {...{ order, put, setAsked, setSaid }} />
          ))}
        </m.TableBody>
      </m.Table>
      <m.Dialog open={!!asked} onClose={() => setAsked(undefined)}>
        <m.DialogTitle>Approve this order?</m.DialogTitle>
        <m.DialogContent>It is then sent to the customer.</m.DialogContent>
        <m.DialogActions>
          <m.Button onClick={() => setAsked(undefined)}>Cancel</m.Button>
          <m.Button onClick={approve}>Approve it</m.Button>
        </m.DialogActions>
      </m.Dialog>
      {isNew && <NewOrder add={add} close={() => setNew(false)} />}
      <m.Snackbar
        open={said !== ""}
        message={said}
        autoHideDuration={60_000}
        onClose={(_, why) => why !== "clickaway" && setSaid("")}
      />
    </m.Container>
  );
}

function Row({ order, put, setAsked, setSaid }) {
  const [total, setTotal] = useState();
  const save = () =>
    put(order, { total: Number(total) }, `order ${order.id} costs ${total}`).then(
      () => setTotal(undefined),
      (error) => setSaid(error.message),
    );
  return (
    <m.TableRow>
      <m.TableCell>{order.id}</m.TableCell>
      <m.TableCell>{order.customer}</m.TableCell>
      <m.TableCell>
        {total === undefined ? (
          `${order.total} €`
        ) : (
          <m.TextField
            size="small"
            label="New total"
            value={total}
            onChange={(event) => setTotal(event.target.value)}
            onKeyDown={({ key }) => key === "Enter" && save()}
            autoFocus
          />
        )}
      </m.TableCell>
      <m.TableCell>
        <m.Chip label={order.status} />
      </m.TableCell>
      <m.TableCell>
        <m.Button onClick={() => setTotal(String(order.total))}>Edit</m.Button>
        <m.Button disabled={order.status === "approved"} onClick={() => setAsked(order)}>
          Approve
        </m.Button>
      </m.TableCell>
    </m.TableRow>
  );
}

function NewOrder({ add, close }) {
  const [text, setText] = useState("");
  const [customer, setCustomer] = useState(null);
  const [found, setFound] = useState([]);
  const [total, setTotal] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => api(`/customers?q=${text}`).then(setFound), 150);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <m.Dialog open onClose={close}>
      <m.DialogTitle>New order</m.DialogTitle>
      <m.DialogContent>
        <m.Autocomplete
          options={found}
          value={customer}
          filterOptions={(all) => all}
          onChange={(_, value) => setCustomer(value)}
          onInputChange={(_, value) => setText(value)}
          renderInput={(params) => <m.TextField {...params} label="Customer" />}
        />
        <m.TextField
          label="Total"
          type="number"
          value={total}
          onChange={(event) => setTotal(event.target.value)}
        />
      </m.DialogContent>
      <m.DialogActions>
        <m.Button disabled={!customer || !total} onClick={() => add({ customer, total: Number(total) })}>
          Save
        </m.Button>
      </m.DialogActions>
    </m.Dialog>
  );
}

createRoot(document.querySelector("#root")).render(<Office />);
