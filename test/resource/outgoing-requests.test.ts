import { join } from "node:path";
import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import { outgoingCount } from "../support/outgoing-count.ts";
import { type RevocationServer, startRevocationServer } from "../support/revocation-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { type RunningResource, runResource } from "./running-resource.ts";

describe("Durations of what resource asks of others", function outgoingRequests() {
  this.timeout(120_000);
  const folder = temporaryFolder();
  let responder: RevocationServer;
  let resource: RunningResource;
  before(async () => {
    responder = await startRevocationServer();
    const certificates = await responder.issue(join(folder.path, "certificates"));
    const checked = { REVOCATION: "required", REVOCATION_PRIVATE_ADDRESSES: "allowed" };
    resource = await runResource(checked, certificates);
    responder.now = resource.clock.now;
  });
  after(async () => {
    await resource.stop();
    await responder.close();
    folder.remove();
  });
  afterEach(() => {
    resource.auth.write = undefined;
    responder.reset();
  });

  const countOf = (target: string, outcome: string) =>
    outgoingCount(resource.ports.operator, target, outcome);
  const statusWith = async (token: string, certificate?: string) =>
    (await resource.call({ token, ...(certificate && { certificate }) })).status;

  it("are counted by what auth is asked for, and at 0 where it is not asked yet", async () => {
    expect(await statusWith(resource.giveToken())).to.equal(200);
    expect(await countOf("auth_introspection", "answered")).to.equal(1);
    expect(await countOf("auth_keys", "answered")).to.be.above(0);
    await eventually(async () => Number(await countOf("auth_feed", "answered")) > 1);
    for (const target of ["auth_signing", "auth_card_consents"])
      expect(await countOf(target, "failed"), target).to.equal(0);
  });

  it("are counted as failed while auth answers 503", async () => {
    resource.auth.write = () => ({ status: 503, body: "" });
    expect(await statusWith(resource.giveToken())).to.equal(503);
    expect(await countOf("auth_introspection", "failed")).to.equal(1);
  });

  it("are counted for responders and revocation lists, whatever their hosts are", async () => {
    expect(await countOf("ocsp", "answered")).to.be.above(0);
    responder.silent.add("ocsp");
    expect(await statusWith(resource.giveToken("aisp"), "aisp")).to.equal(200);
    expect(await countOf("ocsp", "unanswered")).to.be.above(0);
    expect(await countOf("crl", "answered")).to.be.above(0);
  });
});
