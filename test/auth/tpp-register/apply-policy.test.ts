import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import { expect } from "chai";
import { applyPolicy, type RegisterBlocks } from "../../../packages/auth/src/tpp-register/apply-policy.ts";
import { rejectionOf } from "../../support/rejection.ts";

describe("The policy of the TPP register", () => {
  it("fails when the stop list has no room for a TPP whose authorisation was withdrawn", async () => {
    const tpp = parseOrganisationIdentifier("PSDCZ-CNB-99000011");
    const stopList: RegisterBlocks = {
      activeOfRegister: async () => [],
      block: async () => ({ result: "list_full" }),
      release: async () => undefined,
    };
    const failure = await rejectionOf(applyPolicy(stopList, new Map([[tpp, "withdrawn"]])));
    expect(failure.message).to.equal(`the stop list has no room for ${tpp}`);
  });
});
