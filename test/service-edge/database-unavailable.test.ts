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

const withCode = (code: unknown, message = "it failed") => Object.assign(new Error(message), { code });

/** What node-postgres says of a connection that it has not, or has no longer; none of these has a code. */
const MESSAGES = [
  "timeout exceeded when trying to connect",
  "timeout expired",
  "Connection terminated unexpectedly",
  "Connection terminated due to connection timeout",
  "Query read timeout",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
];

describe("Classification of database errors", () => {
  for (const code of [
    ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"],
    ...["ENETUNREACH", "ENOENT", "57014", "55P03", "25P03", "25P04", "25006", "58030"],
    ...["08000", "08006", "08P01", "53100", "53200", "53300", "57P01", "57P02", "57P03", "57P05"],
  ])
    it(`takes code ${code} as an outage for everybody`, () => {
      expect([isDatabaseUnavailable(withCode(code)), isDatabaseAway(withCode(code))]).to.deep.equal([
        true,
        true,
      ]);
    });

  for (const message of MESSAGES)
    it(`takes the message "${message}" as an outage for everybody`, () => {
      expect(isDatabaseAway(new Error(message))).to.equal(true);
    });

  for (const [what, error] of [
    ["a row that is there already", withCode("23505")],
    ["a mistake of ours", withCode("42601")],
    ["a number that is too large", withCode("22003")],
    ["a code that holds such a code further on", withCode("25357")],
    ["a code that is not a string", withCode(57_014)],
    ["an error without a code", new Error("it failed")],
    ["a value that is not an error", { code: "57P01", message: MESSAGES[0] }],
    ["an undefined value", undefined],
  ] as const)
    it(`does not take ${what} as an outage`, () => {
      expect([isDatabaseUnavailable(error), isDatabaseAway(error)]).to.deep.equal([false, false]);
    });

  for (const [what, error] of [
    ["a transaction undone by a deadlock", deadlock],
    ["a call that got no turn", new NoTurn(1_500)],
    ["a call that was overtaken at every try", new AlwaysOvertaken(100)],
  ] as const)
    it(`takes ${what} as a failure of that call alone, which may be repeated`, () => {
      expect(isDatabaseUnavailable(error)).to.equal(true);
      expect(isDatabaseAway(error)).to.equal(false);
    });

  for (const [what, error] of [
    ["a failed connection", new DatabaseUnreachable(new Error("connect ECONNREFUSED"))],
    ["Redis that does not answer", new RedisUnavailable("Redis took too long")],
  ] as const)
    it(`takes ${what} as an outage for everybody`, () => {
      expect(isDatabaseUnavailable(error)).to.equal(true);
      expect(isDatabaseAway(error)).to.equal(true);
    });
});
