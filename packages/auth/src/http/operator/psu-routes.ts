import type { PsuId } from "@cobs/cobs-model";
import type { Route } from "@cobs/service-edge";
import type { CardConsentStore } from "../../card-consent/card-consent-store.ts";
import type { ConsentSearch } from "../../consent/consent-search.ts";
import { OperatorRefusal } from "../../operator-api/operator-refusal.ts";
import { parseReason } from "../../operator-api/order-reason.ts";
import { PSU } from "../../operator-api/parameter-kinds.ts";
import { presentPsu, presentPsuBlock } from "../../operator-api/present-psu.ts";
import type { RecordRead } from "../../operator-api/record-read.ts";
import type { PsuBlocks } from "../../psu-block/psu-blocks.ts";
import { named } from "./operator-answers.ts";
import type { OperatorRoute } from "./operator-route.ts";

/** Finds a PSU in the login's records. */
export type FindPerson = (psu: PsuId) => Promise<{ readonly displayName: string } | undefined>;

/** What orders about PSUs need. */
export interface PsuOrderParts {
  readonly psuBlocks: PsuBlocks;
  readonly consentSearch: Pick<ConsentSearch, "countOf">;
  readonly cardConsents: Pick<CardConsentStore, "countOf">;
  /** Also finds blocked PSUs. */
  readonly findPerson: FindPerson;
  readonly recordRead: RecordRead;
}

const ONE_PSU = "/operator/psus/:psu";

/** Serves `/operator/psus/…`: reading the facts about a PSU, which is recorded, blocking and releasing. */
export function createPsuRoutes(route: OperatorRoute, parts: PsuOrderParts): readonly Route[] {
  const { psuBlocks, recordRead } = parts;
  return [
    route("GET", ONE_PSU, async (call, act) => {
      const psu = named(call, "psu", PSU);
      const facts = await requireKnown(parts, psu);
      await recordRead(act, { subject: { kind: "psu", id: psu }, details: { what: "psu" } });
      return { status: 200, json: presentPsu(facts) };
    }),
    route("POST", `${ONE_PSU}/block`, async (call, act) => {
      const psu = named(call, "psu", PSU);
      const reason = parseReason(call.body);
      await requireKnown(parts, psu);
      const outcome = await psuBlocks.block({ psu, reason }, act);
      const { block, ...became } = outcome;
      if (became.result !== "blocked")
        await recordRead(act, { subject: { kind: "psu", id: psu }, details: { what: "psu" } });
      const status = became.result === "blocked" ? 201 : 200;
      return { status, json: { ...presentPsuBlock(block), ...became }, facts: { [became.result]: psu } };
    }),
    route("POST", `${ONE_PSU}/release`, async (call, act) => {
      const psu = named(call, "psu", PSU);
      const released = await psuBlocks.release(psu, { ...act, note: parseReason(call.body) });
      if (released === undefined) throw new OperatorRefusal("not_blocked", "this PSU is not blocked");
      return { status: 200, json: presentPsuBlock(released), facts: { released: psu } };
    }),
  ];
}

/**
 * Requires that the login know the PSU, or that they ever consented, also to a card issuer, or were blocked: a mistyped
 * id is refused.
 */
async function requireKnown(
  { psuBlocks, consentSearch, cardConsents: cardConsentStore, findPerson }: PsuOrderParts,
  psu: PsuId,
) {
  const [person, blocks, consents, cardConsents] = await Promise.all([
    findPerson(psu),
    psuBlocks.history(psu),
    consentSearch.countOf(psu),
    cardConsentStore.countOf(psu),
  ]);
  const given = consents.active + consents.ended + cardConsents.active + cardConsents.ended;
  if (person === undefined && blocks.length === 0 && given === 0)
    throw new OperatorRefusal(
      "unknown",
      "the login does not know this PSU, and no consent or block has this id",
    );
  return { psu, person, blocks, consents, cardConsents };
}
