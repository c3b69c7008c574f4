// A staff list in Ant Design: a table that sorts and filters, a form in a modal with a select and a date, a confirmation.
import {
  Button,
  DatePicker,
  Dropdown,
  Form,
  Input,
  Modal,
  message,
  Popconfirm,
  Select,
  Switch,
  Table,
} from "antd";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const roles = ["Cook", "Waiter", "Manager"];
const exports = [
  { key: "table", label: "As a table" },
  {
    key: "more",
    label: "As a file",
    children: [
      { key: "PDF", label: "PDF" },
      { key: "CSV", label: "CSV" },
    ],
  },
];
const first = ["Ada", "Ben", "Cleo", "Dan", "Eva"].map((name, index) => ({
  key: name,
  name,
  role: roles[index % 3],
  shifts: [4, 1, 5, 2, 3][index],
  active: true,
}));

function Staff() {
  const [people, setPeople] = useState(first);
  const [isOpen, setOpen] = useState(false);
  const [form] = Form.useForm();
  const [messages, place] = message.useMessage({ duration: 60 });
  const done = (what) => {
    say(what);
    messages.success(what);
  };
  const remove = async ({ name }) => {
    // As if a server had to be asked.
    await new Promise((resolve) => setTimeout(resolve, 90));
    setPeople((all) => all.filter((each) => each.name !== name));
    done(`${name} removed`);
  };
  const add = ({ name, role, since }) => {
    setPeople((all) => [...all, { key: name, name, role, shifts: 0, active: true }]);
    setOpen(false);
    done(`${name} added as ${role} since ${since.format("YYYY-MM-DD")}`);
  };
  const turn = (name, active) => {
    setPeople((all) => all.map((each) => (each.name === name ? { ...each, active } : each)));
    say(`${name} ${active ? "active" : "away"}`);
  };
  const columns = [
    { title: "Name", dataIndex: "name" },
    {
      title: "Role",
      dataIndex: "role",
      filters: roles.map((value) => ({ text: value, value })),
      onFilter: (value, { role }) => role === value,
    },
    { title: "Shifts", dataIndex: "shifts", sorter: (one, other) => one.shifts - other.shifts },
    {
      title: "Active",
      render: (_, { name, active }) => (
        <Switch aria-label="Active" checked={active} onChange={(on) => turn(name, on)} />
      ),
    },
    {
      title: "",
      render: (_, person) => (
        <Popconfirm
          title={`Remove ${person.name}?`}
          okText="Yes"
          cancelText="No"
          onConfirm={() => remove(person)}
        >
          <Button danger>Remove</Button>
        </Popconfirm>
      ),
    },
  ];
  return (
    <main>
      {place}
      <h1>Staff</h1>
      <Dropdown menu={{ items: exports, onClick: ({ key }) => done(`exported as ${key}`) }}>
        <Button>Export</Button>
      </Dropdown>
      <Button type="primary" onClick={() => setOpen(true)}>
        Add a person
      </Button>
      <Table columns={columns} dataSource={people} pagination={{ pageSize: 5 }} />
      <Modal
        title="A new person"
        open={isOpen}
        onCancel={() => setOpen(false)}
        onOk={form.submit}
        okText="Save"
        forceRender
      >
        <Form form={form} layout="vertical" onFinish={add}>
          <Form.Item name="name" label="Name" rules={[{ required: true, message: "A name is needed" }]}>
            <Input />
          </Form.Item>
          <Form.Item name="role" label="Role" rules={[{ required: true, message: "A role is needed" }]}>
            <Select options={roles.map((value) => ({ value, label: value }))} />
          </Form.Item>
          <Form.Item name="since" label="Since" rules={[{ required: true, message: "A day is needed" }]}>
            <DatePicker />
          </Form.Item>
        </Form>
      </Modal>
    </main>
  );
}

createRoot(document.querySelector("#root")).render(<Staff />);
