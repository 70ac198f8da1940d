import {
  AlwaysOvertaken,
  DatabaseUnreachable,
  isDatabaseAway,
  isDatabaseUnavailable,
  NoTurn,
} from "@cobs/service-edge";
import { expect } from "chai";
import { RedisUnavailable } from "../../packages/service-edge/src/redis/redis-unavailable.ts";

const deadlock = Object.assign(new Error("deadlock detected"), { code: "40P01" });

describe("what an error says of the database", () => {
  for (const [what, error] of [
    ["a transaction that another one has undone", deadlock],
    ["who waited in vain for the same as many others", new NoTurn(1_500)],
    ["who was overtaken at every try", new AlwaysOvertaken(100)],
  ] as const)
    it(`${what} may come again, and concerns nobody who asks for something else`, () => {
      expect(isDatabaseUnavailable(error)).to.equal(true);
      expect(isDatabaseAway(error)).to.equal(false);
    });

  for (const [what, error] of [
    ["no connection", new DatabaseUnreachable(new Error("connect ECONNREFUSED"))],
    ["Redis that does not answer", new RedisUnavailable("Redis took too long")],
  ] as const)
    it(`${what} concerns everybody`, () => {
      expect(isDatabaseUnavailable(error)).to.equal(true);
      expect(isDatabaseAway(error)).to.equal(true);
    });
});
