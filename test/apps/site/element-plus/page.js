// Parts in Element Plus: a table with fields in its rows, a select, a date, a message box, a drawer, messages.
import "element-plus/dist/index.css";
import ElementPlus, { ElMessage, ElMessageBox } from "element-plus";
import { createApp, ref } from "vue";

const template = `
<main><h1>Parts</h1>
  <el-button @click="drawer = true">Order parts</el-button>
  <el-table :data="parts" row-key="name">
    <el-table-column prop="name" label="Name" sortable></el-table-column>
    <el-table-column label="Stock" prop="stock" sortable><template #default="{ row }"><el-input-number :aria-label="'Stock of ' + row.name" v-model="row.stock" :min="0" @change="(value) => told(row.name + ' ' + value)"></el-input-number></template></el-table-column>
    <el-table-column label=""><template #default="{ row }"><el-button @click="remove(row)">Delete</el-button></template></el-table-column>
  </el-table>
  <el-drawer v-model="drawer" title="An order">
    <el-form :model="order" :rules="rules" ref="form" label-width="auto">
      <el-form-item label="Part" prop="part"><el-select v-model="order.part" placeholder="Which?"><el-option v-for="each in parts" :key="each.name" :label="each.name" :value="each.name"></el-option></el-select></el-form-item>
      <el-form-item label="Day" prop="day"><el-date-picker v-model="order.day" value-format="YYYY-MM-DD"></el-date-picker></el-form-item>
      <el-form-item label="How" prop="how"><el-radio-group v-model="order.how"><el-radio value="post">Post</el-radio><el-radio value="courier">Courier</el-radio></el-radio-group></el-form-item>
      <el-button type="primary" @click="send">Send</el-button>
    </el-form>
  </el-drawer>
</main>`;

const Parts = {
  template,
  setup() {
    const parts = ref(
      [
        ["Bolt", 12],
        ["Nut", 3],
        ["Screw", 40],
      ].map(([name, stock]) => ({ name, stock })),
    );
    const [drawer, form, order] = [ref(false), ref(), ref({ part: "", day: "", how: "" })];
    const needed = (message) => [{ required: true, message, trigger: "change" }];
    return {
      parts,
      drawer,
      form,
      order,
      told: say,
      rules: { part: needed("Which part?"), day: needed("Which day?") },
      async remove({ name }) {
        const answer = await ElMessageBox.confirm(`Delete ${name}?`, "Careful", {
          confirmButtonText: "Delete it",
          cancelButtonText: "Keep it",
        }).catch(() => "kept");
        if (answer === "kept") return;
        parts.value = parts.value.filter((each) => each.name !== name);
        say(`${name} deleted`);
        ElMessage({ message: `${name} deleted`, type: "success", duration: 60_000 });
      },
      async send() {
        if ((await form.value.validate().catch(() => "wrong")) === "wrong") return;
        const { part, day, how } = order.value;
        say(`${part} ordered for ${day} by ${how}`);
        drawer.value = false;
        ElMessage({ message: `${part} ordered`, duration: 60_000 });
      },
    };
  },
};

createApp(Parts).use(ElementPlus).mount("#root");
