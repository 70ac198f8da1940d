import { ContentRefusal, type Fault } from "@cobs/cobs-model";
import { expect } from "chai";
import { presentError } from "../../packages/resource/src/http/present-error.ts";

const CALL = { requestId: "1", method: "GET", path: "/", acceptLanguage: undefined };
const fault = (code: Fault["code"], path: string): Fault => ({ code, path, message: "wrong" });

describe("faults of several statuses (COBS 1.2.10.1)", () => {
  const told = (...faults: readonly Fault[]) => {
    const { answer } = presentError(new ContentRefusal(faults), CALL);
    const { errors } = JSON.parse(JSON.stringify(answer.json));
    return [answer.status, ...errors.map(({ error }: { readonly error: string }) => error)];
  };
  const [wrong, date] = [fault("PARAMETER_INVALID", "page"), fault("DT01", "toDate")];

  it("are reported together when they share one status", () => {
    expect(told(wrong, date)).to.deep.equal([400, "PARAMETER_INVALID", "DT01"]);
  });

  it("are reported only for the first status of 401, 403, 404 and 400", () => {
    const [unknown, forbidden] = [fault("ID_NOT_FOUND", "id"), fault("AG01", "id")];
    expect(told(wrong, unknown, date)).to.deep.equal([404, "ID_NOT_FOUND"]);
    expect(told(wrong, unknown, forbidden)).to.deep.equal([403, "AG01"]);
    expect(told(forbidden, fault("UNAUTHORISED", "id"))).to.deep.equal([401, "UNAUTHORISED"]);
  });
});
