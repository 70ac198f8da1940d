/**
 * The route by which a person at the bank reads the balance checks of an account, so that its payer can be told
 * (PSD2 Article 65(5)).
 */
import { parseAccountId } from "@cobs/cobs-model";
import { type BankCallers, problemAnswer, type Route, requireBankCaller } from "@cobs/service-edge";
import type { BalanceCheckStore, KeptBalanceCheck } from "../balance-check/balance-check-store.ts";

const DEFAULT_ROWS = 50;
const MOST_ROWS = 200;
const PARAMETERS: ReadonlySet<string> = new Set(["limit", "after"]);
const ROWS = /^(?:[1-9]|[1-9]\d|1\d\d|200)$/;
const RESPONSE_IDENTIFICATION = /^[1-9]\d{0,17}$/;

const UNREADABLE = problemAnswer({
  status: 400,
  title: "The query is malformed",
  detail: `limit must be from 1 to ${MOST_ROWS}, and after the value of next from the previous page; each at most once, and nothing else may be given.`,
});

/**
 * Serves `GET /operator/accounts/{account}/balance-checks` to callers with the right `operator`: who has asked about an
 * account and what was answered, the newest first. The log of the call names the operator.
 */
export function createBalanceCheckRecordRoute(
  callers: BankCallers,
  store: Pick<BalanceCheckStore, "listOf">,
): Route {
  return {
    method: "GET",
    path: "/operator/accounts/:account/balance-checks",
    handle: async (call) => {
      const operator = requireBankCaller(callers, call.presentedCertificate, "operator");
      const account = parseAccountId(call.parameters.account);
      const limit = call.query.get("limit") ?? String(DEFAULT_ROWS);
      const after = call.query.get("after") ?? undefined;
      const facts = { operator, account };
      if (
        !isUnderstood(call.query) ||
        !ROWS.test(limit) ||
        (after !== undefined && !RESPONSE_IDENTIFICATION.test(after))
      )
        return { ...UNREADABLE, facts };
      const rows = Number(limit);
      const page = { after: after === undefined ? undefined : BigInt(after), limit: rows + 1 };
      const found = await store.listOf(account, page);
      const checks = found.slice(0, rows);
      const last = found.length > rows ? checks.at(-1) : undefined;
      const next = last === undefined ? null : String(last.responseIdentification);
      return { status: 200, json: { account, balanceChecks: checks.map(present), next }, facts };
    },
  };
}

/** Whether each parameter is known and given once: who believes in a filter that does not exist would take all rows for some. */
function isUnderstood(query: URLSearchParams): boolean {
  const names = [...query.keys()];
  return names.length === new Set(names).size && names.every((name) => PARAMETERS.has(name));
}

function present({ responseIdentification, checkedAt, enough, ...check }: KeptBalanceCheck): object {
  const response = enough ? "APPR" : "DECL";
  return {
    responseIdentification: String(responseIdentification),
    checkedAt: checkedAt.toISOString(),
    organisationIdentifier: check.organisationIdentifier,
    amount: check.amount,
    response: enough === undefined ? null : response,
  };
}
