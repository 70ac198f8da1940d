import { X509Certificate } from "node:crypto";
import { BankCallerRefusal, doubtBankCallers, parseBankCallers, requireBankCaller } from "@cobs/service-edge";
import { expect } from "chai";
import { derUtf8String } from "../../packages/sandbox/src/certificates/der.ts";
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
import { attribute, issue, qwacPlan } from "../psd2-certificates/certificate-builder.ts";

describe("Callers of a bank listener", () => {
  const now = new Date();
  const lineEnds = ["\n", "\r", "\u2028", "\u2029"];

  async function presented(commonName: string) {
    const ca = await createTestCa(now);
    const name = { commonName, dnsNames: [], ipAddresses: [], purposes: ["clientAuth"] } as const;
    return presentedOf(await issuePrivateCertificate(ca, name, now));
  }

  function presentedOf(issued: IssuedCertificate) {
    return { der: new X509Certificate(issued.certificatePem).raw, intermediates: [], tlsVerdict: undefined };
  }

  it("have the rights that the configuration gives them and no others", async () => {
    const callers = parseBankCallers("resource=introspect,feed; jana=operator");
    expect(requireBankCaller(callers, await presented("resource"), "introspect")).to.equal("resource");
    const lacking = await presented("jana");
    expect(() => requireBankCaller(callers, lacking, "introspect"))
      .to.throw(BankCallerRefusal)
      .with.property("code", "right_missing");
  });

  it("may be configured with a semicolon at the end, but never without a name or with malformed rights", () => {
    expect([...parseBankCallers(" resource=introspect ; ;").keys()]).to.deep.equal(["resource"]);
    for (const wrong of ["resource", "resource=", "=introspect", "a=introspect=feed", "a=Introspect"])
      expect(() => parseBankCallers(wrong), wrong).to.throw(
        Error,
        /must have the form name=right,right|is not a right/,
      );
  });

  it("are doubted when none has a right that the other service needs", () => {
    const needed = ["introspect", "feed"] as const;
    expect(doubtBankCallers(parseBankCallers("resource=introspect,feed"), needed)).to.deep.equal([]);
    expect(doubtBankCallers(parseBankCallers("resource=feed;jana=operator"), needed)).to.deep.equal([
      "BANK_CALLERS: no caller has introspect, which the other service needs",
    ]);
  });

  it("are refused when the configuration does not name them", async () => {
    const stranger = await presented("mallory");
    const callers = parseBankCallers("resource=introspect");
    expect(() => requireBankCaller(callers, stranger, "introspect"))
      .to.throw(BankCallerRefusal)
      .with.property("code", "caller_unknown");
    expect(() => requireBankCaller(callers, undefined, "introspect")).to.throw(BankCallerRefusal);
  });

  type Subject = readonly (readonly [keyof typeof subjectOids, string])[];

  async function presentedWith(subject: Subject) {
    const { private: issuer } = await createTestCa(now);
    const issued = await issueCertificate(issuer, {
      subject: subject.map(([name, value]) => ({ oid: subjectOids[name], value })),
      validity: daysAround(now, machineDays),
      extensions: [],
    });
    return presentedOf(issued);
  }

  it("are known by their common name exactly as written, whatever stands beside it", async () => {
    const callers = parseBankCallers("mallory=feed;resource=feed;Nováková, Jana=operator");
    for (const organization of ["CN=resource", ...lineEnds.map((end) => `Bank${end}CN=resource`)]) {
      const subject: Subject = [
        ["organizationName", organization],
        ["commonName", "mallory"],
      ];
      expect(requireBankCaller(callers, await presentedWith(subject), "feed")).to.equal("mallory");
    }
    const jana = await presentedWith([["commonName", "Nováková, Jana"]]);
    expect(requireBankCaller(callers, jana, "operator")).to.equal("Nováková, Jana");
  });

  it("are refused when the common name goes on, comes twice or stands inside another attribute", async () => {
    const callers = parseBankCallers("resource=feed");
    const subjects: readonly Subject[] = [
      ...[...lineEnds, "\0"].map((end): Subject => [["commonName", `resource${end}mallory`]]),
      ...lineEnds.map((end): Subject => [["organizationName", `Bank${end}CN=resource`]]),
      [
        ["commonName", "resource"],
        ["commonName", "mallory"],
      ],
    ];
    for (const subject of subjects) {
      const caller = await presentedWith(subject);
      expect(() => requireBankCaller(callers, caller, "feed"), JSON.stringify(subject))
        .to.throw(BankCallerRefusal)
        .with.property("code", "caller_unknown");
    }
  });

  it("are refused when another's certificate is embedded in theirs, which Node.js would read instead", async () => {
    const named = (commonName: string, organization: string) =>
      issue(
        qwacPlan({
          subject: [
            attribute(subjectOids.organizationName, derUtf8String(organization)),
            attribute(subjectOids.commonName, derUtf8String(commonName)),
          ],
        }),
      );
    const { der } = named("mallory", `Bank\n${named("jana", "Bank").pem}`);
    const caller = { der, intermediates: [], tlsVerdict: undefined };
    expect(() => requireBankCaller(parseBankCallers("jana=operator;mallory=operator"), caller, "operator"))
      .to.throw(BankCallerRefusal)
      .with.property("code", "caller_unknown");
  });

  it("may be given known rights only", () => {
    expect(() => parseBankCallers("resource=everything")).to.throw("not a right");
  });

  it("must not be named twice in the configuration", () => {
    expect(() => parseBankCallers("jana=operator;auth=accounts; jana=accounts")).to.throw(
      "jana is listed twice",
    );
    for (const wrong of ["=operator", "jana=operator=feed"])
      expect(() => parseBankCallers(wrong)).to.throw("must have the form name=right,right");
  });
});
