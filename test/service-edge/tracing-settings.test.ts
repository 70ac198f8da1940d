import { ConfigurationRefusal, readConfiguration } from "@cobs/service-edge";
import { expect } from "chai";
import {
  parseCollectorHeaders,
  readTracingSettings,
  TRACING_VARIABLES,
  type TracingSettings,
} from "../../packages/service-edge/src/tracing/tracing-settings.ts";

describe("the configuration of traces", () => {
  const read = (headers: string) =>
    readConfiguration<{ readonly tracing: TracingSettings | undefined }>(
      TRACING_VARIABLES,
      { OTEL_TRACES_EXPORTER: "otlp", OTEL_EXPORTER_OTLP_HEADERS: headers },
      (reader) => ({ tracing: () => readTracingSettings(reader) }),
    ).tracing;

  it("reads the headers for the collector, percent-encoded, in which a value may have an equals sign", () => {
    const text = read("authorization=Basic%20a2V5, x-scope = a=b,")?.headers?.reveal() ?? "";
    expect(parseCollectorHeaders(text)).to.deep.equal({ authorization: "Basic a2V5", "x-scope": "a=b" });
  });

  for (const headers of ["authorization=50%", "author ization=key", "key", "a=%0D%0Ab", "=key"])
    it(`refuses headers that could not be sent, without repeating them (${headers})`, () => {
      expect(() => read(headers))
        .to.throw(ConfigurationRefusal, "OTEL_EXPORTER_OTLP_HEADERS: must be name=value,name=value")
        .with.property("message")
        .that.does.not.include(headers);
    });
});
