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

describe("the state of a way elsewhere and back", () => {
  it("leads back to the place where it began, and is never the same", () => {
    for (const purpose of PURPOSES) {
      expect(findReturnPurpose(createReturnState(purpose))).to.deep.equal(purpose);
      expect(createReturnState(purpose)).to.not.equal(createReturnState(purpose));
    }
  });

  it("leads nowhere but to places of ours (UI-07)", () => {
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

  it("keeps to the path of the place, whatever the name in it", () => {
    expect(placeOf({ kind: "signing", id: "../consents?x#y" })).to.equal("/sign/..%2Fconsents%3Fx%23y");
  });
});
