import { thumbprintOf } from "@cobs/psd2-certificates";
import {
  type Answer,
  type BankCallers,
  type IncomingCall,
  type Method,
  type Route,
  requireBankCaller,
} from "@cobs/service-edge";
import type { OperatorAct } from "../../audit/act.ts";
import { readPostedJson } from "../read-posted-json.ts";

/** Makes a route that only operators may call; the certificate's name identifies the operator. */
export type OperatorRoute = (
  method: Method,
  path: string,
  serve: (call: IncomingCall, act: OperatorAct) => Promise<Answer>,
) => Route;

/**
 * Makes the factory of operator routes: the right is checked first, and the call's log line has the operator's name
 * even if the order is refused or fails.
 */
export function createOperatorRoute(callers: BankCallers): OperatorRoute {
  return (method, path, serve) => ({
    method,
    path,
    handle: async (call) => {
      const operator = requireBankCaller(callers, call.presentedCertificate, "operator");
      call.note({ operator });
      return serve(await readPostedJson(call), actOf(call, operator));
    },
  });
}

function actOf({ requestId, presentedCertificate }: IncomingCall, name: string): OperatorAct {
  const certificate = presentedCertificate && thumbprintOf(presentedCertificate.der);
  return { actor: { kind: "operator", name, certificate }, requestId };
}
