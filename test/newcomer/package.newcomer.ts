/**
 * Builds, packs and installs psd2-certificates as a stranger gets it, in an empty folder without this repository, and
 * uses both entries there.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";
import {
  anchorFile,
  authorityPlan,
  inYears,
  issue,
  now,
  qwacPlan,
} from "../psd2-certificates/certificate-builder.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const repository = resolve(import.meta.dirname, "../..");
const name = "packages/psd2-certificates";

/** A copy, so that nothing that was built before gets into the package, and nothing that is built here stays. */
function copyOfRepository(folder: string): string {
  const copy = join(folder, name);
  mkdirSync(copy, { recursive: true });
  for (const each of ["src", "package.json", "tsconfig.json", "README.md", "LICENSE"])
    cpSync(join(repository, name, each), join(copy, each), { recursive: true });
  cpSync(join(repository, "tsconfig.json"), join(folder, "tsconfig.json"));
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  return copy;
}

const folder = makeTemporaryFolder("package-");
const app = join(folder, "app");

const certificate = (() => {
  const issuing = issue(authorityPlan("Issuing CA"));
  return { anchors: anchorFile([issuing]), der: issue(qwacPlan(), issuing).der.toString("base64"), at: now };
})();

const verifies = `
  import { createTppVerification, inspectCertificate, parseTrustAnchors } from "@cobs/psd2-certificates";
  const { anchors, der, at } = ${JSON.stringify(certificate)};
  const options = { anchors: parseTrustAnchors(anchors), revocation: undefined };
  const presented = { der: Buffer.from(der, "base64"), intermediates: [], tlsVerdict: undefined };
  const tpp = await createTppVerification(options).identify(presented, new Date(at), "certain");
  const report = inspectCertificate(presented, { anchors: options.anchors, now: new Date(at) });
  console.log(JSON.stringify([tpp.organisationIdentifier, tpp.roles, report.accepted]));
`;
const readsTwice = `
  import { createSecondReader } from "@cobs/psd2-certificates/second-reader";
  const reader = createSecondReader({ deadlineMilliseconds: 30000 });
  console.log(JSON.stringify(await reader.read(Buffer.from(${JSON.stringify(certificate.der)}, "base64"))));
`;
const typed = `
  import { type CertificateReport, presentReport, type TppIdentity } from "@cobs/psd2-certificates";
  import { compareReadings, type SecondReading } from "@cobs/psd2-certificates/second-reader";
  export const first = (tpp: TppIdentity, reading: SecondReading): "agree" | "differ" | "no_opinion" | "failed" =>
    compareReadings(tpp.organisationIdentifier, reading).verdict;
  export const page = (report: CertificateReport): string => presentReport(report);
`;

/** The README's own example at a server of its own, asked with a certificate of an issuing authority and without one. */
function exampleAtWork(): string {
  const [, example = ""] =
    /```ts\n(.*?)```/s.exec(readFileSync(join(repository, name, "README.md"), "utf8")) ?? [];
  const [once, eachCall] = example.split(/^(?=\/\/ `socket`)/m);
  const notAfter = inYears(20);
  const issuing = issue(
    authorityPlan("Issuing CA", { notAfter }),
    issue(authorityPlan("Root", { notAfter })),
  );
  const leaf = issue(qwacPlan({ notAfter: inYears(10) }), issuing);
  const pair = { cert: leaf.pem, key: leaf.key.export({ type: "pkcs8", format: "pem" }) };
  writeFileSync(join(app, "anchors.json"), anchorFile([issuing]));
  return `
    import { createServer, get } from "node:https";
    const pair = ${JSON.stringify(pair)};
    const askSource = () => Promise.reject(new Error("nobody is asked"));
    ${once}
    const ca = anchors.anchors.map(({ pem }) => pem);
    const server = createServer({ ...pair, ca, requestCert: true, rejectUnauthorized: false }, async ({ socket }, response) => {
      const answer = (status, text = "") => response.writeHead(status).end(text);
      ${eachCall}
    });
    server.listen(0, () => {
      const to = { port: server.address().port, rejectUnauthorized: false, agent: false };
      const ask = (shown) => new Promise((resolve) => get({ ...to, ...shown }, (answer) => answer.resume().once("end", resolve)));
      ask(pair).then(() => ask({})).then(() => server.close());
    });
  `;
}

describe("The package psd2-certificates, packed", function () {
  this.timeout(240_000);
  const modules = join(app, "node_modules");
  let packed: readonly string[] = [];
  const run = (program: string, ...given: readonly string[]) =>
    execFileSync(program, given, {
      cwd: app,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 60_000,
    });
  const runModule = (code: string) => {
    writeFileSync(join(app, "app.mjs"), code);
    return JSON.parse(run(process.execPath, "app.mjs"));
  };
  const link = (dependency: string) => {
    mkdirSync(join(modules, dependency, ".."), { recursive: true });
    symlinkSync(join(repository, "node_modules", dependency), join(modules, dependency));
  };

  before(() => {
    const copy = copyOfRepository(folder);
    const told = execFileSync("npm", ["pack", "--json"], { cwd: copy, encoding: "utf8", stdio: "pipe" });
    const [{ filename, files }] = JSON.parse(told.slice(told.indexOf("[\n")));
    packed = files.map(({ path }: { readonly path: string }) => path);
    const installed = join(modules, "@cobs/psd2-certificates");
    mkdirSync(installed, { recursive: true });
    execFileSync("tar", ["-xzf", join(copy, filename), "-C", installed, "--strip-components=1"]);
    writeFileSync(join(app, "package.json"), '{ "type": "module" }');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("holds its sources, their build, its README and its licence, and nothing else", () => {
    const sources = readdirSync(join(repository, name, "src"), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .map((path) => path.replace(/\.ts$/, ""));
    const built = sources.flatMap((stem) => [".js", ".js.map", ".d.ts"].map((end) => `dist/${stem}${end}`));
    const expected = ["LICENSE", "README.md", "package.json", ...built, ...sources.map((s) => `src/${s}.ts`)];
    expect([...packed].sort()).to.deep.equal(expected.sort());
  });

  it("verifies and inspects a certificate with only the cache installed beside it", () => {
    link("lru-cache");
    expect(runModule(verifies)).to.deep.equal(["PSDCZ-CNB-63492555", ["PSP_AI", "PSP_PI"], true]);
  });

  it("does what its README shows at a server, with an issuing authority as anchor and without a certificate", () => {
    writeFileSync(join(app, "app.mjs"), exampleAtWork());
    expect(run(process.execPath, "app.mjs").split("\n").filter(Boolean)).to.deep.equal([
      // The revocation of this certificate can be asked nowhere, which is looked at when everything else was good.
      "revocation_source_missing the certificate names no OCSP responder and no CRL",
      "certificate_absent no certificate was presented",
    ]);
  });

  it("reads a certificate a second time, without keeping the process alive", () => {
    link("x509.js");
    expect(runModule(readsTwice)).to.deep.equal({
      kind: "read",
      organisationIdentifier: "PSDCZ-CNB-63492555",
    });
  });

  it("has types that a strict consumer can compile", () => {
    link("@types/node");
    link("undici-types");
    writeFileSync(join(app, "app.ts"), typed);
    const options = [
      "--ignoreConfig",
      "--noEmit",
      "--strict",
      "--module",
      "nodenext",
      "--target",
      "es2023",
      "--types",
      "node",
    ];
    run(process.execPath, join(repository, "node_modules/typescript/bin/tsc"), ...options, "app.ts");
  });
});
