// A map in Leaflet: zoomed, searched, its places opened and moved to.
import "leaflet/dist/leaflet.css";
import L from "leaflet";

document.body.innerHTML = `<h1>Town</h1><form role="search"><label>Search <input name="text" type="search"></label><button>Find</button></form><div id="map" style="width: 640px; height: 400px"></div><p role="status"></p><ul aria-label="Places"></ul>`;
const $ = (selector) => document.querySelector(selector);
const tell = (what) => {
  say(what);
  $("[role=status]").textContent = what;
};
const map = L.map("map").setView([54.325, 10.14], 12);
const tiles = L.tileLayer("/tiles/{z}/{x}/{y}", {
  maxZoom: 14,
  minZoom: 11,
  attribution: "Town tiles",
}).addTo(map);
const iconOf = (sign) =>
  L.divIcon({ className: "place", html: `<span aria-hidden="true">${sign}</span>`, iconSize: [24, 24] });
const hotels = L.layerGroup([
  L.marker([54.31, 10.12], { icon: iconOf("🏨"), title: "Hotel Sun", alt: "Hotel Sun" }),
]);
L.control.layers({ Streets: tiles }, { Hotels: hotels }, { collapsed: false }).addTo(map);
L.control.scale({ imperial: false }).addTo(map);
map.on("zoomend", () => tell(`zoom ${map.getZoom()}`));
map.on("overlayadd overlayremove", ({ type, name }) =>
  say(`${name} ${type === "overlayadd" ? "on" : "off"}`),
);
map.on("popupopen", ({ popup }) => say(`opened ${popup.getContent().querySelector("b").textContent}`));

const markers = L.layerGroup().addTo(map);
function show(places) {
  markers.clearLayers();
  $("ul").replaceChildren();
  for (const { name, lat, lng } of places) {
    const card = document.createElement("div");
    card.innerHTML = "<b></b><br><button>Visit</button>";
    card.querySelector("b").textContent = name;
    card.querySelector("button").onclick = () => {
      map.closePopup();
      tell(`visit ${name}`);
    };
    const icon = iconOf("📍");
    L.marker([lat, lng], { icon, title: name, alt: name }).bindPopup(card).addTo(markers);
    const item = document.createElement("li");
    const go = document.createElement("button");
    go.textContent = `Show ${name}`;
    go.onclick = () => map.flyTo([lat, lng], 14, { duration: 0.3 });
    item.append(go);
    $("ul").append(item);
  }
}
const search = async (text) => show(await (await fetch(`/places?${new URLSearchParams({ text })}`)).json());
$("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = event.target.elements.text.value;
  say(`searched ${text}`);
  void search(text);
});
void search("");
