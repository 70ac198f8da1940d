import { type ParseErrorCode, printParseErrorCode } from "jsonc-parser";

type FaultName = ReturnType<typeof printParseErrorCode>;

/** Table: faults of a text that is not JSON (RFC 8259), by the parser's name; in the characters that RFC 6749 5.2 allows. */
const FAULTS: Readonly<Record<FaultName, string>> = {
  InvalidSymbol: "there is something that is not JSON",
  InvalidNumberFormat: "a number is not in the form of JSON",
  PropertyNameExpected: "a member name in double quotation marks is missing",
  ValueExpected: "a value is missing",
  ColonExpected: "a colon is missing",
  CommaExpected: "a comma, or the end of the object or array, is missing",
  CloseBraceExpected: "the end of an object, }, is missing",
  CloseBracketExpected: "the end of an array, ], is missing",
  EndOfFileExpected: "something follows the value",
  InvalidCommentToken: "there is a comment, which JSON does not have",
  UnexpectedEndOfComment: "there is a comment, which JSON does not have",
  UnexpectedEndOfString: "a string has no closing quotation mark on its line",
  UnexpectedEndOfNumber: "a number is incomplete",
  InvalidUnicode: "a string has a Unicode escape without four hexadecimal digits",
  InvalidEscapeCharacter: "a string has an escape that JSON does not have",
  InvalidCharacter: "a string has a control character, which must be escaped",
  "<unknown ParseErrorCode>": "it does not follow RFC 8259",
};

/** Describes the fault that the parser found in a text; its place is reported separately. */
export function describeJsonFault(code: ParseErrorCode): string {
  return FAULTS[printParseErrorCode(code)];
}
