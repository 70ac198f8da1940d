import { expect } from "chai";
import { openCallbackListener } from "../../../packages/sandbox/src/tpp/callback-listener.ts";
import { TppRefusal } from "../../../packages/sandbox/src/tpp/tpp-refusal.ts";
import { rejectionOf } from "../../support/rejection.ts";

const REDIRECT_URI = "https://tpp.example/callback";
const NOWHERE = { port: 1, certificate: "/nowhere", key: "/nowhere" };

describe("A command that waits for a browser", () => {
  async function hintOf(isPlayable: boolean): Promise<string> {
    const refusal = await rejectionOf(
      openCallbackListener(NOWHERE, { redirectUri: REDIRECT_URI, isPlayable }),
    );
    if (!(refusal instanceof TppRefusal)) throw refusal;
    return refusal.hint ?? "";
  }

  it("says what else to do when the browser returns to another machine", async () => {
    expect(await hintOf(true)).to.equal(
      "Play the PSU with --psu, or register an application whose --redirect-uri is at localhost.",
    );
  });

  it("does not name --psu where the sandbox can play no PSU", async () => {
    expect(await hintOf(false)).to.equal("Register an application whose --redirect-uri is at localhost.");
  });
});
