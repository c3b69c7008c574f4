/** Pages that others made: documentation and applications that npm packages ship, shown without the network. */

export interface RealPage {
  id: string;
  title: string;
  package: string;
  version: string;
  /** The page's path in the package. */
  path: string;
  /** Files that stand in for the package's own, by their path in it. */
  own?: Record<string, string>;
  /** Text that only a snapshot of the whole page holds. */
  holds: string;
}

export const realPages: readonly RealPage[] = [
  {
    id: "npm-config",
    title: "npm's documentation of its settings",
    package: "npm",
    version: "11.19.1",
    path: "docs/output/using-npm/config.html",
    holds: "ignore-scripts",
  },
  {
    id: "spectre-forms",
    title: "Spectre's documentation of forms",
    package: "spectre.css",
    version: "0.5.9",
    path: "docs/elements/forms.html",
    holds: "Form validation",
  },
  {
    id: "jquery-ui",
    title: "jQuery UI's widgets",
    package: "jquery-ui-dist",
    version: "1.13.3",
    path: "index.html",
    holds: "Autocomplete",
  },
  {
    id: "sb-admin-tables",
    title: "SB Admin's data table",
    package: "startbootstrap-sb-admin-2",
    version: "4.1.4",
    path: "tables.html",
    holds: "Start date",
  },
  {
    id: "swagger-ui",
    title: "Swagger UI with 120 operations",
    package: "swagger-ui-dist",
    version: "5.35.0",
    path: "index.html",
    own: { "swagger-initializer.js": swaggerStart(), "openapi.json": openApi(120) },
    holds: "/things119",
  },
  {
    id: "rapidoc",
    title: "RapiDoc (shadow DOM) with 120 operations",
    package: "rapidoc",
    version: "9.3.8",
    path: "bench.html",
    own: { "bench.html": rapiDocHtml(), "openapi.json": openApi(120) },
    holds: "/things119",
  },
  {
    id: "mdi-icons",
    title: "Material Design Icons' gallery",
    package: "@mdi/font",
    version: "7.4.47",
    path: "preview.html",
    holds: "zodiac-virgo",
  },
];

/** Such a page counts as shown once it has left its document alone for so long. */
export const realQuietMs = 300;

/** Only files of the package load. A request to any other place is refused at once, for all contenders alike. */
export const offlinePolicy = "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'";

function swaggerStart(): string {
  return `window.onload = () => { window.ui = SwaggerUIBundle({ url: "openapi.json", dom_id: "#swagger-ui",
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset], layout: "StandaloneLayout", validatorUrl: null }); };`;
}

function rapiDocHtml(): string {
  return `<!doctype html><html lang="en"><title>Things</title>
    <script type="module" src="dist/rapidoc-min.js"></script>
    <rapi-doc spec-url="openapi.json" render-style="view" load-fonts="false"></rapi-doc></html>`;
}

function openApi(operations: number): string {
  const operation = (i: number) => ({
    summary: `Lists things of kind ${i}`,
    tags: [`Kind ${i % 10}`],
    parameters: [{ name: "limit", in: "query", description: "At most so many", schema: { type: "integer" } }],
    responses: { 200: { description: "The things" }, 404: { description: "No such kind" } },
  });
  const paths = Array.from({ length: operations }, (_, i) => [`/things${i}`, { get: operation(i) }] as const);
  return JSON.stringify({
    openapi: "3.0.3",
    info: { title: "Things", version: "1", description: "An interface to look at." },
    paths: Object.fromEntries(paths),
  });
}
