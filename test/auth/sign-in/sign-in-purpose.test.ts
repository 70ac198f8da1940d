import { expect } from "chai";
import {
  createReturnState,
  findReturnPurpose,
  placeOf,
  type SignInPurpose,
} from "../../../packages/auth/src/sign-in/sign-in-purpose.ts";

const PURPOSES: readonly SignInPurpose[] = [
  { kind: "authorization", uid: "3zQ1wJ8v0m5Yx2Tn7Lk4R" },
  { kind: "consents" },
  { kind: "authenticator" },
  { kind: "signing", id: "order-1_x" },
];

describe("The state parameter of a sign-in elsewhere", () => {
  it("leads back to where the sign-in began, and is never the same", () => {
    for (const purpose of PURPOSES) {
      expect(findReturnPurpose(createReturnState(purpose))).to.deep.equal(purpose);
      expect(createReturnState(purpose)).to.not.equal(createReturnState(purpose));
    }
  });

  it("leads to places of ours alone (UI-07)", () => {
    const strange = [
      "",
      "consents",
      "consents..",
      "consents.x.abc",
      "signing..abc",
      "signing.a/b.abc",
      "signing.../x.abc",
      "authorization.%2f%2fevil.example.abc",
      "https://evil.example",
      "elsewhere..abc",
      "consents..abc.more",
      `signing.${"x".repeat(129)}.abc`,
    ];
    for (const state of strange) expect(findReturnPurpose(state), state).to.equal(undefined);
  });

  it("stays within the path of its place, whatever id it names", () => {
    expect(placeOf({ kind: "signing", id: "../consents?x#y" })).to.equal("/sign/..%2Fconsents%3Fx%23y");
  });
});
