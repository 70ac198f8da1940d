import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect } from "chai";
import { ACCOUNTS, type TestCall } from "../resource/resource-calls.ts";
import { type RunningResource, runResource } from "../resource/running-resource.ts";
import { HISTORY } from "../resource/small-movements.ts";
import { balanceOf, expectErrors, transactionsOf } from "./account-information.ts";
import { CARD_CHECK, checksAt, PAYMENT_CHECK, questionAbout } from "./balance-check.ts";
import { openPayingTpp, PAYMENTS, signingOf } from "./payments.ts";

const RESOURCES = [ACCOUNTS, balanceOf(HISTORY), transactionsOf(HISTORY)];
const REFUSED = [`${ACCOUNTS}?page=x`, balanceOf("nobody"), transactionsOf(HISTORY, "?page=9"), "/nothing"];

describe("COBS 2.0, 3.1.3 headers of account information", () => {
  let resource: RunningResource;
  let token: string;
  before(async () => {
    resource = await runResource();
    token = resource.giveToken();
  });
  after(() => resource.stop());

  const get = (path: string, headers: Record<string, string | string[]> = {}, method = "GET") =>
    resource.call({ token, path, headers, method });

  describe("of every answer", () => {
    for (const path of [...RESOURCES, ...REFUSED]) {
      it(`keep it out of every cache: ${path} (chapter 5)`, async () => {
        const { headers } = await get(path);
        expect(headers).to.include({
          "content-type": "application/json; charset=utf-8",
          "cache-control": "no-store",
          pragma: "no-cache",
          "x-content-type-options": "nosniff",
        });
        for (const name of ["etag", "last-modified", "expires", "set-cookie", "server", "x-powered-by"])
          expect(headers[name], name).to.equal(undefined);
        expect(headers.date).to.be.a("string");
      });

      it(`repeat X-Request-ID and Action-ID: ${path} (1.8)`, async () => {
        const names = { "x-request-id": "6f1c2a5e-1", "action-id": "paging.7" };
        expect((await get(path, names)).headers).to.include(names);
      });
    }

    it("name the language of an answer with texts, and say that it was negotiated (1.2.6)", async () => {
      for (const path of [ACCOUNTS, transactionsOf(HISTORY)]) {
        const { headers } = await get(path, { "accept-language": "en" });
        expect(headers).to.include({ "content-language": "en", vary: "Accept-Language, Accept-Encoding" });
      }
      const { headers } = await get(balanceOf(HISTORY), { "accept-language": "en" });
      expect(headers["content-language"]).to.equal(undefined);
      expect(headers.vary).to.equal("Accept-Encoding");
    });
  });

  describe("HEAD (RFC 9110 section 9.3.2)", () => {
    const COMPARED = [
      "content-type",
      "content-length",
      "content-encoding",
      "content-language",
      "vary",
      "cache-control",
      "pragma",
      "www-authenticate",
    ];
    for (const path of [...RESOURCES, ...REFUSED]) {
      it(`answers as GET does, without a body: ${path}`, async () => {
        for (const encoding of ["identity", "gzip", "br"]) {
          const headers = { "accept-encoding": encoding };
          const [head, whole] = [await get(path, headers, "HEAD"), await get(path, headers)];
          expect(head.status).to.equal(whole.status);
          expect(head.bytes).to.have.length(0);
          for (const name of COMPARED) expect(head.headers[name], name).to.equal(whole.headers[name]);
          expect(Number(whole.headers["content-length"])).to.equal(whole.bytes.length);
        }
      });
    }

    it("is listed in Allow beside GET (RFC 9110 section 10.2.1)", async () => {
      for (const path of RESOURCES) {
        for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
          const answer = await get(path, {}, method);
          expectErrors(answer, 405, { error: "NARR" });
          expect(String(answer.headers.allow).split(", ").sort()).to.deep.equal(["GET", "HEAD"]);
        }
      }
    });
  });

  describe("Accept-Encoding (RFC 9110 section 12.5.3)", () => {
    for (const [coding, read] of [
      ["gzip", gunzipSync],
      ["br", brotliDecompressSync],
    ] as const) {
      it(`compresses a long answer with ${coding}, and changes nothing in it`, async () => {
        const [plain, encoded] = [
          await get(transactionsOf(HISTORY)),
          await get(transactionsOf(HISTORY), { "accept-encoding": coding }),
        ];
        expect(encoded.headers["content-encoding"]).to.equal(coding);
        expect(encoded.bytes.length).to.be.below(plain.bytes.length / 2);
        expect(read(encoded.bytes).toString("utf8")).to.equal(plain.body);
      });
    }

    it("compresses neither a short answer nor one that nobody asked to compress", async () => {
      const short = await get(transactionsOf("psu-many-04"), { "accept-encoding": "gzip, br" });
      expect(short.headers["content-encoding"]).to.equal(undefined);
      for (const encoding of ["", "identity", "gzip;q=0", "*;q=0", "deflate", "x, ,;q="]) {
        const answer = await get(transactionsOf(HISTORY), { "accept-encoding": encoding });
        expect(answer.status).to.equal(200);
        expect(answer.headers["content-encoding"]).to.equal(undefined);
      }
    });
  });

  describe("that the TPP may send (3.1.3, A-11, A-18)", () => {
    it("have no effect if they are merely informative", async () => {
      const told = {
        "api-key": "00000000-1212-0f0f-a0a0-123456789abc",
        "content-type": "application/json",
        date: "1568452389",
        "user-ip-address": "192.0.2.1",
        "user-ip-port": "65536",
        "user-device-os": "x".repeat(500),
        "user-user-agent": "Mozilla",
        "user-timestamp": "never",
        "user-geo-location": "GEO:91;181",
        "user-device-id": "1",
        signature: "none",
        digest: "SHA-256=x",
        "tpp-signature-certificate": "x",
      };
      for (const path of RESOURCES) {
        const answer = await get(path, told);
        expect(answer.status).to.equal(200);
        expect(JSON.parse(answer.body)).to.have.any.keys("accounts", "balances", "transactions");
      }
    });

    for (const involved of ["true", "false", "TRUE", "False"]) {
      it(`include User-Involved: ${involved}`, async () => {
        expect((await get(balanceOf(HISTORY), { "user-involved": involved })).status).to.equal(200);
      });
    }

    for (const involved of ["", "1", "yes", "true,true", "null"]) {
      it(`do not include User-Involved: ${JSON.stringify(involved)}, which is refused by name`, async () => {
        for (const path of RESOURCES)
          expectErrors(await get(path, { "user-involved": involved }), 400, {
            error: "PARAMETER_INVALID",
            scope: "User-Involved",
          });
      });
    }

    it("are refused by name if sent twice, together with everything else that is wrong (1.2.10.1)", async () => {
      const twice = {
        "user-involved": ["true", "true"],
        "tpp-name": ["a", "b"],
        "tpp-identification": ["a", "b"],
      };
      const told = ["User-Involved", "TPP-Name", "TPP-Identification", "page"].map((scope) => ({
        error: "PARAMETER_INVALID",
        scope,
      }));
      const call = { token: resource.giveToken(), headers: twice };
      expectErrors(await resource.call({ ...call, path: `${ACCOUNTS}?page=x` }), 400, ...told);
      const unknown = `${ACCOUNTS}/nobody/balance`;
      expectErrors(await resource.call({ ...call, path: unknown }), 404, {
        error: "ID_NOT_FOUND",
        scope: "id",
      });
    });

    it("are named in a fault as the standard writes them: Content-Type (1.2.4)", async () => {
      const type = ["application/json", "application/json"];
      const answer = await resource.call({
        token: resource.giveToken(),
        path: ACCOUNTS,
        headers: { "content-type": type },
      });
      expectErrors(answer, 400, { error: "PARAMETER_INVALID", scope: "Content-Type" });
    });

    it("put TPP-Name and TPP-Identification into the log alone, cut and cleaned (A-12)", async () => {
      const name = Buffer.from(`Hvězda\u202e, a.s.\t ${"x".repeat(200)}`, "utf8").toString("latin1");
      await get(ACCOUNTS, { "tpp-name": name, "tpp-identification": "CZ013574-15" });
      const { tppName, tppIdentification } = resource.lastCall();
      expect(tppName).to.match(/^Hvězda , a\.s\. {1,2}x+$/);
      expect(tppName).to.have.length(70);
      expect(tppIdentification).to.equal("CZ013574-15");
    });

    it("are logged also if the call is refused, with who called", async () => {
      await get(balanceOf("nobody"), { "tpp-name": "Star corporation, a.s." });
      expect(resource.lastCall()).to.include({
        status: 404,
        refusal: "ID_NOT_FOUND",
        tppName: "Star corporation, a.s.",
        consentId: "consent-1",
        organisationIdentifier: resource.tpp("aisp-pisp").organisationIdentifier,
      });
    });

    it("tell the log whether the PSU was said to be present (RTS Articles 29(1), 36(5))", async () => {
      for (const involved of ["true", "false"]) {
        expect((await get(ACCOUNTS, { "user-involved": involved })).status).to.equal(200);
        expect(resource.lastCall().unattended).to.equal(involved === "false");
      }
    });

    it("need not include TPP-Name (A-12)", async () => {
      expect((await get(ACCOUNTS)).status).to.equal(200);
      expect(resource.lastCall()).not.to.have.property("tppName");
    });
  });
});

