import { createSecretKey } from "node:crypto";
import { expect } from "chai";
import { deriveFormKey, formToken } from "../../../packages/auth/src/forms/form-token.ts";
import { showJourney } from "../../../packages/auth/src/journey/dispatch.ts";
import { bindingOf, type FormPurpose } from "../../../packages/auth/src/journey/interaction-path.ts";
import {
  formKey,
  type HandMadeJourney,
  handMadeJourney,
  journeyAtConsent,
  NOW,
  OWN_ORIGIN,
  post,
  refusalOf,
  tokenOf,
} from "./hand-made-journey.ts";

const FORMS: readonly (readonly [FormPurpose, () => HandMadeJourney])[] = [
  ["sign-in", handMadeJourney],
  ["consent", journeyAtConsent],
  ["cancel", handMadeJourney],
  ["cancel", journeyAtConsent],
];

function nothingDone({ done }: HandMadeJourney): boolean {
  const { attempts, signedIn, consents, told } = done;
  return attempts.length + signedIn.length + consents.length + told.length === 0;
}

describe("A form of the journey (UI-01)", () => {
  for (const [purpose, start] of FORMS) {
    const atStep = `${purpose} at ${start().visit.pending.step}`;

    it(`is refused without its own token: ${atStep}`, async () => {
      const journey = start();
      const { pending } = journey.visit;
      const otherKey = deriveFormKey(createSecretKey(Buffer.alloc(32, 8)));
      const purposes: readonly FormPurpose[] = ["sign-in", "consent", "cancel"];
      const otherStep = start === handMadeJourney ? "consent" : "sign-in";
      const wrong = [
        "",
        "x".repeat(43),
        tokenOf({ ...pending, uid: "interaction-2" }, purpose),
        formToken(formKey, bindingOf({ ...pending, signIn: undefined, step: otherStep }, purpose)),
        formToken(otherKey, bindingOf(pending, purpose)),
        formToken(formKey, ["/oauth/interaction/interaction-1", "sign-in", "step-2"]),
        ...purposes.filter((other) => other !== purpose).map((other) => tokenOf(pending, other)),
      ];
      for (const token of wrong) {
        expect(await refusalOf(post(journey, purpose, { fields: { token: [token] } }))).to.equal(
          "form_untrusted",
        );
      }
      expect(await refusalOf(post(journey, purpose, { fields: { token: [] } }))).to.equal("form_untrusted");
      expect(nothingDone(journey)).to.equal(true);
    });

    it(`is refused with its token when the browser says that another site sent it: ${atStep}`, async () => {
      const journey = start();
      const sources = [
        { fetchSite: "cross-site" },
        { fetchSite: "same-site" },
        { fetchSite: "none" },
        { origin: "https://evil.example" },
        { origin: OWN_ORIGIN.replace("https", "http") },
        { origin: `${OWN_ORIGIN}.evil.example` },
      ];
      for (const source of sources) {
        expect(await refusalOf(post(journey, purpose, source))).to.equal("form_untrusted");
      }
      expect(nothingDone(journey)).to.equal(true);
    });
  }

  it("redirects to the current step when its own step is over, and changes nothing", async () => {
    const journey = journeyAtConsent();
    expect(await post(journey, "sign-in")).to.deep.equal({
      show: "nothing",
      location: "/oauth/interaction/interaction-1",
    });
    expect(await post(handMadeJourney(), "consent")).to.have.property("show", "nothing");
    expect(nothingDone(journey)).to.equal(true);
  });

  it("lets the PSU refuse at each step (RFC 6749 4.1.2.1)", async () => {
    const late = { now: new Date(NOW.getTime() + 3_600_000) };
    for (const journey of [handMadeJourney(), journeyAtConsent(), journeyAtConsent(late)]) {
      expect(await post(journey, "cancel", { origin: OWN_ORIGIN })).to.deep.equal({
        show: "nothing",
        location: "/declined/1",
      });
      expect(journey.done.told).to.deep.equal(["access_denied: the PSU declined"]);
    }
  });

  it("tells the application the reason when the PSU leaves a page that gave one (RTS Article 36(2))", async () => {
    const until = new Date(NOW.getTime() + 300_000);
    const blocked = handMadeJourney({ outcome: { outcome: "blocked", until } });
    const fields = { username: ["jana"], password: ["x"], one_time_code: ["123456"] };
    const late = journeyAtConsent({ now: new Date(NOW.getTime() + 3_600_000) });
    const pages = [
      [blocked, await post(blocked, "sign-in", { fields }), "access_denied: the PSU was not signed in"],
      [
        late,
        await showJourney(late.parts, late.visit),
        "access_denied: the sign-in ended before the PSU had decided",
      ],
    ] as const;
    for (const [journey, page, told] of pages) {
      const because = page.show === "message" ? page.view.cancel?.because : undefined;
      await post(journey, "cancel", { fields: { because: [because ?? ""] } });
      expect(journey.done.told).to.deep.equal([told]);
    }
  });

  it("ignores a reason that no page of ours gives", async () => {
    const journey = journeyAtConsent();
    await post(journey, "cancel", { fields: { because: ["constructor"] } });
    expect(journey.done.told).to.deep.equal(["access_denied: the PSU declined"]);
  });
});
