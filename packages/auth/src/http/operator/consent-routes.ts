import type { Route } from "@cobs/service-edge";
import type { OperatorAct } from "../../audit/act.ts";
import type { AuditSubject } from "../../audit/audit-entry.ts";
import type { Consent } from "../../consent/consent.ts";
import type { ConsentFilter, ConsentSearch } from "../../consent/consent-search.ts";
import type { ConsentStore } from "../../consent/consent-store.ts";
import { type ConsentEnding, parseConsentEnding } from "../../operator-api/ending-order.ts";
import { ACCOUNT, APPLICATION, CONSENT, ORGANISATION, PSU } from "../../operator-api/parameter-kinds.ts";
import { type ParameterKind, pageOf, parseQuery, readPage } from "../../operator-api/parse-query.ts";
import { presentConsent } from "../../operator-api/present-consent.ts";
import type { RecordRead } from "../../operator-api/record-read.ts";
import { given, listed, named, requireFound, requireKnownKey } from "./operator-answers.ts";
import type { OperatorRoute } from "./operator-route.ts";

/** What orders about consents need. */
export interface ConsentOrderParts {
  readonly consentSearch: ConsentSearch;
  readonly consents: Pick<ConsentStore, "end">;
  readonly recordRead: RecordRead;
}

const CONSENTS = "/operator/consents";
const STATES: readonly Consent["state"][] = ["active", "expired", "revoked"];
const STATE: ParameterKind<Consent["state"]> = {
  read: (text) => STATES.find((state) => state === text),
  must: `one of ${STATES.join(", ")}`,
};

/** Serves `/operator/consents`: searching and reading, which is recorded, and ending one. */
export function createConsentRoutes(route: OperatorRoute, parts: ConsentOrderParts): readonly Route[] {
  const { consentSearch, recordRead } = parts;
  return [
    route("GET", CONSENTS, async ({ query }, act) => {
      const { after, limit, ...filter } = parseQuery(query, (read) => ({
        psu: read("psu", PSU),
        application: read("application", APPLICATION),
        tpp: read("tpp", ORGANISATION),
        account: read("account", ACCOUNT),
        state: read("state", STATE),
        ...readPage(read, CONSENT),
      }));
      const found = requireKnownKey(await consentSearch.list(filter, { after, limit: limit + 1 }));
      const page = pageOf(found, limit, ({ id }) => id);
      const details = { what: "consents", ...given(filter), count: page.rows.length };
      await recordRead(act, { subject: subjectOf(filter), details });
      return listed("consents", page, presentConsent);
    }),
    route("GET", `${CONSENTS}/:consent`, async (call, act) => {
      const consent = requireFound(await consentSearch.find(named(call, "consent", CONSENT)));
      const subject = { kind: "consent", id: consent.id } as const;
      await recordRead(act, { subject, details: { what: "consent", psu: consent.psu } });
      return { status: 200, json: presentConsent(consent) };
    }),
    route("POST", `${CONSENTS}/:consent/end`, (call, act) =>
      end(parts, named(call, "consent", CONSENT), { act, order: parseConsentEnding(call.body) }),
    ),
  ];
}

/** The narrowest subject of a query; without any, all consents. */
function subjectOf({ psu, application, tpp }: ConsentFilter): AuditSubject {
  if (psu !== undefined) return { kind: "psu", id: psu };
  if (application !== undefined) return { kind: "application", id: application };
  return tpp === undefined ? { kind: "consent", id: "all" } : { kind: "tpp", id: tpp };
}

/** Answers 200 whether it ended now or before, and says which; if before, a read is recorded. */
async function end(
  { consentSearch, consents, recordRead }: ConsentOrderParts,
  id: Consent["id"],
  { act, order }: { readonly act: OperatorAct; readonly order: ConsentEnding },
) {
  requireFound(await consentSearch.find(id));
  const reason = order.by === "psu" ? "withdrawn" : "bank_revoked";
  const isEnded = await consents.end(id, { by: order.by, reason, act: { ...act, note: order.reason } });
  const consent = presentConsent(requireFound(await consentSearch.find(id)));
  if (!isEnded)
    await recordRead(act, {
      subject: { kind: "consent", id },
      details: { what: "consent", psu: consent.psu },
    });
  const result = isEnded ? "ended" : "already_ended";
  return { status: 200, json: { ...consent, result }, facts: { [result]: id } };
}
