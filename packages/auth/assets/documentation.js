// Shows the interface with the viewer, in the place of the plain index, which is read where this does not run. Nothing can be
// tried out: a browser has no certificate of a TPP.
(() => {
  const [place, index] = ["viewer", "index"].map((id) => document.getElementById(id));
  if (typeof SwaggerUIBundle !== "function" || place === null || index === null) return;

  const dark = matchMedia("(prefers-color-scheme: dark)");
  const followScheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", followScheme);
  followScheme();

  const nothing = () => () => null;
  const withoutAuthorizing = () => ({
    wrapComponents: { authorizeBtn: nothing, authorizeOperationBtn: nothing },
  });
  SwaggerUIBundle({
    spec: globalThis.cobsInterface,
    domNode: place,
    plugins: [withoutAuthorizing],
    supportedSubmitMethods: [],
    validatorUrl: null,
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    onComplete: () => {
      place.hidden = false;
      index.hidden = true;
    },
  });
})();
