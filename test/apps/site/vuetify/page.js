// Bookings in Vuetify: a data table that sorts, searches and pages, a dialog with a form, selects, a menu, a snackbar.
import "vuetify/styles";
import { createApp, ref } from "vue";
import { createVuetify } from "vuetify";
import * as components from "vuetify/components";
import * as directives from "vuetify/directives";

const template = `
<v-app><v-main><v-container>
  <h1>Bookings</h1>
  <v-text-field v-model="search" label="Search" variant="outlined"></v-text-field>
  <v-btn @click="open = true">New booking</v-btn>
  <v-data-table :headers="headers" :items="bookings" :search="search" item-value="guest" items-per-page="5">
    <template v-slot:item.actions="{ item }">
      <v-menu>
        <template v-slot:activator="{ props }"><v-btn v-bind="props">More</v-btn></template>
        <v-list><v-list-item @click="move(item, 1)" title="One night more"></v-list-item><v-list-item @click="cancel(item)" title="Cancel it"></v-list-item></v-list>
      </v-menu>
    </template>
  </v-data-table>
  <v-dialog v-model="open" max-width="500">
    <v-card title="A new booking"><v-form ref="form" @submit.prevent="add"><v-card-text>
      <v-text-field v-model="draft.guest" label="Guest" :rules="[needed]"></v-text-field>
      <v-select v-model="draft.room" :items="rooms" label="Room" :rules="[needed]"></v-select>
      <v-autocomplete v-model="draft.country" :items="countries" label="Country"></v-autocomplete>
      <v-switch v-model="draft.breakfast" label="Breakfast"></v-switch>
    </v-card-text><v-card-actions><v-btn @click="open = false">Close</v-btn><v-btn type="submit">Save</v-btn></v-card-actions></v-form></v-card>
  </v-dialog>
  <v-snackbar v-model="hasNews" timeout="60000">{{ news }}<template v-slot:actions><v-btn @click="hasNews = false">Dismiss</v-btn></template></v-snackbar>
</v-container></v-main></v-app>`;

const Bookings = {
  template,
  setup() {
    const guests = ["Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gil"];
    const bookings = ref(
      guests.map((guest, index) => ({
        guest,
        room: ["Garden", "Sea"][index % 2],
        nights: ((index * 3) % 7) + 1,
      })),
    );
    const [search, open, news, hasNews, form] = [ref(""), ref(false), ref(""), ref(false), ref()];
    const draft = ref({ guest: "", room: null, country: null, breakfast: false });
    const tell = (what) => {
      say(what);
      news.value = what;
      hasNews.value = true;
    };
    const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    return {
      bookings,
      search,
      open,
      news,
      hasNews,
      form,
      draft,
      headers: [
        { title: "Guest", key: "guest" },
        { title: "Room", key: "room" },
        { title: "Nights", key: "nights" },
        { title: "", key: "actions", sortable: false },
      ],
      rooms: ["Garden", "Sea", "Tower"],
      countries: ["Denmark", "Germany", "Greece", "Norway"],
      needed: (value) => !!value || "It is needed",
      move(item, by) {
        item.nights += by;
        tell(`${item.guest} stays ${item.nights} nights`);
      },
      async cancel({ guest }) {
        await after(80);
        bookings.value = bookings.value.filter((each) => each.guest !== guest);
        tell(`${guest} cancelled`);
      },
      async add() {
        const { valid } = await form.value.validate();
        if (!valid) return;
        const { guest, room, country, breakfast } = draft.value;
        bookings.value = [{ guest, room, nights: 1 }, ...bookings.value];
        open.value = false;
        tell(`${guest} of ${country} booked ${room}${breakfast ? " with breakfast" : ""}`);
      },
    };
  },
};

createApp(Bookings).use(createVuetify({ components, directives })).mount("#root");
