import { PrivateServiceUnavailable } from "@cobs/service-edge";
import { expect } from "chai";
import {
  createUpstreamProvider,
  type UpstreamProvider,
} from "../../../../packages/auth/src/psu/upstream/upstream-provider.ts";
import { eventually } from "../../../support/eventually.ts";
import { type MovableClock, movableClock } from "../../../support/movable-clock.ts";
import { readableLog } from "../../../support/readable-log.ts";
import { rejectionOf } from "../../../support/rejection.ts";
import { settingsOf } from "./hand-made-upstream.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const ISSUER = "https://login.bank.example";

describe("Metadata of the bank's OpenID provider", () => {
  let clock: MovableClock;
  let provider: UpstreamProvider;
  let asked: number;
  let isAway: boolean;
  /** What an answer waits for. */
  let held: Promise<void>;
  beforeEach(async () => {
    clock = movableClock();
    asked = 0;
    isAway = false;
    held = Promise.resolve();
    provider = createUpstreamProvider({
      settings: await settingsOf(ISSUER),
      clock,
      log: readableLog().log,
      fetch: async () => {
        asked += 1;
        await held;
        if (isAway) throw new PrivateServiceUnavailable("the bank", { cause: new Error("away") });
        const endpoints = { authorization_endpoint: `${ISSUER}/authorize`, jwks_uri: `${ISSUER}/jwks` };
        return Response.json({ issuer: ISSUER, token_endpoint: `${ISSUER}/token/${asked}`, ...endpoints });
      },
    });
  });

  /** Which description it is, by when it was asked for. */
  const described = async () => (await provider()).serverMetadata().token_endpoint?.slice(-2);

  it("is used for five minutes, and then renewed without a sign-in waiting for it", async () => {
    expect(await described()).to.equal("/1");
    clock.advance(5 * MINUTE - 1);
    expect([await described(), asked]).to.deep.equal(["/1", 1]);
    clock.advance(1);
    expect([await described(), asked], "nobody waits for it").to.deep.equal(["/1", 2]);
    await eventually(async () => (await described()) === "/2");
    expect(asked).to.equal(2);
  });

  it("is used for an hour when it cannot be renewed, and no longer", async () => {
    await described();
    isAway = true;
    clock.advance(60 * MINUTE - 1);
    expect(await described()).to.equal("/1");
    clock.advance(1);
    expect(await rejectionOf(provider())).to.be.instanceOf(PrivateServiceUnavailable);
    isAway = false;
    clock.advance(2 * SECOND);
    expect(await described()).to.equal("/3");
  });

  it("is requested once in two seconds, however many sign in while the provider is away", async () => {
    isAway = true;
    const rejected = () => Promise.all(Array.from({ length: 10 }, () => rejectionOf(provider())));
    await rejected();
    clock.advance(2 * SECOND - 1);
    await rejected();
    expect(asked).to.equal(1);
    clock.advance(1);
    await rejected();
    expect(asked).to.equal(2);
  });

  it("is not requested again while an answer is awaited, however long that takes", async () => {
    let answer = () => {};
    held = new Promise((resolve) => {
      answer = resolve;
    });
    const waiting = [described()];
    clock.advance(3 * SECOND);
    waiting.push(described());
    expect(asked).to.equal(1);
    answer();
    expect(await Promise.all(waiting)).to.deep.equal(["/1", "/1"]);
  });
});
