import { X509Certificate } from "node:crypto";
import { BankCallerRefusal, parseBankCallers, requireBankCaller } from "@cobs/service-edge";
import { expect } from "chai";
import { issuePrivateCertificate } from "../../packages/sandbox/src/certificates/server-certificate.ts";
import { createTestCa } from "../../packages/sandbox/src/certificates/test-ca.ts";

describe("callers of a bank listener", () => {
  const now = new Date();

  async function presented(commonName: string) {
    const ca = await createTestCa(now);
    const issued = await issuePrivateCertificate(
      ca,
      { commonName, dnsNames: [], ipAddresses: [], purposes: ["clientAuth"] },
      now,
    );
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

  it("are configured with known rights only", () => {
    expect(() => parseBankCallers("resource=everything")).to.throw("not a right");
  });

  it("are named once each: the rights of one place would take the place of the others", () => {
    expect(() => parseBankCallers("jana=operator;auth=accounts; jana=accounts")).to.throw(
      "jana is named twice",
    );
    expect(() => parseBankCallers("=operator")).to.throw("is not name=right,right");
  });
});
