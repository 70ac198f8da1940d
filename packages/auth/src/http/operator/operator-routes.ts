/** The routes of the bank listener for the bank's staff, all requiring the right `operator`. */
import type { AnswerRefusals, BankCallers, Route } from "@cobs/service-edge";
import type { StopList } from "../../tpp/stop-list.ts";
import { type AuditOrderParts, createAuditRoutes } from "./audit-routes.ts";
import { type CardConsentOrderParts, createCardConsentOrderRoutes } from "./card-consent-order-routes.ts";
import { type ConsentOrderParts, createConsentRoutes } from "./consent-routes.ts";
import { createKeyRoutes, type KeyParts } from "./key-routes.ts";
import { createOperatorRoute } from "./operator-route.ts";
import { createPsuRoutes, type PsuOrderParts } from "./psu-routes.ts";
import { createRedisOrderRoutes, type RedisOrderParts } from "./redis-order-routes.ts";
import { createStopListOrderRoutes } from "./stop-list-order-routes.ts";
import { createTokenRoutes, type TokenOrderParts } from "./token-routes.ts";
import { createTppRoutes, type TppOrderParts } from "./tpp-routes.ts";

/** What the operator's routes need. */
export type OperatorParts = KeyParts &
  TppOrderParts &
  ConsentOrderParts &
  CardConsentOrderParts &
  TokenOrderParts &
  PsuOrderParts &
  RedisOrderParts &
  AuditOrderParts & {
    readonly callers: BankCallers;
    readonly stopList: StopList;
    readonly explainRefusals: AnswerRefusals;
  };

/** Serves `/operator/…`; the certificate identifies the operator. */
export function createOperatorRoutes(parts: OperatorParts): readonly Route[] {
  const route = createOperatorRoute(parts.callers);
  return [
    ...createTppRoutes(route, parts),
    ...createConsentRoutes(route, parts),
    ...createCardConsentOrderRoutes(route, parts),
    ...createTokenRoutes(route, parts),
    ...createPsuRoutes(route, parts),
    ...createStopListOrderRoutes(route, parts.stopList),
    ...createKeyRoutes(route, parts),
    ...createAuditRoutes(route, parts),
    ...createRedisOrderRoutes(route, parts),
    route("GET", "/operator/refusals/:requestId", parts.explainRefusals),
  ];
}
