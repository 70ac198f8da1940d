import { DatabaseUnreachable, isDatabaseAway, isDatabaseUnavailable, NoTurn } from "@cobs/service-edge";
import { expect } from "chai";

const deadlock = Object.assign(new Error("deadlock detected"), { code: "40P01" });

describe("what an error says of the database", () => {
  for (const [what, error] of [
    ["a transaction that another one has undone", deadlock],
    ["who waited in vain for the same as many others", new NoTurn(1_500)],
  ] as const)
    it(`${what} may come again, and concerns nobody who asks for something else`, () => {
      expect(isDatabaseUnavailable(error)).to.equal(true);
      expect(isDatabaseAway(error)).to.equal(false);
    });

  it("no connection concerns everybody", () => {
    const error = new DatabaseUnreachable(new Error("connect ECONNREFUSED"));
    expect(isDatabaseUnavailable(error)).to.equal(true);
    expect(isDatabaseAway(error)).to.equal(true);
  });
});
