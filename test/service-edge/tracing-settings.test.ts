import { ConfigurationRefusal, readConfiguration } from "@cobs/service-edge";
import { expect } from "chai";
import {
  parseCollectorHeaders,
  readTracingSettings,
  TRACING_VARIABLES,
  type TracingSettings,
} from "../../packages/service-edge/src/tracing/tracing-settings.ts";

describe("Tracing configuration", () => {
  const read = (headers: string) =>
    readConfiguration<{ readonly tracing: TracingSettings | undefined }>(
      TRACING_VARIABLES,
      { OTEL_TRACES_EXPORTER: "otlp", OTEL_EXPORTER_OTLP_HEADERS: headers },
      (reader) => ({ tracing: () => readTracingSettings(reader) }),
    ).tracing;

  it("reads percent-encoded headers for the collector, whose values may have an equals sign", () => {
    const text = read("authorization=Basic%20a2V5, x-scope = a=b,")?.headers?.reveal() ?? "";
    expect(parseCollectorHeaders(text)).to.deep.equal({ authorization: "Basic a2V5", "x-scope": "a=b" });
  });

  it("reads the share of traced calls, from 0 to 1, and refuses any other notation", () => {
    const ratioOf = (OTEL_TRACES_SAMPLER_ARG: string) =>
      readConfiguration<{ readonly tracing: TracingSettings | undefined }>(
        TRACING_VARIABLES,
        { OTEL_TRACES_EXPORTER: "otlp", OTEL_TRACES_SAMPLER_ARG },
        (reader) => ({ tracing: () => readTracingSettings(reader) }),
      ).tracing?.ratio;
    for (const ratio of ["0", "1", "1.0", "0.25"]) expect(ratioOf(ratio)).to.equal(Number(ratio));
    for (const ratio of ["1.01", "2", "-0.1", ".5", "1.", "1e-1", "10", "half", " 1"])
      expect(() => ratioOf(ratio), ratio).to.throw(
        ConfigurationRefusal,
        "OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1",
      );
  });

  it("sends nothing unless told to, but reports unreadable values all the same", () => {
    const traced = (environment: Record<string, string>) =>
      readConfiguration<{ readonly tracing: TracingSettings | undefined }>(
        TRACING_VARIABLES,
        environment,
        (reader) => ({ tracing: () => readTracingSettings(reader) }),
      ).tracing;
    const somewhere = { OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector" };
    expect(traced(somewhere)).to.equal(undefined);
    expect(traced({ OTEL_TRACES_EXPORTER: "otlp", ...somewhere })?.endpoint.href).to.equal(
      "https://collector/",
    );
    for (const [name, value] of [
      ["OTEL_TRACES_EXPORTER", "console"],
      ["OTEL_EXPORTER_OTLP_ENDPOINT", "ftp://collector"],
      ["OTEL_TRACES_SAMPLER", "sometimes"],
    ] as const)
      expect(() => traced({ [name]: value })).to.throw(ConfigurationRefusal, name);
  });

  for (const headers of ["authorization=50%", "author ization=key", "key", "a=%0D%0Ab", "=key"])
    it(`refuses headers that could not be sent, without repeating them (${headers})`, () => {
      expect(() => read(headers))
        .to.throw(ConfigurationRefusal, "OTEL_EXPORTER_OTLP_HEADERS: must be name=value,name=value")
        .with.property("message")
        .that.does.not.include(headers);
    });
});
