/** The routes of the bank listener for a person at the bank, who holds a certificate with the right `operator`. */
import { explainRefused, type TrustAnchors } from "@cobs/psd2-certificates";
import {
  type BankCallers,
  createRefusalAnswers,
  type RefusedCertificates,
  type Route,
  requireBankCaller,
} from "@cobs/service-edge";

/** What an operator may read: the refusals of all processes, and the trust anchors in force in this one. */
export interface OperatorParts {
  readonly callers: BankCallers;
  readonly refusals: RefusedCertificates;
  readonly anchors: () => TrustAnchors;
}

/** Serves `GET /operator/refusals/{requestId}`: why a certificate was refused, by the request id that the TPP was told. */
export function createOperatorRoutes({ callers, refusals, anchors }: OperatorParts): readonly Route[] {
  const answerRefusals = createRefusalAnswers(refusals, (refused) => explainRefused(refused, anchors()));
  return [
    {
      method: "GET",
      path: "/operator/refusals/:requestId",
      handle: async (call) => {
        const operator = requireBankCaller(callers, call.presentedCertificate, "operator");
        return { ...(await answerRefusals(call)), facts: { operator } };
      },
    },
  ];
}
