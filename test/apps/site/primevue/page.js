// Films in PrimeVue: a table that is filtered and edited in its cells, a select, a confirmation, toasts.
import Aura from "@primeuix/themes/aura";
import Button from "primevue/button";
import Checkbox from "primevue/checkbox";
import Column from "primevue/column";
import PrimeVue from "primevue/config";
import ConfirmationService from "primevue/confirmationservice";
import ConfirmDialog from "primevue/confirmdialog";
import DataTable from "primevue/datatable";
import InputText from "primevue/inputtext";
import Select from "primevue/select";
import Toast from "primevue/toast";
import ToastService from "primevue/toastservice";
import { useConfirm } from "primevue/useconfirm";
import { useToast } from "primevue/usetoast";
import { createApp, ref } from "vue";

const template = `
<main><h1>Films</h1><Toast></Toast><ConfirmDialog></ConfirmDialog>
  <label for="genre">Genre</label> <Select inputId="genre" labelId="genre-label" aria-label="Genre" v-model="genre" :options="genres"></Select>
  <DataTable :value="films.filter((each) => genre === 'All' || each.genre === genre)" editMode="cell" @cell-edit-complete="edited" dataKey="title">
    <Column field="title" header="Title" sortable></Column>
    <Column field="year" header="Year" sortable><template #editor="{ data, field }"><InputText v-model="data[field]" aria-label="Year" autofocus></InputText></template></Column>
    <Column header="Seen"><template #body="{ data }"><Checkbox binary v-model="data.seen" :aria-label="'Seen'" @change="told(data)"></Checkbox></template></Column>
    <Column><template #body="{ data }"><Button label="Delete" @click="remove(data)"></Button></template></Column>
  </DataTable></main>`;

const Films = {
  template,
  components: { Button, Checkbox, Column, ConfirmDialog, DataTable, InputText, Select, Toast },
  setup() {
    const films = ref(
      [
        ["Alien", "1979", "Horror"],
        ["Brazil", "1985", "Comedy"],
        ["Carol", "2015", "Drama"],
        ["Duel", "1971", "Horror"],
      ].map(([title, year, genre]) => ({ title, year, genre, seen: false })),
    );
    const [genre, confirm, toast] = [ref("All"), useConfirm(), useToast()];
    const tell = (what) => {
      say(what);
      toast.add({ severity: "success", summary: what, life: 60_000 });
    };
    return {
      films,
      genre,
      genres: ["All", "Comedy", "Drama", "Horror"],
      told: ({ title, seen }) => say(`${title} ${seen ? "seen" : "unseen"}`),
      edited: ({ data, newValue, field, newData }) => {
        data[field] = newValue ?? newData[field];
        tell(`${data.title} is of ${data[field]}`);
      },
      remove: ({ title }) =>
        confirm.require({
          header: "Delete",
          message: `Delete ${title}?`,
          acceptProps: { label: "Yes, delete" },
          rejectProps: { label: "No" },
          accept: () => {
            films.value = films.value.filter((each) => each.title !== title);
            tell(`${title} deleted`);
          },
        }),
    };
  },
};

createApp(Films)
  .use(PrimeVue, { theme: { preset: Aura } })
  .use(ConfirmationService)
  .use(ToastService)
  .mount("#root");
