import { inPermittedCharacters, maskedInPermittedCharacters } from "@cobs/cobs-model";
import { isJsonObject } from "./json-members.ts";
import { tellableText } from "./tellable-texts.ts";

const REFERENCES = [
  "messageIdentification",
  "accountServicerReference",
  "paymentInformationIdentification",
  "instructionIdentification",
  "endToEndIdentification",
  "mandateIdentification",
  "clearingSystemReference",
].map((name) => `references.${name}`);

const IDENTIFICATIONS = ["debtor", "ultimateDebtor", "creditor", "ultimateCreditor"].flatMap((party) =>
  ["organisationIdentification", "privateIdentification"].map(
    (kind) => `relatedParties.${party}.identification.${kind}.other.identification`,
  ),
);

/**
 * Table: members below a transaction's details that others may have written in any characters. Accounts and banks are not
 * among them.
 */
const WRITTEN_BY_OTHERS = [...REFERENCES, ...IDENTIFICATIONS].map((path) => path.split("."));

const CHEQUE_NUMBER = ["references", "chequeNumber"];

/**
 * Rewrites references and identifications of parties in the permitted characters: a shop writes what it likes there, and one
 * `INV_2024` would lose the whole page. What is acted on (numbers of accounts and banks, codes) is not changed; it is passed
 * on or refused.
 */
export function withPermittedReferences(details: unknown): unknown {
  if (!isJsonObject(details)) return details;
  let read: unknown = details;
  for (const path of WRITTEN_BY_OTHERS) read = rewrite(read, path, ofTellable(inPermittedCharacters));
  return rewrite(read, CHEQUE_NUMBER, ofTellable(maskedInPermittedCharacters));
}

/** Cleans the text first: a line break becomes a space and a mark is dropped, where each would become a full stop. */
function ofTellable(write: (text: string) => string): (text: string) => string {
  return (text) => write(tellableText(text));
}

/** Rewrites the text at a path, in every item of the lists on the way. */
function rewrite(value: unknown, path: readonly string[], write: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, path, write));
  const [name, ...below] = path;
  if (name === undefined) return typeof value === "string" ? write(value) : value;
  if (!isJsonObject(value) || value[name] === undefined) return value;
  return { ...value, [name]: rewrite(value[name], below, write) };
}
