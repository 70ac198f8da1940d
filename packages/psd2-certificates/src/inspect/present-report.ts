import type { CertificateFacts, CertificateReport, CheckReport } from "./certificate-report.ts";
import { presentDaysLeft } from "./present-path.ts";

const columns = 100;
const marks = { passed: "✓", failed: "✗", not_reached: "–" } as const;
const titleColumns = 38;
const indent = "    ";

/** Presents a report for people: at most 100 columns, no colours, one block for each check. */
export function presentReport(report: CertificateReport): string {
  const { accepted, code, at, facts, checks } = report;
  const verdict = accepted ? presentAcceptance(checks) : `REFUSED with ${code}`;
  const lines = [
    `${verdict}, as of ${at}`,
    "",
    ...(facts === undefined ? [] : [...presentFacts(facts), ""]),
    ...checks.flatMap(presentCheck),
  ];
  return `${lines.join("\n")}\n`;
}

/** Says whether a service would accept the certificate; it accepts none that no source has called good. */
function presentAcceptance(checks: readonly CheckReport[]): string {
  const isKnown = checks.every(({ check, outcome }) => check !== "revocation" || outcome === "passed");
  return isKnown ? "ACCEPTED" : "ACCEPTED except for revocation, which is unknown";
}

function presentFacts(facts: CertificateFacts): readonly string[] {
  const { authority, daysLeft } = facts;
  return [
    ["Organisation", facts.organisationName],
    ["Identifier", facts.organisationIdentifier],
    ["Roles", facts.roles?.join(", ")],
    ["Authority", authority && `${authority.name} (${authority.id})`],
    ["Subject", facts.subject],
    ["Issuer", facts.issuer],
    ["Serial number", facts.serialNumber],
    ["Valid", `${facts.notBefore} to ${facts.notAfter} (${presentDaysLeft(daysLeft)})`],
    ["Key", facts.key],
    ["Signature", facts.signature],
    ["Policies", facts.policies.join(", ")],
    ["OCSP", facts.ocspResponders.join(", ")],
    ["CRL", facts.crls.join(", ")],
    ["Thumbprint", facts.thumbprint],
    ["Other form", facts.twinThumbprint],
  ].flatMap(([label = "", value]) => (value === undefined ? [] : labelled(label, value || "none", "  ")));
}

function presentCheck(check: CheckReport): readonly string[] {
  const { outcome, title, clause, found, detail, remedy, code } = check;
  const head = `${marks[outcome]} ${title.padEnd(titleColumns)}${clause}`;
  if (outcome !== "failed") return [head, ...wrapped(found, indent)];
  return [
    head,
    ...labelled("Refused", `${code}: ${detail}`, indent),
    ...labelled("Found", found, indent),
    ...labelled("Remedy", remedy ?? "", indent),
  ];
}

const labelColumns = 15;

function labelled(label: string, text: string, before: string): readonly string[] {
  const [first = "", ...others] = wrapped(text, before + " ".repeat(labelColumns));
  return [`${before}${label.padEnd(labelColumns)}${first.trimStart()}`, ...others];
}

/** Wraps at whole words if possible; a word longer than a line is cut. */
function wrapped(text: string, before: string): readonly string[] {
  const width = columns - before.length;
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((each) => cut(each, width))) {
    const longer = line === "" ? word : `${line} ${word}`;
    if ([...longer].length <= width) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line].map((each) => before + each);
}

function cut(word: string, width: number): readonly string[] {
  const characters = [...word];
  const pieces = Math.max(1, Math.ceil(characters.length / width));
  return Array.from({ length: pieces }, (_, at) => characters.slice(at * width, (at + 1) * width).join(""));
}
