// Templates are compiled in the page.
export { default } from "../vue.js";
