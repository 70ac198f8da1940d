import { type ParseErrorCode, printParseErrorCode } from "jsonc-parser";

type FaultName = ReturnType<typeof printParseErrorCode>;

/** Table: faults of a text that is not JSON (RFC 8259), by the parser's name; in the characters that RFC 6749 5.2 allows. */
const FAULTS: Readonly<Record<FaultName, string>> = {
  InvalidSymbol: "there is something that is neither a value nor a token of JSON",
  InvalidNumberFormat: "a number is not written as in JSON",
  PropertyNameExpected: "a member name in double quotation marks is missing",
  ValueExpected: "a value is missing",
  ColonExpected: "a colon is missing",
  CommaExpected: "a comma, or the end of the object or array, is missing",
  CloseBraceExpected: "the end of an object, }, is missing",
  CloseBracketExpected: "the end of an array, ], is missing",
  EndOfFileExpected: "something follows the value",
  InvalidCommentToken: "there is a comment, which JSON does not have",
  UnexpectedEndOfComment: "there is a comment, which JSON does not have",
  UnexpectedEndOfString: "a text begins that has no closing quotation mark on its line",
  UnexpectedEndOfNumber: "a number begins that breaks off",
  InvalidUnicode: "a text begins that has an escape of Unicode without four hexadecimal digits",
  InvalidEscapeCharacter:
    "a text begins that has a backslash before a character that it does not escape in JSON",
  InvalidCharacter: "a text begins that has a control character, which has to be escaped",
  "<unknown ParseErrorCode>": "it does not follow RFC 8259",
};

/** Describes the fault that the parser found in a text; its place is reported separately. */
export function describeJsonFault(code: ParseErrorCode): string {
  return FAULTS[printParseErrorCode(code)];
}
