import { readdir, readFile } from "node:fs/promises";
import { expect } from "chai";
import {
  readTppProfile,
  readTppProfiles,
} from "../../../packages/sandbox/src/certificates/read-tpp-profiles.ts";
import { parseTppProfile } from "../../../packages/sandbox/src/certificates/tpp-profile.ts";

const certs = new URL("../../../certs/", import.meta.url);

async function aispJson(): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(new URL("aisp.json", certs), "utf8"));
}

describe("Certificate profiles", () => {
  it("are the fifteen that the sandbox offers, right ones first", async () => {
    const names = (await readTppProfiles()).map(({ name }) => name);
    expect(names).to.deep.equal([
      ...["aisp", "aisp-pisp", "all-roles", "all-roles-renewed", "cisp", "pisp", "second-tpp"],
      ...["wrong-expired", "wrong-mismatching-authority", "wrong-no-client-purpose"],
      ...["wrong-no-psd2-statement", "wrong-not-yet-valid", "wrong-psp-as-only", "wrong-qsealc"],
      "wrong-unknown-ca",
    ]);
  });

  it("have the name of their file", async () => {
    for (const file of await readdir(certs)) {
      if (!file.endsWith(".json")) continue;
      const name = file.replace(".json", "");
      expect((await readTppProfile(name)).name).to.equal(name);
    }
  });

  it("name a refusal for each wrong one, eight codes in all, and none for a right one", async () => {
    const profiles = await readTppProfiles();
    const refusals = profiles.flatMap(({ expectedRefusal }) => expectedRefusal ?? []);
    expect(new Set(refusals).size).to.equal(8);
    for (const { name, wrong, expectedRefusal } of profiles)
      expect([wrong === null, expectedRefusal === null], name).to.deep.equal(
        name.startsWith("wrong-") ? [false, false] : [true, true],
      );
  });

  it("are in the table of the README, with their refusals", async () => {
    const readme = await readFile(new URL("README.md", certs), "utf8");
    for (const profile of await readTppProfiles()) {
      const row = readme.split("\n").find((line) => line.startsWith(`| \`${profile.name}\``));
      expect(row, profile.name).to.include(profile.organisation.organisationIdentifier);
      expect(row)
        .to.include(profile.wrong ?? "")
        .and.include(profile.expectedRefusal ?? "");
      for (const role of profile.roles) expect(row).to.include(role);
    }
  });

  it("refuse an unknown role, naming the file and the member", async () => {
    const json = { ...(await aispJson()), roles: ["PSP_XX"] };
    expect(() => parseTppProfile(json, "mine.json")).to.throw(
      TypeError,
      "mine.json: roles must be one of PSP_AS",
    );
  });

  it("refuse a missing member and one of another type", async () => {
    const { keyType: _keyType, ...without } = await aispJson();
    expect(() => parseTppProfile(without, "mine.json")).to.throw("mine.json: keyType must be present");
    const validity = { fromDays: "yesterday", untilDays: 1 };
    expect(() => parseTppProfile({ ...without, keyType: "P-256", validity }, "mine.json")).to.throw(
      "mine.json validity: fromDays must be a number",
    );
    expect(() => parseTppProfile(null, "mine.json")).to.throw("mine.json: must be an object");
  });
});
