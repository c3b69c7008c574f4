// Staff in MUI's data grid: its menus, filter panel, quick filter, pages, selection, cells edited in place, actions of a row.
import { Alert, Button, Dialog, DialogActions, DialogTitle, Snackbar } from "@mui/material";
import { DataGrid, GridActionsCellItem } from "@mui/x-data-grid";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const names = ["Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gil", "Hal", "Ida", "Jon", "Kim", "Lea"];
const staff = names.map((name, index) => ({
  id: index + 1,
  name,
  team: ["Sales", "Design", "Legal"][index % 3],
  hours: 20 + ((index * 7) % 20),
  remote: index % 4 === 0,
}));

function Staff() {
  const [rows, setRows] = useState(staff);
  const [asked, setAsked] = useState();
  const [news, setNews] = useState();
  const tell = (text, severity = "success") => {
    setNews({ text, severity });
    say(text);
  };
  const update = async (row, before) => {
    await new Promise((resolve) => setTimeout(resolve, 80));
    if (row.hours > 60) throw new Error(`${row.hours} hours are too many`);
    setRows((all) => all.map((each) => (each.id === row.id ? row : each)));
    const [changed] = Object.keys(row).filter((key) => row[key] !== before[key]);
    if (changed) tell(`${row.name}: ${changed} ${row[changed]}`);
    return row;
  };
  const remove = () => {
    setRows((all) => all.filter((each) => each !== asked));
    setAsked(undefined);
    tell(`${asked.name} left`);
  };
  const columns = [
    { field: "name", headerName: "Name", width: 140 },
    {
      field: "team",
      headerName: "Team",
      width: 140,
      type: "singleSelect",
      valueOptions: ["Sales", "Design", "Legal"],
      editable: true,
    },
    { field: "hours", headerName: "Hours", width: 120, type: "number", editable: true },
    { field: "remote", headerName: "Remote", width: 120, type: "boolean", editable: true },
    {
      field: "actions",
      type: "actions",
      width: 80,
      getActions: ({ row }) => [
        <GridActionsCellItem key="copy" label="Call" showInMenu onClick={() => tell(`${row.name} called`)} />,
        <GridActionsCellItem key="leave" label="Remove" showInMenu onClick={() => setAsked(row)} />,
      ],
    },
  ];
  return (
    <main>
      <h1>Staff</h1>
      <DataGrid
        label="Staff"
        rows={rows}
        columns={columns}
        initialState={{ pagination: { paginationModel: { pageSize: 5 } } }}
        pageSizeOptions={[5, 10]}
        checkboxSelection
        disableRowSelectionOnClick
        showToolbar
        processRowUpdate={update}
        onProcessRowUpdateError={({ message }) => setNews({ text: message, severity: "error" })}
      />
      <Dialog open={!!asked}>
        <DialogTitle>Does {asked?.name} leave?</DialogTitle>
        <DialogActions>
          <Button onClick={() => setAsked(undefined)}>No</Button>
          <Button onClick={remove}>Yes</Button>
        </DialogActions>
      </Dialog>
      <Snackbar open={!!news}>
        <Alert severity={news?.severity} onClose={() => setNews(undefined)}>
          {news?.text}
        </Alert>
      </Snackbar>
    </main>
  );
}

createRoot(document.getElementById("root")).render(<Staff />);
