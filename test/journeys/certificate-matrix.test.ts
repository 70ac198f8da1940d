import { defects } from "../../packages/sandbox/src/certificates/defects.ts";
import { oddities } from "../../packages/sandbox/src/certificates/oddities.ts";
import { ASKING, type MatrixCalls, matrixCalls } from "../resource/matrix-calls.ts";
import { type RunningResource, runResource } from "../resource/running-resource.ts";
import { type CertificateMatrix, issueCertificateMatrix } from "../support/certificate-matrix.ts";

describe("Direct TLS with revocation required", function matrix() {
  this.timeout(120_000);
  let resource: RunningResource;
  let certificates: CertificateMatrix;
  let calls: MatrixCalls;

  before(async () => {
    resource = await runResource(ASKING);
    certificates = await issueCertificateMatrix(resource.certificates);
    calls = matrixCalls(resource, certificates, resource.ports.mutualTls);
  });
  after(async () => {
    await resource?.stop();
    await certificates?.close();
  });

  it("accepts the certificate from which every defect and oddity starts", () =>
    calls.expectAccepted("aisp-pisp"));

  for (const { name, code, wrong, clause } of defects.filter(({ carriedBy }) => carriedBy === "tls"))
    it(`refuses ${name} with ${code}: ${wrong} (${clause})`, () => calls.expectRefused(name, code));

  for (const { name, odd, clause } of oddities)
    it(`accepts ${name}: ${odd} (${clause})`, () => calls.expectAccepted(name));
});
