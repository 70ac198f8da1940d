import { expect } from "chai";
import { parseEndings } from "../../packages/resource/src/endings/parse-endings.ts";

const EVENT = { position: 1, mark: "m1", kind: "payment_consent", key: "a b" };
const ENDING = { kind: "payment_consent", applicationId: "a", psu: "b" };

const read = (changed: object) =>
  parseEndings(JSON.stringify({ head: 1, events: [{ ...EVENT, ...changed }] }));

describe("an event from auth", () => {
  for (const [what, changed, told] of [
    ["a PSU with a space", { key: "a b c" }, { ending: { ...ENDING, psu: "b c" } }],
    ["the first position", { position: 0 }, { position: 0 }],
    ["no mark, as of an older auth", { mark: undefined }, { mark: undefined }],
  ] as const)
    it(`is read with ${what}`, () => {
      const event = { position: 1, mark: "m1", ending: ENDING };
      expect(read(changed)).to.deep.equal({ head: 1, endings: [{ ...event, ...told }] });
    });

  for (const [what, changed] of [
    ["a payer without a PSU", { key: "a" }],
    ["a payer without an application", { key: " b" }],
    ["a key that is no text", { key: 5 }],
    ["a position before the first", { position: -1 }],
    ["a position that is no whole number", { position: 1.5 }],
    ["a position in a text", { position: "1" }],
    ["a mark that is no text", { mark: 5 }],
    ["null for a mark", { mark: null }],
  ] as const)
    it(`is malformed with ${what}`, () => {
      expect(() => read(changed))
        .to.throw()
        .with.property("code", "events_malformed");
    });
});
