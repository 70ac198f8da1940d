import {
  authorityOf,
  createCertificateVerifier,
  parseOrganisationIdentifier,
  parseTrustAnchors,
} from "@cobs/psd2-certificates";
import { expect } from "chai";
import fc from "fast-check";
import { encodeQcStatements } from "../../packages/sandbox/src/certificates/qc-statements.ts";
import {
  anchorFile,
  authority,
  authorityPlan,
  issue,
  nameOf,
  now,
  present,
  qwacExtensions,
  qwacPlan,
  tppSubject,
} from "./certificate-builder.ts";
import { isConfirmed, otherReading, ourReading } from "./independent-reading.ts";
import { type Mutation, mutate } from "./mutation.ts";
import { refusalOf } from "./refusal-of.ts";

const seed = 20_261_115;

const mutations = fc.array(
  fc.record<Mutation>({
    kind: fc.constantFrom("set", "set", "flip", "flip", "flip", "insert", "remove", "repeat"),
    place: fc.nat(9999),
    octet: fc.nat(255),
  }),
  { minLength: 1, maxLength: 2 },
);

describe("A mutated certificate", () => {
  const issuing = issue(authorityPlan("Issuing CA"));
  const verifier = createCertificateVerifier({ anchors: parseTrustAnchors(anchorFile([issuing])) });
  const right = issue(qwacPlan(), issuing).der;

  it("is read as by an independent library if nothing was mutated", () => {
    expect(ourReading(right)).to.deep.equal(otherReading(right));
  });

  it("is refused with a code, or read as by an independent library", () => {
    let confirmed = 0;
    const holds = (changes: readonly Mutation[]) => {
      const der = changes.reduce(mutate, right);
      if (refusalOf(() => ourReading(der)) !== "accepted") return;
      confirmed += Number(isConfirmed(der, ourReading(der)));
    };
    fc.assert(fc.property(mutations, holds), { seed, numRuns: 3000 });
    expect(confirmed).to.be.above(300);
  });

  it("is never accepted unless its issuer signed it", () => {
    const holds = (changes: readonly Mutation[]) => {
      const der = changes.reduce(mutate, right);
      if (der.equals(right)) return;
      expect(refusalOf(() => verifier.verify(present(der), now))).to.be.oneOf([
        "certificate_malformed",
        "chain_untrusted",
      ]);
    };
    fc.assert(fc.property(mutations, holds), { seed, numRuns: 1000 });
  });

  it("yields a whole identity or a refusal if its statements were mutated before signing", () => {
    const statements = Buffer.from(encodeQcStatements("web", { roles: ["PSP_AI", "PSP_IC"], authority }));
    let confirmed = 0;
    const holds = (changes: readonly Mutation[]) => {
      const { der } = issue(
        qwacPlan({ extensions: qwacExtensions(changes.reduce(mutate, statements)) }),
        issuing,
      );
      if (refusalOf(() => verifier.verify(present(der), now)) !== "accepted") return;
      const tpp = verifier.verify(present(der), now);
      confirmed += Number(isConfirmed(der, tpp));
      expect(authorityOf(tpp.organisationIdentifier)).to.equal(tpp.authority.id);
    };
    fc.assert(fc.property(mutations, holds), { seed, numRuns: 800 });
    expect(confirmed).to.be.above(20);
  });

  it("yields a whole identity or a refusal if its subject was mutated before signing", () => {
    const subject = Buffer.from(nameOf(tppSubject()));
    let confirmed = 0;
    const holds = (changes: readonly Mutation[]) => {
      const { der } = issue({ ...qwacPlan(), encodedSubject: changes.reduce(mutate, subject) }, issuing);
      if (refusalOf(() => verifier.verify(present(der), now)) !== "accepted") return;
      const tpp = verifier.verify(present(der), now);
      confirmed += Number(isConfirmed(der, tpp));
      expect(parseOrganisationIdentifier(tpp.organisationIdentifier)).to.equal(tpp.organisationIdentifier);
    };
    fc.assert(fc.property(mutations, holds), { seed, numRuns: 800 });
    expect(confirmed).to.be.above(60);
  });
});
