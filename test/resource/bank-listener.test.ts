import { readFileSync } from "node:fs";
import type { KeyPairFiles } from "@cobs/service-edge";
import { expect } from "chai";
import { type RawAnswer, send } from "../support/raw-https.ts";
import { type RunningResource, runResource } from "./running-resource.ts";
import { MANY, ONE } from "./small-bank.ts";

describe("the bank listener of the resource server", () => {
  let resource: RunningResource;
  before(async () => {
    resource = await runResource();
  });
  after(() => resource.stop());

  function ask(path: string, caller: KeyPairFiles | undefined, method = "GET"): Promise<RawAnswer> {
    return send({
      port: resource.ports.bank,
      method,
      path,
      ca: readFileSync(resource.certificates.privateCaFile),
      ...(caller && { cert: readFileSync(caller.certificateFile), key: readFileSync(caller.keyFile) }),
      headers: { host: "localhost:9444" },
    });
  }

  it("gives auth a PSU's accounts with names in both languages", async () => {
    const answer = await ask(`/bank/psus/${ONE}/accounts`, resource.certificates.bank.auth);
    expect(answer.status).to.equal(200);
    const { accounts } = JSON.parse(answer.body);
    expect(accounts).to.have.length(1);
    expect(accounts[0]).to.have.all.keys("id", "iban", "number", "bankCode", "currency", "names", "products");
    expect(accounts[0]).to.deep.include({
      id: `${ONE}-01`,
      bankCode: "9900",
      names: { cs: "Účet 35", en: "Account 64" },
      products: { cs: "Osobní konto", en: "Personal account" },
    });
  });

  it("returns all accounts at once, without pages", async () => {
    const answer = await ask(`/bank/psus/${MANY}/accounts`, resource.certificates.bank.auth);
    expect(JSON.parse(answer.body).accounts).to.have.length(35);
  });

  it("returns no accounts for a PSU that the bank does not know", async () => {
    const answer = await ask("/bank/psus/nobody/accounts", resource.certificates.bank.auth);
    expect(answer.status).to.equal(200);
    expect(JSON.parse(answer.body)).to.deep.equal({ accounts: [] });
  });

  it("accepts no call without a certificate of the private CA", async () => {
    const { tpp } = resource.certificates;
    for (const caller of [undefined, tpp[0]]) {
      const error = await ask(`/bank/psus/${ONE}/accounts`, caller).catch((failure: Error) => failure);
      expect(error).to.be.instanceOf(Error);
    }
  });

  it("refuses a caller that the configuration does not name", async () => {
    for (const caller of [resource.certificates.bank.operator, resource.certificates.bank.resource]) {
      const answer = await ask(`/bank/psus/${ONE}/accounts`, caller);
      expect(answer.status).to.equal(403);
      expect(answer.headers["content-type"]).to.match(/^application\/problem\+json/);
    }
  });

  it("refuses a malformed PSU identifier", async () => {
    const answer = await ask("/bank/psus/a%20b/accounts", resource.certificates.bank.auth);
    expect(answer.status).to.equal(400);
  });

  it("names the allowed methods when another is used (RFC 9110 15.5.6)", async () => {
    const answer = await ask(`/bank/psus/${ONE}/accounts`, resource.certificates.bank.auth, "DELETE");
    expect([answer.status, answer.headers.allow]).to.deep.equal([405, "HEAD, GET"]);
  });

  it("serves nothing of the API, and answers other paths with problem details (RFC 9457)", async () => {
    for (const path of ["/cobs/2.0/my/accounts", "/bank/psus", "/bank/psus//accounts"]) {
      const answer = await ask(path, resource.certificates.bank.auth);
      expect(answer.status).to.equal(404);
      expect(JSON.parse(answer.body)).to.include({ status: 404 });
    }
  });
});
