import { X509Certificate } from "node:crypto";
import { BankCallerRefusal, parseBankCallers, requireBankCaller } from "@cobs/service-edge";
import { expect } from "chai";
import {
  type IssuedCertificate,
  issueCertificate,
} from "../../packages/sandbox/src/certificates/issue-certificate.ts";
import {
  issuePrivateCertificate,
  machineDays,
} from "../../packages/sandbox/src/certificates/server-certificate.ts";
import { subjectOids } from "../../packages/sandbox/src/certificates/subject-attribute.ts";
import { createTestCa } from "../../packages/sandbox/src/certificates/test-ca.ts";
import { daysAround } from "../../packages/sandbox/src/certificates/validity.ts";

describe("callers of a bank listener", () => {
  const now = new Date();

  async function presented(commonName: string) {
    const ca = await createTestCa(now);
    const name = { commonName, dnsNames: [], ipAddresses: [], purposes: ["clientAuth"] } as const;
    return presentedOf(await issuePrivateCertificate(ca, name, now));
  }

  function presentedOf(issued: IssuedCertificate) {
    return { der: new X509Certificate(issued.certificatePem).raw, intermediates: [], tlsVerdict: undefined };
  }

  it("have the rights that configuration names and no other", async () => {
    const callers = parseBankCallers("resource=introspect,feed; jana=operator");
    expect(requireBankCaller(callers, await presented("resource"), "introspect")).to.equal("resource");
    const lacking = await presented("jana");
    expect(() => requireBankCaller(callers, lacking, "introspect"))
      .to.throw(BankCallerRefusal)
      .with.property("code", "right_missing");
  });

  it("are refused when nobody named them", async () => {
    const stranger = await presented("mallory");
    const callers = parseBankCallers("resource=introspect");
    expect(() => requireBankCaller(callers, stranger, "introspect"))
      .to.throw(BankCallerRefusal)
      .with.property("code", "caller_unknown");
    expect(() => requireBankCaller(callers, undefined, "introspect")).to.throw(BankCallerRefusal);
  });

  it("are known by their common name, whatever stands beside it", async () => {
    const { private: issuer } = await createTestCa(now);
    const issued = await issueCertificate(issuer, {
      subject: [
        { oid: subjectOids.organizationName, value: "CN=resource" },
        { oid: subjectOids.commonName, value: "mallory" },
      ],
      validity: daysAround(now, machineDays),
      extensions: [],
    });
    const callers = parseBankCallers("mallory=feed;resource=feed");
    expect(requireBankCaller(callers, presentedOf(issued), "feed")).to.equal("mallory");
  });

  it("are configured with known rights only", () => {
    expect(() => parseBankCallers("resource=everything")).to.throw("not a right");
  });

  it("are named once each: the rights of one place would take the place of the others", () => {
    expect(() => parseBankCallers("jana=operator;auth=accounts; jana=accounts")).to.throw(
      "jana is named twice",
    );
    for (const wrong of ["=operator", "jana=operator=feed"])
      expect(() => parseBankCallers(wrong)).to.throw("is not name=right,right");
  });
});
