import { readFileSync } from "node:fs";
import { expect } from "chai";
import { SERVICES, schemaFile, writeSchema } from "../../scripts/schema/schema-file.ts";
import { createMigratedTestDatabase } from "../support/test-databases.ts";

for (const service of ["auth", "resource"] as const)
  describe(`Schema file of ${service}`, () => {
    it("is what the migrations make (`npm run docs` writes it anew)", async () => {
      const made = await writeSchema(service, await createMigratedTestDatabase(SERVICES[service]));
      expect(readFileSync(schemaFile(service), "utf8")).to.equal(made);
    });
  });
