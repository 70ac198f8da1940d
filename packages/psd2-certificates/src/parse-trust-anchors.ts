import { CertificateRefusal } from "./certificate-refusal.ts";
import { unfitnessOfAuthority } from "./path/authority.ts";
import { type TrustAnchor, TrustAnchorFileError, type TrustAnchors } from "./trust-anchors.ts";
import type { Certificate } from "./x509/certificate.ts";
import { readCertificate } from "./x509/read-certificate.ts";

/** Collects faults, each with its place in the file. */
type Report = (place: string, fault: string) => undefined;

const fileMembers = ["environment", "version", "revision", "anchors"];
const anchorMembers = ["serviceName", "from", "until", "certificate"];
const instantForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;
const pemForm = /^\s*-----BEGIN CERTIFICATE-----\s+([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----\s*$/;

/** Parses an anchor file (its text, or the JSON value of it); throws a `TrustAnchorFileError` that lists every fault. */
export function parseTrustAnchors(json: unknown): TrustAnchors {
  const faults: string[] = [];
  const report: Report = (place, fault) => void faults.push(`${place}: ${fault}`);
  const content = parseJson(json);
  // There are no members to report.
  if (!isObject(content)) throw new TrustAnchorFileError(["file: must be an object"]);
  const file = parseMembers(content, "file", { known: fileMembers, report });
  const environment = parseEnvironment(file.environment, report);
  if (file.version !== 1) report("version", "must be 1");
  const revision = parseRevision(file.revision, report);
  const anchors = parseAnchors(file.anchors, report);
  if (faults.length > 0 || environment === undefined || revision === undefined)
    throw new TrustAnchorFileError(faults);
  return Object.freeze({ environment, version: 1, revision, anchors: Object.freeze(anchors) });
}

function parseJson(json: unknown): unknown {
  if (typeof json !== "string") return json;
  try {
    // Some editors write a byte order mark; RFC 8259 section 8.1 lets a reader ignore it.
    return JSON.parse(json.replace(/^\uFEFF/, ""));
  } catch {
    throw new TrustAnchorFileError(["file: is not JSON"]);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses an object with exactly these members; a misspelt one must not pass as absent. */
function parseMembers(
  value: unknown,
  place: string,
  { known, report }: { readonly known: readonly string[]; readonly report: Report },
): Readonly<Record<string, unknown>> {
  if (!isObject(value)) {
    report(place, "must be an object");
    return {};
  }
  for (const name of Object.keys(value))
    if (!known.includes(name)) report(`${place}.${name}`, "is not a known member");
  return { ...value };
}

function parseEnvironment(value: unknown, report: Report): TrustAnchors["environment"] | undefined {
  return value === "sandbox" || value === "production"
    ? value
    : report("environment", 'must be "sandbox" or "production"');
}

function parseRevision(value: unknown, report: Report): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0
    ? value
    : report("revision", "must be a positive integer");
}

function parseAnchors(value: unknown, report: Report): readonly TrustAnchor[] {
  if (!Array.isArray(value) || value.length === 0) {
    report("anchors", "must be a list with at least one anchor");
    return [];
  }
  const anchors = value.map((anchor: unknown, at) => parseAnchor(anchor, `anchors[${at}]`, report));
  return anchors.filter((anchor) => anchor !== undefined);
}

function parseAnchor(value: unknown, place: string, report: Report): TrustAnchor | undefined {
  const anchor = parseMembers(value, place, { known: anchorMembers, report });
  const serviceName = parseServiceName(anchor.serviceName, `${place}.serviceName`, report);
  const from = parseInstant(anchor.from, `${place}.from`, report);
  const until = anchor.until === null ? undefined : parseInstant(anchor.until, `${place}.until`, report);
  const certificate = parseAuthority(anchor.certificate, `${place}.certificate`, report);
  if (from !== undefined && until !== undefined && until <= from)
    report(`${place}.until`, "must be after from");
  if (serviceName === undefined || from === undefined || certificate === undefined) return undefined;
  return Object.freeze({ serviceName, from, until, pem: certificate.x509.toString(), certificate });
}

function parseServiceName(value: unknown, place: string, report: Report): string | undefined {
  return typeof value === "string" && value.trim() !== ""
    ? value
    : report(place, "must be a non-empty string");
}

function parseInstant(value: unknown, place: string, report: Report): Date | undefined {
  const text = typeof value === "string" && instantForm.test(value) ? value : "";
  const instant = new Date(text);
  // JavaScript turns a day that does not exist into another one, which gives another text.
  const exists = text !== "" && instant.getTime() > 0 && instant.toISOString().startsWith(text.slice(0, 19));
  return exists ? instant : report(place, "must be a time such as 2026-01-31T00:00:00Z");
}

/** An anchor that could never vouch for anybody is a fault of the file, not of the TPP that relies on it. */
function parseAuthority(value: unknown, place: string, report: Report): Certificate | undefined {
  const base64 = typeof value === "string" ? pemForm.exec(value)?.[1] : undefined;
  if (base64 === undefined) return report(place, "must be one PEM certificate");
  try {
    const certificate = readCertificate(Buffer.from(base64, "base64"));
    const unfitness = unfitnessOfAuthority(certificate);
    return unfitness === undefined ? certificate : report(place, unfitness);
  } catch (error) {
    if (error instanceof CertificateRefusal) return report(place, error.detail);
    throw error;
  }
}
