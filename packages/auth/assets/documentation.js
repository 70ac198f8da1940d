// Shows the interface in the viewer, instead of the plain index that is shown without scripts. Nothing can be tried out,
// because a browser has no TPP certificate.
(() => {
  const [place, index] = ["viewer", "index"].map((id) => document.getElementById(id));
  if (typeof SwaggerUIBundle !== "function" || place === null || index === null) return;

  // Printed pages are always light.
  const dark = matchMedia("screen and (prefers-color-scheme: dark)");
  const followScheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", followScheme);
  followScheme();

  // The viewer shows no addresses if nothing can be tried out.
  const spec = globalThis.cobsInterface;
  for (const [path, item] of Object.entries(spec.paths)) {
    for (const operation of Object.values(item))
      operation.description += `\n\n\`${operation.servers[0].url}${path}\``;
  }

  const nothing = () => () => null;
  const withoutAuthorizing = () => ({ wrapComponents: { authorizeOperationBtn: nothing } });
  // The viewer's own layout has a second main element, and asks which server to try.
  const plainLayout = ({ React: { createElement } }) => {
    const PlainLayout = ({ getComponent }) => {
      const parts = ["SvgAssets", "InfoContainer", "operations", "Models"].map((name) =>
        createElement(getComponent(name, true), { key: name }),
      );
      return createElement("div", { className: "swagger-ui" }, parts);
    };
    return { components: { PlainLayout } };
  };
  SwaggerUIBundle({
    spec,
    domNode: place,
    layout: "PlainLayout",
    plugins: [plainLayout, withoutAuthorizing],
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
