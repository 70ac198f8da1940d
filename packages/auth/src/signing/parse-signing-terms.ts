import { ContentRefusal, parseApplicationId, parsePsuId } from "@cobs/cobs-model";
import {
  CertificateRefusal,
  type CertificateThumbprint,
  parseCertificateThumbprint,
  parseOrganisationIdentifier,
} from "@cobs/psd2-certificates";
import { parseOrder } from "./order.ts";
import type { Payer } from "./payment-consent-postgres.ts";
import { SigningRefusal } from "./signing-refusal.ts";
import type { SigningTerms } from "./signing-request.ts";

/**
 * A signing request as resource asks for it. Whether the application registered the return URL is not verified yet; without a
 * URL, the first registered one is used.
 */
export type AskedSigning = Omit<SigningTerms, "id" | "createdAt" | "returnUrl"> & {
  readonly returnUrl: string | undefined;
};

const MEMBERS = [
  "paymentId",
  "signId",
  "psu",
  "organisationIdentifier",
  "clientId",
  "expiresAt",
  "order",
] as const;
const OPTIONAL_MEMBERS = ["returnUrl", "certificate"] as const;
type Member = (typeof MEMBERS)[number];
type Texts = Readonly<Record<Member, string> & Partial<Record<(typeof OPTIONAL_MEMBERS)[number], string>>>;

/** COBS Max35Text, restricted to characters that need no escaping in a URL. */
const PAYMENT_ID = /^[A-Za-z0-9._~-]{1,35}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/;

/** Tells whether a value can be the id of a payment, or of an attempt to have one approved. */
export function isSigningName(value: unknown): value is string {
  return typeof value === "string" && PAYMENT_ID.test(value);
}

/**
 * Reads the body of a signing request; an unknown member is a fault. Refuses with `request_malformed` and every fault, or as
 * `parseOrder` does.
 */
export function parseAskedSigning(body: unknown, now: Date): AskedSigning {
  const texts = readTexts(body);
  const faults: string[] = [];
  const read = <T>(name: Member, parse: (text: string) => T): T | undefined => {
    const value = attempt(() => parse(texts[name]));
    if (value === undefined) faults.push(`${name} is invalid`);
    return value;
  };
  const paymentId = read("paymentId", (text) => match(PAYMENT_ID, text));
  const signId = read("signId", (text) => match(PAYMENT_ID, text));
  const psu = read("psu", (text) => parsePsuId(text));
  const organisationIdentifier = read("organisationIdentifier", parseOrganisationIdentifier);
  const applicationId = read("clientId", (text) => parseApplicationId(text));
  const expiresAt = read("expiresAt", (text) => readFuture(text, now));
  const certificates = readCertificates(texts.certificate);
  if (certificates === undefined) faults.push("certificate is invalid");
  const known = { paymentId, signId, psu, organisationIdentifier, applicationId, certificates, expiresAt };
  if (!isWhole(known)) throw new SigningRefusal("request_malformed", faults.join("; "));
  const order = parseOrder(texts.order);
  if (order.says.paymentId !== known.paymentId)
    throw new SigningRefusal("order_malformed", "the order names another paymentId");
  return { ...known, returnUrl: texts.returnUrl, order };
}

/** Reads exactly one `organisationIdentifier`, `clientId` and `psu` from a query. Refuses with `request_malformed`. */
export function parsePayer(query: URLSearchParams): Payer {
  const only = <T>(name: string, parse: (text: string) => T): T | undefined => {
    const [text, ...more] = query.getAll(name);
    return text === undefined || more.length > 0 ? undefined : attempt(() => parse(text));
  };
  const payer = {
    organisationIdentifier: only("organisationIdentifier", parseOrganisationIdentifier),
    applicationId: only("clientId", (text) => parseApplicationId(text)),
    psu: only("psu", (text) => parsePsuId(text)),
  };
  if (isWhole(payer)) return payer;
  throw new SigningRefusal(
    "request_malformed",
    "exactly one valid organisationIdentifier, clientId and psu must be given",
  );
}

function readTexts(body: unknown): Texts {
  const given: Readonly<Record<string, unknown>> = typeof body === "object" ? { ...body } : {};
  const sent = [...MEMBERS, ...OPTIONAL_MEMBERS.filter((name) => given[name] !== undefined)];
  const known: readonly string[] = [...MEMBERS, ...OPTIONAL_MEMBERS];
  const faults = [
    ...sent.filter((name) => typeof given[name] !== "string").map((name) => `${name} must be a string`),
    ...Object.keys(given)
      .filter((name) => !known.includes(name))
      .map((name) => `${name.slice(0, 50)} is not a known member`),
  ];
  if (!isTexts(given) || faults.length > 0) throw new SigningRefusal("request_malformed", faults.join("; "));
  return given;
}

function isTexts(given: Readonly<Record<string, unknown>>): given is Texts {
  return MEMBERS.every((name) => typeof given[name] === "string");
}

type Whole<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> };

function isWhole<T extends object>(known: T): known is T & Whole<T> {
  return Object.values(known).every((value) => value !== undefined);
}

/** Reads one thumbprint, or those of both forms of a certificate separated by a space; undefined for anything else. */
function readCertificates(text: string | undefined): readonly CertificateThumbprint[] | undefined {
  const named = text === undefined ? [] : text.split(" ");
  const read = named.map(parseCertificateThumbprint).filter((each) => each !== undefined);
  return read.length === named.length && read.length <= 2 ? read : undefined;
}

function match(form: RegExp, text: string): string | undefined {
  return form.test(text) ? text : undefined;
}

function readFuture(text: string, now: Date): Date | undefined {
  const time = new Date(match(TIME, text) ?? Number.NaN);
  return time > now ? time : undefined;
}

function attempt<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ContentRefusal || error instanceof CertificateRefusal) return undefined;
    throw error;
  }
}
