// The console's page, from its start.
import { render } from "preact";
import { App } from "./app.tsx";
import "uplot/dist/uPlot.min.css";
import "./console.css";

const root = document.getElementById("app");
if (root) render(<App />, root);
