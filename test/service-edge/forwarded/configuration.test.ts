import {
  type ClientCertificateSource,
  ConfigurationRefusal,
  edgeVariables,
  readConfiguration,
  readEdge,
} from "@cobs/service-edge";
import { expect } from "chai";

const VARIABLES = edgeVariables({
  mutualTlsPort: "1",
  bankPort: "2",
  operatorPort: "3",
  bankCallers: "machine=feed",
});

function sourceOf(environment: Readonly<Record<string, string>>): ClientCertificateSource {
  return readConfiguration<{ readonly source: ClientCertificateSource }>(VARIABLES, environment, (read) => ({
    source: () => readEdge(read).clientCertificateSource(),
  })).source;
}

describe("Source of TPP certificates", () => {
  it("is TLS by default", () => {
    expect(sourceOf({})).to.deep.equal({ kind: "tls" });
    expect(sourceOf({ CLIENT_CERTIFICATE_SOURCE: "tls" })).to.deep.equal({ kind: "tls" });
  });

  for (const format of ["rfc9440", "nginx", "envoy"])
    it(`is the header of ${format} when configured, from the named proxies`, () => {
      expect(sourceOf({ CLIENT_CERTIFICATE_SOURCE: format, PROXY_NAMES: "a, b" })).to.deep.equal({
        kind: "forwarded",
        format,
        proxies: new Set(["a", "b"]),
      });
    });

  it("is refused without both a known format and the names of its proxies", () => {
    for (const half of [
      { CLIENT_CERTIFICATE_SOURCE: "rfc9440" },
      { CLIENT_CERTIFICATE_SOURCE: "nginx", PROXY_NAMES: " , " },
      { PROXY_NAMES: "proxy.bank" },
      { CLIENT_CERTIFICATE_SOURCE: "X-SSL-Cert", PROXY_NAMES: "proxy.bank" },
      { CLIENT_CERTIFICATE_SOURCE: "rfc9440,nginx", PROXY_NAMES: "proxy.bank" },
    ])
      expect(() => sourceOf(half), JSON.stringify(half)).to.throw(ConfigurationRefusal);
  });

  it("must not be a proxy that may also call the bank listener", () => {
    const both = { CLIENT_CERTIFICATE_SOURCE: "nginx", PROXY_NAMES: "proxy.bank, other.bank" };
    expect(() => sourceOf({ ...both, BANK_CALLERS: "machine=feed;other.bank=operator" })).to.throw(
      ConfigurationRefusal,
      "other.bank is in PROXY_NAMES and in BANK_CALLERS",
    );
    expect(sourceOf({ ...both, BANK_CALLERS: "machine=feed;bank=operator" })).to.include({ format: "nginx" });
  });
});
