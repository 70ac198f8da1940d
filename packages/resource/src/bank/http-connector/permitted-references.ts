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

/** Table: what others may have written in any characters, below the details of a transaction. Accounts and banks are not in it. */
const WRITTEN_BY_OTHERS = [...REFERENCES, ...IDENTIFICATIONS].map((path) => path.split("."));

const CHEQUE_NUMBER = ["references", "chequeNumber"];

/**
 * Details whose references, and identifications of parties, are in the permitted characters: a shop writes what it likes
 * there, and one `INV_2024` would lose the whole page. What is acted on stays as it is, to be passed on or refused: numbers of
 * accounts and banks, and codes.
 */
export function withPermittedReferences(details: unknown): unknown {
  if (!isJsonObject(details)) return details;
  let read: unknown = details;
  for (const path of WRITTEN_BY_OTHERS) read = rewrite(read, path, ofTellable(inPermittedCharacters));
  return rewrite(read, CHEQUE_NUMBER, ofTellable(maskedInPermittedCharacters));
}

/** The end of a line is a space here too, and a mark nothing: each would be a full stop else. */
function ofTellable(write: (text: string) => string): (text: string) => string {
  return (text) => write(tellableText(text));
}

/** The same with the text at a path written otherwise, or that of each item on the way. */
function rewrite(value: unknown, path: readonly string[], write: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, path, write));
  const [name, ...below] = path;
  if (name === undefined) return typeof value === "string" ? write(value) : value;
  if (!isJsonObject(value) || value[name] === undefined) return value;
  return { ...value, [name]: rewrite(value[name], below, write) };
}
