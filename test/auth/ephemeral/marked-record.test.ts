import { generateKeySync } from "node:crypto";
import { expect } from "chai";
import { parseRecord, presentRecord } from "../../../packages/auth/src/ephemeral/marked-record.ts";

const [ours, other] = [0, 1].map(() => generateKeySync("hmac", { length: 256 }));

describe("A marked record in a store where others may write", () => {
  const key = { kind: "PsuSession", hash: Buffer.alloc(32, 1) };
  const record = { uid: "u", payload: { psu: "jana" } };
  const foreign: string[] = [];
  const parse = (text: string, at = key) =>
    ours && parseRecord({ key: ours, onForeign: (kind) => void foreign.push(kind) }, at, text);
  const present = (by = ours) => (by === undefined ? "" : presentRecord(by, key, record));

  it("is read back as it was written", () => {
    expect(parse(present())).to.deep.equal(record);
    expect(foreign).to.deep.equal([]);
  });

  for (const [what, text, at] of [
    ["under another id", present(), { ...key, hash: Buffer.alloc(32, 2) }],
    ["under another kind", present(), { ...key, kind: "PsuStay" }],
    ["with another PSU", present().replace("jana", "petr"), key],
    ["under another key", present(other), key],
    ["without a mark", JSON.stringify(record), key],
    ["empty", "", key],
  ] as const)
    it(`is ignored and reported when it is found ${what}`, () => {
      foreign.length = 0;
      expect(parse(text, at)).to.equal(undefined);
      expect(foreign).to.deep.equal([at.kind]);
    });
});
