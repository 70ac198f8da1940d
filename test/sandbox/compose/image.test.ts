import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect } from "chai";
import { ROOT, readComposeFile } from "./compose-file.ts";

const PACKAGES = ["psd2-certificates", "cobs-model", "service-edge", "auth", "resource"];

interface Copy {
  readonly from: string | undefined;
  readonly sources: readonly string[];
}

describe("Container image", () => {
  const lines = readFileSync(resolve(ROOT, "scripts/image/Dockerfile"), "utf8").split("\n");
  const copies = lines
    .filter((line) => line.startsWith("COPY "))
    .map((line): Copy => {
      const words = line.split(/\s+/).slice(1);
      const from = words.find((word) => word.startsWith("--from="))?.slice("--from=".length);
      return { from, sources: words.filter((word) => !word.startsWith("--")).slice(0, -1) };
    });
  const stages = lines.flatMap((line) => /^FROM (\S+) AS (\S+)$/.exec(line)?.slice(1) ?? []);
  const copied = new Set(
    copies.flatMap(({ sources }) => sources.map((source) => source.replace("/app/", ""))),
  );

  it("is built from files that exist", () => {
    for (const { from, sources } of copies)
      for (const source of sources)
        if (from === undefined) expect(existsSync(resolve(ROOT, source)), source).to.equal(true);
        else expect(stages, source).to.include(from);
  });

  it("has everything that a package needs when it runs", () => {
    for (const name of PACKAGES)
      for (const part of ["package.json", "dist", "assets", "migrations", "templates"])
        if (part === "dist" || existsSync(resolve(ROOT, "packages", name, part)))
          expect(copied, `${name}/${part}`).to.include(`packages/${name}/${part}`);
  });

  it("installs exactly the lock file's versions, runs no install scripts, and omits what only tests need", () => {
    const installs = lines.filter((line) => line.startsWith("RUN npm ci"));
    expect(installs).not.to.have.length(0);
    for (const line of installs) expect(line).to.include("--ignore-scripts");
    const shipped = installs.filter((line) => line.includes("--workspace"));
    for (const line of shipped) expect(line).to.include("--omit=dev");
  });

  it("is based on a Node with long-term support, and does not run as root", () => {
    for (const [index, word] of stages.entries())
      if (index % 2 === 0 && word.includes(":")) expect(word).to.match(/^node:24-/);
    expect(lines.filter((line) => line === "USER node")).to.have.length(2);
  });

  it("has a target for each image that docker-compose.yml builds, and every program that it starts", () => {
    for (const { image, command = [] } of Object.values(readComposeFile())) {
      if (!image.startsWith("cobs-")) continue;
      expect(stages).to.include(image.slice("cobs-".length));
      for (const word of command.filter((each) => each.endsWith(".js"))) {
        const source = word.replace("/dist/", "/src/").replace(/\.js$/, ".ts");
        expect(existsSync(resolve(ROOT, source)), source).to.equal(true);
      }
    }
  });
});
