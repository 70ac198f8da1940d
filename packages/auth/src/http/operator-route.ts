import { thumbprintOf } from "@cobs/psd2-certificates";
import {
  type Answer,
  type BankCallers,
  type IncomingCall,
  type Method,
  type Route,
  requireBankCaller,
} from "@cobs/service-edge";
import type { OperatorAct } from "../audit/act.ts";
import { presentProblem } from "./present-problem.ts";
import { readOrder } from "./read-order.ts";

/** Makes a route that only operators may call; who does is known by the name in the certificate. */
export type OperatorRoute = (
  method: Method,
  path: string,
  serve: (call: IncomingCall, act: OperatorAct) => Promise<Answer>,
) => Route;

/**
 * The frame of every operator's route: the right comes first, and the log line of the call has the operator's name, also
 * when the order is refused or fails.
 */
export function createOperatorRoute(callers: BankCallers): OperatorRoute {
  return (method, path, serve) => ({
    method,
    path,
    handle: async (call) => {
      const operator = requireBankCaller(callers, call.presentedCertificate, "operator");
      const served = readOrder(call).then((whole) => serve(whole, actOf(call, operator)));
      const answer = await served.catch((error: unknown) => failed(call, error));
      return { ...answer, facts: { operator, ...answer.facts } };
    },
  });
}

function actOf({ requestId, presentedCertificate }: IncomingCall, name: string): OperatorAct {
  const certificate = presentedCertificate && thumbprintOf(presentedCertificate.der);
  return { actor: { kind: "operator", name, certificate }, requestId };
}

function failed({ requestId, method, path }: IncomingCall, error: unknown): Answer {
  const { answer, logFacts } = presentProblem(error, { requestId, method, path, acceptLanguage: undefined });
  return { ...answer, facts: logFacts };
}
