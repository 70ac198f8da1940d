import {
  presentSigning,
  presentSigningOutcome,
  presentSigningStart,
  readSigningMethod,
  readSigningStep,
} from "@cobs/cobs-model";
import { expect } from "chai";
import fc from "fast-check";

const OPEN = { state: "OPEN", signId: "S-1" } as const;

const faultsOf = (body: unknown) => readSigningStep(body).faults.map(({ code, path }) => `${code} ${path}`);

describe("a step of signing (COBS 3.2.10)", () => {
  it("is read with its return URL, and other members are ignored", () => {
    const body = {
      authorizationType: "USERAGENT_REDIRECT",
      redirectUrl: "https://tpp.example/done",
      more: 1,
    };
    expect(readSigningStep(body)).to.deep.equal({
      step: { authorizationType: "USERAGENT_REDIRECT", redirectUrl: "https://tpp.example/done" },
      authorizationType: "USERAGENT_REDIRECT",
      faults: [],
    });
  });

  it("needs no return URL, which may be absent or null (A-04, A-51)", () => {
    for (const body of [{ authorizationType: "X" }, { authorizationType: "X", redirectUrl: null }])
      expect(readSigningStep(body).step).to.deep.equal({ authorizationType: "X", redirectUrl: undefined });
  });

  it("must name a method, of at most 35 characters", () => {
    for (const body of [{}, { authorizationType: null }, { authorizationType: "" }])
      expect(faultsOf(body)).to.deep.equal(["FIELD_MISSING authorizationType"]);
    expect(faultsOf({ authorizationType: "x".repeat(35) })).to.deep.equal([]);
    expect(faultsOf({ authorizationType: "x".repeat(36) })).to.deep.equal([
      "FIELD_INVALID authorizationType",
    ]);
  });

  it("has a return URL of at most 2047 characters (A-18), and all its faults are reported together", () => {
    const step = (redirectUrl: unknown) => faultsOf({ authorizationType: "X", redirectUrl });
    expect(step("x".repeat(2047))).to.deep.equal([]);
    expect(step("x".repeat(2048))).to.deep.equal(["FIELD_INVALID redirectUrl"]);
    for (const [authorizationType, redirectUrl] of [
      [1, {}],
      [["X"], ["https://tpp.example/done"]],
    ])
      expect(faultsOf({ authorizationType, redirectUrl })).to.deep.equal([
        "FIELD_INVALID authorizationType",
        "FIELD_INVALID redirectUrl",
      ]);
  });

  it("keeps a valid method even if its return URL is wrong", () => {
    const methodOf = (authorizationType: unknown) =>
      readSigningStep({ authorizationType, redirectUrl: 5 }).authorizationType;
    expect(methodOf("SMS")).to.equal("SMS");
    for (const none of [undefined, null, "", 1, "x".repeat(36)]) expect(methodOf(none)).to.equal(undefined);
  });

  it("must be an object (FF01), and any JSON yields either a step or faults", () => {
    for (const body of [null, [], "x", 1]) expect(faultsOf(body)).to.deep.equal(["FF01 undefined"]);
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        const { step, faults } = readSigningStep(body);
        expect(step === undefined).to.equal(faults.length > 0);
      }),
    );
  });
});

describe("the method of a finished signing (COBS 3.2.11)", () => {
  it("is read as in a step, and other members are ignored, even redirectUrl", () => {
    const read = { authorizationType: "SMS", faults: [] };
    expect(readSigningMethod({ authorizationType: "SMS", redirectUrl: 5 })).to.deep.equal(read);
    for (const body of [null, [], {}, { authorizationType: 1 }, { authorizationType: "x".repeat(36) }]) {
      const { authorizationType, faults } = readSigningStep(body);
      expect(readSigningMethod(body)).to.deep.equal({ authorizationType, faults });
      expect(faults).to.have.length(1);
    }
  });
});

describe("the authorization of a payment on the wire", () => {
  it("lists scenarios as sequences of methods (R9, R10, A-49)", () => {
    expect(presentSigning([["USERAGENT_REDIRECT"]], OPEN)).to.deep.equal({
      scenarios: [["USERAGENT_REDIRECT"]],
      signInfo: OPEN,
    });
  });

  it("says where to send the browser, and has no backURL (R11, A-51)", () => {
    expect(presentSigningStart("USERAGENT_REDIRECT", "https://bank.example/sign", OPEN)).to.deep.equal({
      authorizationType: "USERAGENT_REDIRECT",
      href: { url: "https://bank.example/sign", id: "S-1" },
      method: "GET",
      signInfo: OPEN,
    });
  });

  it("says when to ask again while it is open (R12, A-48)", () => {
    expect(presentSigningOutcome("OPEN", 5000)).to.deep.equal({ state: "OPEN", pollInterval: 5000 });
    for (const state of ["DONE", "REJECT", "CLOSE", "NONE"] as const)
      expect(presentSigningOutcome(state, 5000)).to.deep.equal({ state });
  });
});
