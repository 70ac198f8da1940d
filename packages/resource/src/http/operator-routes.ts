/** What the bank listener serves to a person at the bank, who holds a certificate with the right `operator`. */
import {
  inspectCertificate,
  presentReport,
  type RevocationStanding,
  type TrustAnchors,
} from "@cobs/psd2-certificates";
import {
  type Answer,
  type BankCallers,
  type IncomingCall,
  problemAnswer,
  type RefusedCertificate,
  type RefusedCertificates,
  type Route,
  requireBankCaller,
} from "@cobs/service-edge";

/** What an operator looks at: the refusals of all processes, and the trust anchors in force in this one. */
export interface OperatorParts {
  readonly callers: BankCallers;
  readonly refusals: RefusedCertificates;
  readonly anchors: () => TrustAnchors;
}

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,60}$/;

/** `GET /operator/refusals/{requestId}`: why a certificate was refused, by the request id that the TPP was told. */
export function createOperatorRoutes(parts: OperatorParts): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/operator/refusals/:requestId",
      body: "none",
      handle: async (call) => {
        const caller = requireBankCaller(parts.callers, call.presentedCertificate, "operator");
        return { ...(await explain(call, parts)), facts: { caller } };
      },
    },
  ];
}

async function explain(call: IncomingCall, parts: OperatorParts): Promise<Answer> {
  const { requestId = "" } = call.parameters;
  const found = REQUEST_ID.test(requestId) ? await parts.refusals.find(requestId) : [];
  if (found.length === 0) return unknownRequest;
  const refusals = found.map((refused) => explainRefusal(refused, parts.anchors()));
  if (!wantsText(call)) return { status: 200, json: { refusals } };
  const body = refusals.map(presentRefusal).join("\n");
  return { status: 200, content: { type: "text/plain; charset=utf-8", body } };
}

const unknownRequest = problemAnswer({
  status: 404,
  title: "no refused certificate is kept under this request id",
  detail: "The newest 10,000 of 30 days are kept, and of a flood only a part.",
});

/** Judged for the time of the refusal, with the anchors of today; nobody is asked about revocation again. */
function explainRefusal(refused: RefusedCertificate, anchors: TrustAnchors) {
  const { requestId, callerRequestId, at, code, detail, presented } = refused;
  const revocation = standingOf(refused);
  const report = inspectCertificate(presented, { anchors, now: at, revocation });
  return { requestId, callerRequestId: callerRequestId ?? null, at: at.toISOString(), code, detail, report };
}

function standingOf({ code, detail }: RefusedCertificate): RevocationStanding {
  if (code !== "certificate_revoked" && code !== "revocation_source_missing") return { kind: "not_asked" };
  return { kind: "refused", code, detail };
}

function presentRefusal({ requestId, at, code, detail, report }: ReturnType<typeof explainRefusal>): string {
  return `${requestId}, ${at}: ${code} (${detail})\n\n${presentReport(report)}`;
}

function wantsText(call: IncomingCall): boolean {
  return (call.header("accept") ?? "").startsWith("text/plain");
}
