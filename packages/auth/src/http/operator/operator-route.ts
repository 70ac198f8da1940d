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
import { readOrder } from "../read-order.ts";

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
      call.note({ operator });
      return serve(await readOrder(call), actOf(call, operator));
    },
  });
}

function actOf({ requestId, presentedCertificate }: IncomingCall, name: string): OperatorAct {
  const certificate = presentedCertificate && thumbprintOf(presentedCertificate.der);
  return { actor: { kind: "operator", name, certificate }, requestId };
}
