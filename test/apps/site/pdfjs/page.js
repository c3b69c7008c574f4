// A contract in pdf.js: gone through by page, zoomed, searched, and its form filled in and kept.
import "pdfjs-dist/web/pdf_viewer.css";
import { GlobalWorkerOptions, getDocument } from "pdfjs-dist";
import { EventBus, PDFFindController, PDFLinkService, PDFViewer } from "pdfjs-dist/web/pdf_viewer.mjs";

const $ = (selector) => document.querySelector(selector);
const tell = (what) => {
  say(what);
  $("[role=status]").textContent = what;
};
GlobalWorkerOptions.workerSrc = "/pdf-worker.js";
const eventBus = new EventBus();
const linkService = new PDFLinkService({ eventBus });
const findController = new PDFFindController({ eventBus, linkService });
const viewer = new PDFViewer({
  container: $("#container"),
  viewer: $("#viewer"),
  eventBus,
  linkService,
  findController,
});
linkService.setViewer(viewer);
eventBus.on("pagesinit", () => (viewer.currentScaleValue = "1"));
eventBus.on("pagechanging", ({ pageNumber }) => {
  $("#page").value = pageNumber;
  say(`page ${pageNumber}`);
});
eventBus.on("updatefindmatchescount", ({ matchesCount: { total } }) => {
  $("output").textContent = `${total} found`;
});
eventBus.on("updatefindcontrolstate", ({ state }) => {
  if (state === 0) say("found");
  if (state !== 1) return;
  $("output").textContent = "nothing found";
  say("nothing found");
});
const pdf = await getDocument({ url: "/contract.pdf" }).promise;
$("#of").textContent = `of ${pdf.numPages}`;
linkService.setDocument(pdf, null);
viewer.setDocument(pdf);
$("#before").onclick = () => viewer.previousPage();
$("#after").onclick = () => viewer.nextPage();
$("#page").onchange = ({ target }) => (viewer.currentPageNumber = Number(target.value));
for (const [id, by] of [
  ["in", 1],
  ["out", -1],
])
  $(`#${id}`).onclick = () => {
    viewer.updateScale({ steps: by });
    tell(`zoom ${Math.round(viewer.currentScale * 100)} %`);
  };
$("form").onsubmit = (event) => {
  event.preventDefault();
  const query = event.target.elements.text.value;
  eventBus.dispatch("find", {
    type: "",
    query,
    caseSensitive: false,
    entireWord: false,
    highlightAll: true,
    findPrevious: false,
    matchDiacritics: false,
  });
};
