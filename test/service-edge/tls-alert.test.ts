import { describeTlsAlert } from "@cobs/service-edge";
import { expect } from "chai";

describe("TLS alerts in the operator's log (RFC 8446 section 6.2)", () => {
  const of = (code: string) => describeTlsAlert(Object.assign(new Error("0A:error:…"), { code }));

  it("are named, with what they say of our certificate, by each of OpenSSL's names for the protocol", () => {
    const refusal = "it refused TLS with the alert bad_certificate: it does not accept our certificate";
    expect(of("ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE")).to.equal(refusal);
    expect(of("ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE"), "from OpenSSL 3.2 on").to.equal(refusal);
    expect(of("ERR_SSL_TLSV1_ALERT_UNKNOWN_CA")).to.match(/unknown_ca: it does not trust the authority/);
    expect(of("ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED")).to.match(/certificate_required: it demands/);
    expect(of("ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR")).to.match(/the alert internal_error$/);
  });

  it("are told apart from all other faults", () => {
    for (const code of ["ECONNRESET", "ERR_SSL_WRONG_VERSION_NUMBER", "CERT_HAS_EXPIRED"])
      expect(of(code)).to.equal(undefined);
    expect(describeTlsAlert("ERR_SSL_TLSV1_ALERT_UNKNOWN_CA")).to.equal(undefined);
  });
});
