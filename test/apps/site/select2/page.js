// Trips in Select2 on jQuery: searched, remote, multiple and plain selects, a message that slides in, a row that fades out.
import "select2/dist/css/select2.css";
import $ from "jquery";
import select2 from "select2";

select2(window, $);
// A module's code is strict, and Select2 calls this method without its object.
const { prototype: ajax } = $.fn.select2.amd.require("select2/data/ajax");
ajax._normalizeItem = ajax._normalizeItem.bind(window);

const countries = ["Denmark", "France", "Germany", "Greece", "Italy", "Norway"];
const trips = [
  { city: "Rome", country: "Italy", interests: ["Food", "History"] },
  { city: "Oslo", country: "Norway", interests: ["Museums"] },
];

const cell = (text) => $("<td>").text(text);

function add({ city, country, interests }) {
  const remove = $("<button>Remove</button>").on("click", () =>
    row.fadeOut(200, () => {
      row.remove();
      say(`${city} removed`);
    }),
  );
  const row = $("<tr>").append(
    cell(city),
    cell(country),
    cell(interests.join(", ")),
    $("<td>").append(remove),
  );
  $("#trips").append(row);
}

function complain(text) {
  $("#wrong").text(text).slideDown(150);
}

$("#country").select2({ data: countries, placeholder: "Which country?", allowClear: true });
$("#city").select2({
  placeholder: "Which city?",
  minimumInputLength: 2,
  ajax: { url: "/cities", delay: 150, data: ({ term }) => ({ term, country: $("#country").val() }) },
});
$("#interests").select2({ placeholder: "What for?", tags: true });
$("#class").select2({ minimumResultsForSearch: Infinity });
$("#country").on("change", () => {
  $("#city").val(null).trigger("change");
  say(`country ${$("#country").val() || "none"}`);
});
$("#class").on("select2:select", ({ params }) => say(`class ${params.data.text}`));

$("form").on("submit", async (event) => {
  event.preventDefault();
  const [country, city, interests] = [$("#country").val(), $("#city").val(), $("#interests").val()];
  if (!country) return complain("A trip needs a country");
  if (!city) return complain("A trip needs a city");
  $("#wrong").slideUp(150);
  await $.post("/trips", { city });
  add({ city, country, interests });
  say(`${city} in ${country} for ${interests.join(" and ")}`);
  $("#country, #city, #interests").val(null).trigger("change");
});
trips.forEach(add);
