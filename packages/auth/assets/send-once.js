// Sends a form only once while its answer is on the way. A second press would make the browser drop that answer, which may be
// the way back to the application. Pages work without it.
(() => {
  /** A PSU who still sees the page after this many milliseconds may try again. */
  const PATIENCE = 10_000;
  let sentAt = new WeakMap();

  document.addEventListener("submit", (event) => {
    const { target: form, timeStamp } = event;
    if (timeStamp - (sentAt.get(form) ?? -PATIENCE) < PATIENCE) event.preventDefault();
    else sentAt.set(form, timeStamp);
  });
  // On the way back, a browser may show this page as it was left.
  addEventListener("pageshow", () => {
    sentAt = new WeakMap();
  });
})();