describe("COBS 2.0, 3.1.3 calls where TPP-Name is required (A-12)", () => {
  let resource: RunningResource;
  before(async () => {
    resource = await runResource({ TPP_NAME: "required" });
  });
  after(() => resource.stop());

  const get = (path: string, headers: Record<string, string | string[]> = {}) =>
    resource.call({ token: resource.giveToken(), path, headers });

  it("with it are accepted", async () => {
    for (const path of RESOURCES)
      expect((await get(path, { "tpp-name": "Star corporation, a.s." })).status).to.equal(200);
  });

  it("without it are refused, together with everything else that is wrong", async () => {
    const missing = { error: "PARAMETER_INVALID", scope: "TPP-Name" };
    for (const path of RESOURCES) {
      expectErrors(await get(path), 400, missing);
      expectErrors(await get(path, { "tpp-name": "  " }), 400, missing);
      expectErrors(await get(path, { "tpp-name": ["a", "b"] }), 400, missing);
    }
    const page = { error: "PARAMETER_INVALID", scope: "page" };
    expectErrors(await get(`${ACCOUNTS}?page=x`), 400, missing, page);
    expectErrors(await get(transactionsOf(HISTORY, "?page=x")), 400, missing, page);
  });

  it("do not reveal the requirement to a stranger", async () => {
    expectErrors(await resource.call({ path: ACCOUNTS }), 401, { error: "UNAUTHORISED" });
  });

  it("must include it for payments and their authorizations too, but not to delete one (3.2.3 to 3.2.11)", async () => {
    const named = { headers: { "tpp-name": "Star corporation, a.s." } };
    const tpp = await openPayingTpp(resource);
    const entered = await tpp.send("POST", PAYMENTS, tpp.order(), named);
    expect(entered.status, entered.body).to.equal(200);
    const { transactionIdentification: paymentId, signInfo } = JSON.parse(entered.body);
    const payment = `${PAYMENTS}/${paymentId}`;
    const signing = signingOf({ paymentId, signId: signInfo.signId });
    const step = { authorizationType: "USERAGENT_REDIRECT" };
    const question = questionAbout(HISTORY);
    const calls = [
      ["POST", PAYMENT_CHECK, question],
      ["POST", PAYMENTS, tpp.order()],
      ["GET", `/cobs/2.0/payments/${paymentId}/status`],
      ["GET", payment],
      ["POST", `${payment}/sign`],
      ["GET", signing],
      ["POST", signing, step],
      ["PUT", signing, step],
    ] as const;
    for (const [method, path, body] of calls) {
      const ask = (given: TestCall) =>
        body === undefined ? tpp.call({ ...given, method, path }) : tpp.send(method, path, body, given);
      expectErrors(await ask({}), 400, { error: "PARAMETER_INVALID", scope: "TPP-Name" });
      const answer = await ask(named);
      expect(answer.status, `${method} ${path} ${answer.body}`).to.equal(200);
    }
    expect((await tpp.call({ method: "DELETE", path: payment })).status).to.equal(200);
  });

  it("need not include it to check the balance for a card (3.3.3)", async () => {
    const checks = checksAt(resource);
    checks.agree(HISTORY);
    const answer = await checks.ask(CARD_CHECK, questionAbout(HISTORY));
    expect(answer.status, answer.body).to.equal(200);
  });
});
