import { randomUUID } from "node:crypto";
import { parseAccountId, parseCurrencyCode } from "@cobs/cobs-model";
import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Database } from "@cobs/service-edge";
import { createBalanceCheckStore } from "../../packages/resource/src/balance-check/balance-check-store-postgres.ts";

const LIMITS = { perHour: 100, amountsPerHour: 100, amountsPerDay: 100 };

/** Takes a unique balance check, and returns the number of its answer. */
export async function takeBalanceCheck(database: Database): Promise<bigint> {
  const check = {
    organisationIdentifier: parseOrganisationIdentifier("PSDCZ-CNB-1"),
    exchangeIdentification: randomUUID().slice(0, 18),
    account: parseAccountId("account"),
    amount: { minor: 100n, currency: parseCurrencyCode("CZK") },
  };
  const taken = await createBalanceCheckStore(database).take(check, LIMITS);
  if (taken.result !== "taken") throw new Error(`it was ${taken.result}`);
  return taken.responseIdentification;
}
