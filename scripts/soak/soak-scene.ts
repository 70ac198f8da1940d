import { readFileSync } from "node:fs";
import { Agent } from "node:https";
import { resourceEnvironment } from "../../test/resource/resource-environment.ts";
import { startIntrospectionServer } from "../../test/support/introspection-server.ts";
import { send } from "../../test/support/raw-https.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { createTestDatabase } from "../../test/support/test-databases.ts";
import { seedSoakBank } from "./soak-bank.ts";
import { issueForSoak } from "./soak-certificates.ts";
import { dropToken, HOST, ISSUER, type SoakConsent, tokenOf } from "./soak-consent.ts";
import type { SoakSize } from "./soak-size.ts";
import { type SoakedResource, startSoakedResource } from "./soaked-resource.ts";

/** The server under load, and those who call it. */
export interface SoakScene {
  readonly resource: SoakedResource;
  /** Number of calls so far by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Makes one call for a consent, and waits for its answer; `path` comes after `/my/accounts`. */
  call(consent: SoakConsent, path: string): Promise<void>;
  /** Gives a consent a new token at its next call. */
  renew(consent: SoakConsent): void;
  close(): Promise<void>;
}

/** Starts the server on a seeded database, with this process as auth and as the TPPs. */
export async function openSoakScene(size: SoakSize): Promise<SoakScene> {
  const folder = temporaryFolder();
  const { sandbox, tpps } = await issueForSoak(`${folder.path}/certificates`, size.tpps);
  const auth = await startIntrospectionServer({
    keyPair: sandbox.server.authBank,
    authority: readFileSync(sandbox.privateCaFile, "utf8"),
    issuer: ISSUER,
    audience: "resource",
    now: () => new Date(),
  });
  const databaseUrl = await createTestDatabase();
  await seedSoakBank(databaseUrl, size.psus, size.accountsOfEach);
  const resource = await startSoakedResource(resourceEnvironment(sandbox, auth.url, databaseUrl), size);
  const callers = tpps.map((tpp) => ({ tpp, agent: new Agent({ keepAlive: true, maxSockets: 4 }) }));
  const statuses = new Map<number, number>();
  const ca = readFileSync(sandbox.caFile);
  return {
    resource,
    statuses,
    call: async (consent, path) => {
      const caller = callers[consent.tpp];
      if (caller === undefined) throw new RangeError(`no TPP ${consent.tpp}`);
      const { certificate } = caller.tpp;
      const { status } = await send({
        port: resource.port,
        path: `/cobs/2.0/my/accounts${path}`,
        agent: caller.agent,
        ...{ ca, cert: certificate.chainPem, key: certificate.privateKeyPem },
        headers: {
          host: HOST,
          authorization: `Bearer ${tokenOf(consent, caller.tpp, auth.tokens)}`,
          "user-involved": "false",
        },
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      // The recorded requests are not needed here, and would make this process grow.
      auth.asked.length = 0;
    },
    renew: (consent) => dropToken(consent, auth.tokens),
    close: async () => {
      for (const { agent } of callers) agent.destroy();
      await resource.stop();
      await auth.close();
      folder.remove();
    },
  };
}
