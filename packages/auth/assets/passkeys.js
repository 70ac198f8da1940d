// Lets a PSU use a passkey: passes a button's data-asking to the browser, and sends the answer with the button's form. Pages
// work without it: parts that need passkeys are hidden until this runs, and the parts that replace them are hidden afterwards.
(() => {
  if (!("credentials" in navigator) || typeof PublicKeyCredential !== "function") return;

  /** A PSU who still sees the page this many milliseconds after the answer was sent may try again. */
  const PATIENCE = 10_000;
  const patience = new WeakMap();

  const toBytes = (text) => {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  };
  const toText = (buffer) => {
    const binary = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("");
    return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  };
  const readKeys = (keys) => keys.map((key) => ({ ...key, id: toBytes(key.id) }));

  const CEREMONIES = {
    async get(asking) {
      const publicKey = {
        ...asking,
        challenge: toBytes(asking.challenge),
        allowCredentials: readKeys(asking.allowCredentials),
      };
      const { id, response } = await navigator.credentials.get({ publicKey });
      return {
        id,
        clientDataJSON: toText(response.clientDataJSON),
        authenticatorData: toText(response.authenticatorData),
        signature: toText(response.signature),
        userHandle: toText(response.userHandle ?? new ArrayBuffer(0)),
      };
    },
    async create(asking) {
      const publicKey = {
        ...asking,
        challenge: toBytes(asking.challenge),
        user: { ...asking.user, id: toBytes(asking.user.id) },
        excludeCredentials: readKeys(asking.excludeCredentials),
      };
      const { id, response } = await navigator.credentials.create({ publicKey });
      return {
        id,
        clientDataJSON: toText(response.clientDataJSON),
        attestationObject: toText(response.attestationObject),
      };
    },
  };

  const send = (button, answer) => {
    const { form, dataset } = button;
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = dataset.field;
    field.value = JSON.stringify(answer);
    form.append(field);
    form.submit();
    // Who stops the page, or comes back to it, sends the form once more: with another answer, or without one.
    field.remove();
    const offerAgain = () => {
      button.disabled = false;
    };
    patience.set(button, setTimeout(offerAgain, PATIENCE));
  };

  /** Whether a needed field is empty: then the server reports it before the PSU is asked for a device. */
  const isIncomplete = ({ form, dataset }) =>
    dataset.needs?.split(" ").some((name) => form.elements.namedItem(name).value.trim() === "") ?? false;

  const use = async (button) => {
    const [failed, known] = button.closest("[data-passkeys]").querySelectorAll("[role=alert]");
    failed.hidden = true;
    if (known) known.hidden = true;
    button.disabled = true;
    // On a page that was left and shown again, it would offer the button while the device is asked.
    clearTimeout(patience.get(button));
    try {
      if (isIncomplete(button)) send(button, {});
      else send(button, await CEREMONIES[button.dataset.passkey](JSON.parse(button.dataset.asking)));
    } catch (error) {
      button.disabled = false;
      // A disabled button loses the focus; restoring it lets a PSU without a mouse press again.
      if (document.activeElement === document.body) button.focus();
      // The device holds a passkey that it was told to exclude (Web Authentication 5.1.3).
      (error.name === "InvalidStateError" && known ? known : failed).hidden = false;
    }
  };

  for (const button of document.querySelectorAll("[data-passkey]")) {
    button.addEventListener("click", () => use(button));
  }
  // Enter in the form's only field would submit it without the device's answer.
  for (const form of document.querySelectorAll("form[data-passkeys]")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      form.querySelector("[data-passkey]").click();
    });
  }
  for (const part of document.querySelectorAll("[data-passkeys]")) part.hidden = false;
  for (const part of document.querySelectorAll("[data-without-passkeys]")) part.hidden = true;
  // On the way back, a browser may show this page as it was left.
  addEventListener("pageshow", () => {
    for (const button of document.querySelectorAll("[data-passkey]")) button.disabled = false;
  });
})();
