// Sends a form once while its answer is on the way: pressed again, a button would make the browser drop that answer, which
// may be the way back to the application. Pages work without it.
(() => {
  /** Whoever still sees the page after so many milliseconds may try again. */
  const PATIENCE = 10_000;
  let sentAt = new WeakMap();

  document.addEventListener("submit", (event) => {
    const { target: form, timeStamp } = event;
    if (timeStamp - (sentAt.get(form) ?? -PATIENCE) < PATIENCE) event.preventDefault();
    else sentAt.set(form, timeStamp);
  });
  // Back from the next page, a browser may show this one as it was left.
  addEventListener("pageshow", () => {
    sentAt = new WeakMap();
  });
})();
