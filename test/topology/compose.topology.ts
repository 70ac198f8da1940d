import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { writeSandboxCertificates } from "../../packages/sandbox/src/certificates/sandbox-certificates.ts";
import { writeProxyFiles } from "../../packages/sandbox/src/proxy/write-proxy-files.ts";
import { PROXIES } from "../../scripts/topology/start-haproxy.ts";
import { ROOT, readComposeFile } from "../sandbox/compose/compose-file.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describe("HAProxy configuration that docker-compose.yml mounts", () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  it("is accepted by HAProxy, with the variables of the container", async () => {
    const certificates = await writeSandboxCertificates(join(folder.path, "certificates"), new Date());
    const files = await writeProxyFiles(join(folder.path, "proxy"), certificates);
    const { environment } = readComposeFile().proxy ?? {};
    const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", ...environment, ...files, SCRIPTS: PROXIES };
    const command = ["-c", "-f", resolve(ROOT, "packages/service-edge/proxies/haproxy.cfg")];
    expect(execFileSync("haproxy", command, { env, encoding: "utf8", stdio: "pipe" })).to.include("valid");
  });
});
