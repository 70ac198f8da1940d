import { expect } from "chai";
import { eventually } from "../../support/eventually.ts";
import { rejectionOf } from "../../support/rejection.ts";
import { JSON_BODY } from "../test-application.ts";
import { type OperatorScene, openOperatorScene } from "./operator-scene.ts";

const ORDER = JSON.stringify({ reason: "r" });
const ROUTES: readonly (readonly [method: "GET" | "POST", path: string])[] = [
  ["GET", "/tpps"],
  ["GET", "/tpps/PSDCZ-CNB-1"],
  ["GET", "/applications"],
  ["GET", "/applications/a"],
  ["POST", "/applications/a/end"],
  ["GET", "/consents"],
  ["GET", "/consents/AAAAAAAAAAAAAAAAAAAAAA"],
  ["POST", "/consents/AAAAAAAAAAAAAAAAAAAAAA/end"],
  ["GET", "/card-consents"],
  ["POST", "/card-consents"],
  ["POST", "/card-consents/AAAAAAAAAAAAAAAAAAAAAA/end"],
  ["GET", "/tokens?application=a"],
  ["POST", "/tokens/revoke"],
  ["GET", "/psus/psu-jana"],
  ["POST", "/psus/psu-jana/block"],
  ["POST", "/psus/psu-jana/release"],
  ["GET", "/stop-list"],
  ["GET", "/stop-list/history"],
  ["POST", "/stop-list"],
  ["POST", "/stop-list/release"],
  ["GET", "/keys"],
  ["POST", "/keys"],
  ["POST", "/keys/x/drop"],
  ["GET", "/audit"],
  ["GET", "/audit/check"],
  ["GET", "/audit/export"],
  ["GET", "/audit/archivable"],
  ["POST", "/audit/archive"],
  ["POST", "/redis/turn-epoch"],
  ["GET", "/refusals/x"],
];

describe("The right of operators", function operatorRights() {
  this.timeout(120_000);
  let scene: OperatorScene;
  before(async () => {
    scene = await openOperatorScene();
  });
  after(() => scene.stop());

  const call = (method: string, path: string) => ({
    method,
    path: `/operator${path}`,
    ...(method === "POST" && { headers: JSON_BODY, body: ORDER }),
  });

  it("is required on every path, before anything else is checked", async () => {
    for (const [method, path] of ROUTES) {
      const answer = await scene.auth.callAsBank(call(method, path), "resource");
      expect(answer.status, `${method} ${path}`).to.equal(403);
      expect(answer.headers["content-type"]).to.equal("application/problem+json");
      expect(JSON.parse(answer.body)).to.include({ title: "Not allowed" });
    }
    for (const [, path] of ROUTES.filter(([method]) => method === "POST")) {
      const answer = await scene.auth.callAsBank({ ...call("POST", path), body: "{" }, "resource");
      expect(answer.status, `a body that cannot be read, to ${path}`).to.equal(403);
    }
  });

  it("cannot be had with a TPP's certificate", async () => {
    for (const [method, path] of ROUTES.slice(0, 3)) {
      const failed = scene.auth.callBankAsTpp(call(method, path), "all-roles");
      expect(await rejectionOf(failed), `${method} ${path}`).to.be.instanceOf(Error);
    }
  });

  it("admits its holder to every path that can be read, and to no other by any method (404)", async () => {
    for (const [method, path] of ROUTES.filter(([each]) => each === "GET")) {
      const { status } = await scene.order(method, path);
      expect(status, path).to.be.oneOf([200, 404]);
    }
    for (const method of ["GET", "POST"] as const)
      expect((await scene.order(method, "/consent")).status, method).to.equal(404);
  });

  it("puts the operator's name into the log of refused and failed orders too", async () => {
    await scene.order("POST", "/psus/psu-nobody/block", { reason: "r" });
    await eventually(async () => scene.auth.lastCall().status === 404);
    expect(scene.auth.lastCall()).to.include({ operator: "operator", refusal: "unknown" });
    await scene.order("POST", "/psus/psu-jana/block", {});
    await eventually(async () => scene.auth.lastCall().status === 400);
    expect(scene.auth.lastCall()).to.include({ operator: "operator", refusal: "order_malformed" });
    const unreadable = { ...call("POST", "/psus/psu-jana/block"), body: "{" };
    await scene.auth.callAsBank(unreadable, "operator");
    await eventually(async () => scene.auth.lastCall().refusal === "body_malformed");
    expect(scene.auth.lastCall()).to.include({ operator: "operator", status: 400 });
  });
});
