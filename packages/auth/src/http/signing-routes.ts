/** The routes of the bank listener for the service that owns payments: what PSUs are to approve, and what they decided. */
import {
  type Answer,
  type BankCallers,
  type Clock,
  type IncomingCall,
  type Method,
  type Route,
  requireBankCaller,
} from "@cobs/service-edge";
import { type AskingParts, askForSigning } from "../signing/ask-for-signing.ts";
import { findWritten } from "../signing/find-written.ts";
import { parseNamedSignings } from "../signing/parse-named-signings.ts";
import { parseAskedSigning, parsePayer } from "../signing/parse-signing-terms.ts";
import { SigningRefusal, type SigningRefusalCode } from "../signing/signing-refusal.ts";
import { parseSigningRequestId } from "../signing/signing-request-id.ts";
import type { SigningAct, SigningStore } from "../signing/signing-store.ts";
import { presentSigningRequest } from "./present-signing-request.ts";
import { readPostedJson } from "./read-posted-json.ts";

/** What the signing routes need. */
export interface SigningParts extends AskingParts {
  readonly store: SigningStore;
  /** False when no code can be delivered to PSUs: then no order is accepted. */
  readonly canDeliver: boolean;
  readonly issuer: string;
  readonly clock: Clock;
}

const REQUESTS = "/signing-requests";
const KNOWN_REQUESTS = "/known-signing-requests";
const STATUS: Readonly<Record<SigningRefusalCode, number>> = {
  request_malformed: 400,
  order_malformed: 400,
  order_not_canonical: 400,
  application_unknown: 400,
  return_url_unregistered: 400,
  request_different: 409,
  certificates_used_up: 400,
  request_unknown: 404,
  signing_off: 501,
};

type Serve = (call: IncomingCall, by: SigningAct) => Promise<Answer>;

/** Serves `/signing-requests`, `/known-signing-requests` and `/payment-consents` to callers with the right `signing`. */
export function createSigningRoutes(callers: BankCallers, parts: SigningParts): readonly Route[] {
  const route = (method: Method, path: string, serve: Serve): Route => ({
    method,
    path,
    handle: async (call) => {
      const name = requireBankCaller(callers, call.presentedCertificate, "signing");
      const act = { actor: { kind: "server", part: name }, requestId: call.requestId } as const;
      const whole = await readPostedJson(call);
      return serve(whole, { act, now: parts.clock.now() }).catch(presentRefusal);
    },
  });
  return [
    route("POST", REQUESTS, (call, by) => ask(parts, call, by)),
    route("GET", `${REQUESTS}/:id`, (call, by) => find(parts, call, by)),
    route("DELETE", `${REQUESTS}/:id`, (call, by) => cancel(parts, call, by)),
    route("POST", KNOWN_REQUESTS, (call) => tellKnown(parts, call)),
    route("GET", "/payment-consents", (call) => tellConsent(parts, call)),
  ];
}

/** Answers 201 with a new request, 200 with an existing one. */
async function ask(parts: SigningParts, call: IncomingCall, by: SigningAct): Promise<Answer> {
  if (!parts.canDeliver)
    throw new SigningRefusal("signing_off", "payment codes cannot be delivered: DELIVERY_URL is not set");
  const { result, request } = await askForSigning(parts, parseAskedSigning(call.body, by.now), by);
  const json = presentSigningRequest(request, parts.issuer);
  return { status: result === "created" ? 201 : 200, json, facts: { signing: request.id, result } };
}

async function find({ store, issuer }: SigningParts, call: IncomingCall, by: SigningAct): Promise<Answer> {
  const request = await findWritten(store, idIn(call), by);
  if (request === undefined) throw unknown();
  return { status: 200, json: presentSigningRequest(request, issuer) };
}

/** Answers the request as it is afterwards: `cancelled`, or as it already was. */
async function cancel({ store, issuer }: SigningParts, call: IncomingCall, by: SigningAct): Promise<Answer> {
  const settled = await store.settle(idIn(call), by, () => ({ move: "cancel" }));
  if (settled === undefined) throw unknown();
  const facts = { signing: settled.request.id, state: settled.request.state };
  return { status: 200, json: presentSigningRequest(settled.request, issuer), facts };
}

/** Answers for which of many attempts requests exist; their states are queried one by one. Changes nothing. */
async function tellKnown({ store }: SigningParts, call: IncomingCall): Promise<Answer> {
  return { status: 200, json: { requests: await store.findKnown(parseNamedSignings(call.body)) } };
}

/**
 * Answers whether what allows an application's payments for a PSU has ended: the consent, the application, or the TPP
 * by a block. Resource asks when it may have missed the event, and then ends these payments for good. As with the
 * event, an expired consent counts once its end is written.
 */
async function tellConsent({ store }: SigningParts, { query }: IncomingCall): Promise<Answer> {
  return { status: 200, json: { ended: (await store.findConsentEnd(parsePayer(query))) === "ended" } };
}

function idIn({ parameters }: IncomingCall) {
  const id = parseSigningRequestId(parameters.id);
  if (id === undefined) throw unknown();
  return id;
}

const unknown = () => new SigningRefusal("request_unknown", "there is no such signing request");

function presentRefusal(error: unknown): Answer {
  if (!(error instanceof SigningRefusal)) throw error;
  const { code, message } = error;
  const json = { error: code, error_description: message };
  return { status: STATUS[code], json, facts: { refusal: code } };
}
