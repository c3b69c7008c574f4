// Vue as its applications here need it: with the compiler of templates, and its flags settled.
export default {
  alias: { vue: "vue/dist/vue.esm-bundler.js" },
  define: {
    __VUE_OPTIONS_API__: "true",
    __VUE_PROD_DEVTOOLS__: "false",
    __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
    "process.env": "{}",
  },
};
