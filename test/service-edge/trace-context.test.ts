import { presentTraceContext, readTraceContext } from "@cobs/service-edge";
import { expect } from "chai";

const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

describe("Trace of a call", () => {
  it("is passed on as it came, with its state (W3C Trace Context 3.2, 3.3)", () => {
    const headers = { traceparent: TRACEPARENT, tracestate: "vendor=1,other=2" };
    expect(presentTraceContext(readTraceContext(headers))).to.deep.equal(headers);
    expect(presentTraceContext(readTraceContext({ traceparent: TRACEPARENT }))).to.deep.equal({
      traceparent: TRACEPARENT,
    });
  });

  it("keeps a state of 512 characters, with tabs in it (W3C Trace Context 3.3.1)", () => {
    const headers = { traceparent: TRACEPARENT, tracestate: `a=1,\t${"x".repeat(507)}` };
    expect(headers.tracestate).to.have.length(512);
    expect(readTraceContext(headers)).to.deep.equal(headers);
  });

  for (const [what, traceparent] of [
    ["is absent", undefined],
    ["has an id of zeros", `00-${"0".repeat(32)}-b7ad6b7169203331-01`],
    ["has a span of zeros", `00-0af7651916cd43dd8448eb211c80319c-${"0".repeat(16)}-01`],
    ["has an unknown version", TRACEPARENT.replace(/^00/, "01")],
    ["is in capitals", TRACEPARENT.toUpperCase()],
    ["came twice", `${TRACEPARENT}, ${TRACEPARENT}`],
    ["is too long", `${TRACEPARENT}-more`],
  ] as const)
    it(`is not taken from a header that ${what} (W3C Trace Context 3.2.2)`, () => {
      const headers = { ...(traceparent && { traceparent }), tracestate: "vendor=1" };
      expect(readTraceContext(headers)).to.equal(undefined);
      expect(presentTraceContext(undefined)).to.deep.equal({});
    });

  for (const [what, tracestate] of [
    ["is longer than 512 characters", `a=${"x".repeat(511)}`],
    ["is empty", ""],
    ["holds a letter beyond ASCII", "a=é"],
    ["holds a control character", "a=\u0007"],
  ] as const)
    it(`is kept without its state when that ${what} (W3C Trace Context 3.3.1)`, () => {
      const context = readTraceContext({ traceparent: TRACEPARENT, tracestate });
      expect(context).to.deep.equal({ traceparent: TRACEPARENT, tracestate: undefined });
    });
});
