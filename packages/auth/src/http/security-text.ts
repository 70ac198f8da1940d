import type { Clock, Route } from "@cobs/service-edge";

/** What `security.txt` is made from. */
export interface SecurityTextParts {
  /** Where vulnerabilities are reported, as a URI; undefined when the bank names none. */
  readonly securityContact: string | undefined;
  readonly clock: Clock;
}

const PATH = "/.well-known/security.txt";
// RFC 9116 2.5.5 recommends less than a year. The file is generated per call, so half a year is enough.
const VALID_DAYS = 180;
const DAY_MILLISECONDS = 86_400_000;

/** Parses the address for reports: a `mailto:`, `https:` or `tel:` URI (RFC 9116 2.5.3). */
export function parseSecurityContact(text: string): string {
  if (!/^(mailto:|https:\/\/|tel:)[\x21-\x7e]+$/.test(text) || !URL.canParse(text))
    throw new Error("must be a URI that begins with mailto:, https:// or tel:");
  return text;
}

function presentSecurityText(issuer: string, contact: string, now: Date): string {
  const day = Math.floor(now.getTime() / DAY_MILLISECONDS) + VALID_DAYS;
  const lines = [
    `Contact: ${contact}`,
    `Expires: ${new Date(day * DAY_MILLISECONDS).toISOString()}`,
    "Preferred-Languages: cs, en",
    `Canonical: ${issuer}${PATH}`,
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** Makes the route of `security.txt` (RFC 9116); none without a contact, so that the path is a 404 like any other. */
export function createSecurityTextRoutes(issuer: string, parts: SecurityTextParts): readonly Route[] {
  const { securityContact, clock } = parts;
  if (securityContact === undefined) return [];
  const handle: Route["handle"] = async () => ({
    status: 200,
    content: {
      type: "text/plain; charset=utf-8",
      body: presentSecurityText(issuer, securityContact, clock.now()),
    },
  });
  return [{ method: "GET", path: PATH, handle }];
}
