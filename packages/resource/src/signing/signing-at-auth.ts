import {
  headersOnBehalf,
  type OnBehalf,
  type PrivateAnswer,
  type PrivateClient,
  PrivateServiceUnavailable,
} from "@cobs/service-edge";
import type { SigningRequestId } from "../payments/payment-ids.ts";
import { parseKnownSignings } from "./parse-known-signings.ts";
import {
  type AddressedReport,
  parseConsentAnswer,
  parseSigningError,
  parseSigningReport,
} from "./parse-signing-report.ts";
import {
  ORDER_REFUSALS,
  type OrderRefusal,
  type SigningAuthority,
  type SigningReport,
  type WantedSigning,
} from "./signing-authority.ts";
import { SigningRefusal } from "./signing-refusal.ts";

const REQUESTS = "/signing-requests";
const KNOWN = "/known-signing-requests";
const JSON_WANTED = { accept: "application/json" };

const headersFor = (onBehalf?: OnBehalf) => ({ ...JSON_WANTED, ...headersOnBehalf(onBehalf) });
const pathOf = (requestId: SigningRequestId) => `${REQUESTS}/${encodeURIComponent(requestId)}`;

/** Asks auth's bank listener, and believes only answers about exactly the payment and the bytes that were sent. */
export function signingAtAuth(client: Pick<PrivateClient, "get" | "postJson" | "delete">): SigningAuthority {
  return {
    ask: async (wanted) => {
      const headers = headersFor(wanted.onBehalf);
      // Asking again with the same id gives the stored request.
      const answer = await client.postJson(REQUESTS, presentWanted(wanted), headers, { repeatable: true });
      if (answer.status === 200 || answer.status === 201) return requireAnswerTo(answer, wanted);
      const refused = refusalIn(answer);
      if (refused === undefined) throw unexpected(answer);
      return { refused };
    },
    findKnown: async (named) => {
      const signings = named.map(({ paymentId, signId }) => ({ paymentId, signId }));
      const answer = await client.postJson(KNOWN, { signings }, JSON_WANTED, { repeatable: true });
      if (answer.status !== 200) throw unexpected(answer);
      return parseKnownSignings(answer.body, named);
    },
    find: async (requestId) => reportOf(requestId, await client.get(pathOf(requestId), JSON_WANTED)),
    cancel: async (requestId, onBehalf) =>
      reportOf(requestId, await client.delete(pathOf(requestId), headersFor(onBehalf))),
    hasConsentEnded: async ({ organisationIdentifier, applicationId: clientId, psu }) => {
      const query = new URLSearchParams({ organisationIdentifier, clientId, psu });
      const answer = await client.get(`/payment-consents?${query}`, JSON_WANTED);
      if (answer.status !== 200) throw unexpected(answer);
      return parseConsentAnswer(answer.body);
    },
  };
}

function presentWanted({ payment, signId, tpp, returnUrl }: WantedSigning): object {
  return {
    paymentId: payment.id,
    signId,
    psu: payment.psu,
    organisationIdentifier: payment.organisationIdentifier,
    clientId: payment.applicationId,
    certificate: [tpp.thumbprint, tpp.twinThumbprint].filter((form) => form !== undefined).join(" "),
    ...(returnUrl !== undefined && { returnUrl }),
    expiresAt: payment.expiresAt.toISOString(),
    order: payment.orderText,
  };
}

/** Requires that auth shows the bytes that were sent; otherwise no PSU is sent to its page (RTS Article 5). */
function requireAnswerTo({ body }: PrivateAnswer, wanted: WantedSigning): SigningReport {
  const { report, paymentId, signId, digest }: AddressedReport = parseSigningReport(body);
  const isAnswer =
    paymentId === wanted.payment.id && signId === wanted.signId && digest.equals(wanted.payment.digest);
  if (isAnswer) return report;
  throw new SigningRefusal(
    "answer_of_other",
    "auth answers about a request other than the one that was sent",
  );
}

function refusalIn({ status, body }: PrivateAnswer): OrderRefusal | undefined {
  if (status !== 400) return undefined;
  const error = parseSigningError(body);
  return ORDER_REFUSALS.find((refusal) => refusal === error);
}

function reportOf(requestId: SigningRequestId, answer: PrivateAnswer): SigningReport | undefined {
  // A 404 from an intermediary says nothing about requests.
  if (answer.status === 404 && parseSigningError(answer.body) === "request_unknown") return undefined;
  if (answer.status !== 200) throw unexpected(answer);
  const { report } = parseSigningReport(answer.body);
  if (report.requestId === requestId) return report;
  throw new SigningRefusal("answer_of_other", "the answer is about another request");
}

/** Auth answers 503 while its database is unreachable; that says no more than no answer. */
function unexpected({ status }: PrivateAnswer): PrivateServiceUnavailable | SigningRefusal {
  const reason = `signing was answered with ${status}`;
  if (status === 503) return new PrivateServiceUnavailable("auth", { cause: new Error(reason) });
  return new SigningRefusal("answer_status", reason);
}
