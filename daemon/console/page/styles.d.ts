// Style sheets are bundled, and give nothing to the code.
declare module "*.css";
