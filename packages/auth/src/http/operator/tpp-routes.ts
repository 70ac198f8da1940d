import type { Route } from "@cobs/service-edge";
import type { ApplicationSearch } from "../../applications/application-search.ts";
import type { ApplicationStore } from "../../applications/application-store.ts";
import type { OperatorAct } from "../../audit/act.ts";
import { parseReason } from "../../operator-api/order-reason.ts";
import { APPLICATION, LINE, ORGANISATION } from "../../operator-api/parameter-kinds.ts";
import { pageOf, parseQuery, readPage } from "../../operator-api/parse-query.ts";
import { presentApplication } from "../../operator-api/present-application.ts";
import { presentTpp } from "../../operator-api/present-tpp.ts";
import type { TppSearch } from "../../tpp/tpp-search.ts";
import { listed, named, requireFound, requireKnownKey } from "./operator-answers.ts";
import type { OperatorRoute } from "./operator-route.ts";

/** What orders about TPPs and their applications need. */
export interface TppOrderParts {
  readonly tppSearch: TppSearch;
  readonly applicationSearch: ApplicationSearch;
  readonly applications: Pick<ApplicationStore, "remove">;
}

const TPPS = "/operator/tpps";
const APPLICATIONS = "/operator/applications";

/** Serves `/operator/tpps` and `/operator/applications`: searching, and ending an application. */
export function createTppRoutes(route: OperatorRoute, parts: TppOrderParts): readonly Route[] {
  const { tppSearch, applicationSearch } = parts;
  return [
    route("GET", TPPS, async ({ query }) => {
      const { limit, ...asked } = parseQuery(query, (read) => ({
        search: read("search", LINE),
        ...readPage(read, ORGANISATION),
      }));
      const tpps = await tppSearch.list({ ...asked, limit: limit + 1 });
      return listed(
        "tpps",
        pageOf(tpps, limit, (tpp) => tpp.organisationIdentifier),
        presentTpp,
      );
    }),
    route("GET", `${TPPS}/:tpp`, async (call) => {
      const found = await tppSearch.find(named(call, "tpp", ORGANISATION));
      return { status: 200, json: presentTpp(requireFound(found)) };
    }),
    route("GET", APPLICATIONS, async ({ query }) => {
      const { limit, ...asked } = parseQuery(query, (read) => ({
        tpp: read("tpp", ORGANISATION),
        ...readPage(read, APPLICATION),
      }));
      const found = requireKnownKey(await applicationSearch.list({ ...asked, limit: limit + 1 }));
      return listed(
        "applications",
        pageOf(found, limit, ({ id }) => id),
        presentApplication,
      );
    }),
    route("GET", `${APPLICATIONS}/:application`, async (call) => {
      const found = await applicationSearch.find(named(call, "application", APPLICATION));
      return { status: 200, json: presentApplication(requireFound(found)) };
    }),
    route("POST", `${APPLICATIONS}/:application/end`, async (call, act) => {
      const id = named(call, "application", APPLICATION);
      return endApplication(parts, id, { ...act, note: parseReason(call.body) });
    }),
  ];
}

/** Answers 200 whether it ended now or before, and says which. */
async function endApplication(
  { applicationSearch, applications }: TppOrderParts,
  id: Parameters<ApplicationSearch["find"]>[0],
  act: OperatorAct,
) {
  const { owner } = requireFound(await applicationSearch.find(id));
  const isEnded = await applications.remove({ id, owner }, act, () => {});
  const application = presentApplication(requireFound(await applicationSearch.find(id)));
  const result = isEnded ? "ended" : "already_ended";
  return { status: 200, json: { ...application, result }, facts: { [result]: id } };
}
