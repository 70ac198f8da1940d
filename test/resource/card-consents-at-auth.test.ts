import { parseIban } from "@cobs/cobs-model";
import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import { expect } from "chai";
import { cardConsentsAtAuth } from "../../packages/resource/src/card-consent/card-consents-at-auth.ts";
import { rejectionOf } from "../support/rejection.ts";

const SUBJECT = {
  organisationIdentifier: parseOrganisationIdentifier("PSDCZ-CNB-12345678"),
  iban: parseIban("CZ6508000000192000145399"),
};
const CONSENT = { id: "consent-1", psu: "anna", accountId: "a1" };
const READ = { id: "consent-1", psu: "anna", account: "a1" };

function find(body: unknown, status = 200) {
  const get = async () => ({ status, header: () => "7", body: JSON.stringify(body) });
  return cardConsentsAtAuth({ get }).find(SUBJECT, { requestId: "request", traceContext: undefined });
}

describe("Auth's answer about consents to card issuers", () => {
  it("is read with every holder who has consented, and with the position of the feed", async () => {
    const others = [{ ...CONSENT, psu: "boris" }];
    const read = async (body: unknown) => (await find(body)).consents;
    expect(await find({ consent: CONSENT })).to.deep.equal({ consents: [READ], position: 7 });
    expect(await read({ consent: CONSENT, others })).to.deep.equal([READ, { ...READ, psu: "boris" }]);
    expect(await read({ consent: null })).to.deep.equal([]);
  });

  for (const [what, body] of [
    ["nothing", null],
    ["a list", [{ consent: null }]],
    ["no word of a consent", {}],
    ["a consent without an account", { consent: { ...CONSENT, accountId: undefined } }],
    ["an id that auth does not issue", { consent: { ...CONSENT, id: "x y" } }],
    ["others that are no list", { consent: CONSENT, others: { 0: CONSENT } }],
  ] as const)
    it(`is not believed, instead of counting as no consent: ${what}`, async () => {
      const refused = { name: "CardConsentRefusal", code: "card_consents_malformed" };
      expect(await rejectionOf(find(body))).to.include(refused);
    });

  it("is not believed with another status, and the refusal says what was asked", async () => {
    const code = "card_consents_status";
    const detail = "card consents were answered with 403";
    expect(await rejectionOf(find({ consent: null }, 403))).to.include({ code, detail });
  });
});
