import { expect } from "chai";
import { parsePayer } from "../../../packages/auth/src/signing/parse-signing-terms.ts";

const PAYER = "organisationIdentifier=PSDCZ-CNB-1&clientId=application&psu=psu-jana";

describe("The payer that resource asks about", () => {
  it("is read from one of each parameter", () => {
    expect(parsePayer(new URLSearchParams(PAYER))).to.deep.equal({
      organisationIdentifier: "PSDCZ-CNB-1",
      applicationId: "application",
      psu: "psu-jana",
    });
  });

  for (const twice of ["organisationIdentifier=PSDCZ-CNB-1", "clientId=application", "psu=psu-petr"])
    it(`is refused with a second ${twice.replace(/=.*/, "")}`, () => {
      expect(() => parsePayer(new URLSearchParams(`${PAYER}&${twice}`)))
        .to.throw()
        .with.property("code", "request_malformed");
    });
});
