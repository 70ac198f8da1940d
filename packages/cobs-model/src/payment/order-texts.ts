import { type Money, presentDecimal } from "../money.ts";
import type {
  FinancialInstitution,
  OtherIdentification,
  PostalAddress,
  RelatedParty,
} from "../transaction.ts";
import type { PaymentOrder } from "./payment-order.ts";

/** What the bank adds to an order: the day on which it is executed, and what it costs the payer where that is known. */
export type ExecutionTerms = { readonly executionDate: string; readonly fee?: Money | undefined };

type Texts = Readonly<Record<string, string | undefined>>;

/** Amounts are approved in hundredths, whatever the currency has (COBS 5.2.4). */
const SHOWN_DECIMALS = 2;

/**
 * Everything that an order says, one text for each line of the page on which the PSU approves it (RTS Article 5(1)(a)): the
 * members of auth's order, by its names. What is absent has no member.
 */
export function textsOfOrder(
  order: PaymentOrder,
  paymentId: string,
  terms: ExecutionTerms,
): Readonly<Record<string, string>> {
  return joinGiven([
    textsOfPayee(order),
    textsOfMessage(order),
    textsOfPayer(order),
    textsOfTerms(terms),
    { instructionIdentification: order.instructionIdentification, paymentId },
  ]);
}

function textsOfPayee({ creditor, creditorAgent, creditorAccount, ultimateCreditor }: PaymentOrder): Texts {
  return {
    creditorName: creditor?.name,
    creditorAddress: presentAddress(creditor?.postalAddress),
    creditorIban: "iban" in creditorAccount ? creditorAccount.iban : undefined,
    creditorNumber: "number" in creditorAccount ? creditorAccount.number : undefined,
    creditorBic: creditorAgent?.bic,
    creditorBank: presentBank(creditorAgent),
    ultimateCreditor: presentParty(ultimateCreditor),
  };
}

function textsOfMessage({ unstructured, symbols }: PaymentOrder): Texts {
  return {
    message: unstructured,
    variableSymbol: symbols.variable,
    constantSymbol: symbols.constant,
    specificSymbol: symbols.specific,
  };
}

function textsOfPayer(order: PaymentOrder): Texts {
  return {
    amount: presentHundredths(order.amount),
    currency: order.amount.currency,
    debtorIban: order.debtorAccount.iban,
    ultimateDebtor: presentParty(order.ultimateDebtor),
    priority: order.priority,
    endToEndIdentification: order.endToEndIdentification,
    chargeBearer: order.chargeBearer,
  };
}

function textsOfTerms({ executionDate, fee }: ExecutionTerms): Texts {
  return { executionDate, fee: fee && presentHundredths(fee), feeCurrency: fee?.currency };
}

function joinGiven(parts: readonly Texts[]): Readonly<Record<string, string>> {
  const given: Record<string, string> = {};
  for (const part of parts)
    for (const [name, text] of Object.entries(part)) if (text !== undefined) given[name] = text;
  return given;
}

function presentHundredths(money: Money): string {
  const [whole = "", fraction = ""] = presentDecimal(money).split(".");
  if (/[1-9]/.test(fraction.slice(SHOWN_DECIMALS))) throw new RangeError("an amount in less than hundredths");
  return `${whole}.${fraction.padEnd(SHOWN_DECIMALS, "0").slice(0, SHOWN_DECIMALS)}`;
}

function presentAddress(address: PostalAddress | undefined): string | undefined {
  if (address === undefined) return undefined;
  const { streetName, buildingNumber, postCode, townName, addressLine = [], country } = address;
  const street = join(" ", streetName, buildingNumber);
  return join(", ", street, join(" ", postCode, townName), ...addressLine, country);
}

/** All but the BIC, which has a line of its own. */
function presentBank(bank: FinancialInstitution | undefined): string | undefined {
  const clearing = bank?.clearingSystemMemberIdentification;
  const system = clearing?.clearingSystemIdentification;
  const systemName = system && ("code" in system ? system.code : system.proprietary);
  const member = join(" ", systemName, clearing?.memberIdentification);
  return join(", ", bank?.name, presentAddress(bank?.postalAddress), member, bank?.other?.identification);
}

function presentParty(party: RelatedParty | undefined): string | undefined {
  return join(", ", party?.name, presentAddress(party?.postalAddress), presentIdentification(party));
}

function presentIdentification(party: RelatedParty | undefined): string | undefined {
  const identification = party?.identification;
  if (identification === undefined) return undefined;
  if ("privateIdentification" in identification)
    return presentOther(identification.privateIdentification.other);
  const { bicOrBei, other } = identification.organisationIdentification;
  return join(", ", bicOrBei, presentOther(other));
}

function presentOther([other]: readonly OtherIdentification[] = []): string | undefined {
  const scheme = other?.schemeName;
  const schemeName = scheme && ("code" in scheme ? scheme.code : scheme.proprietary);
  return join(" ", schemeName, other?.identification, other?.issuer && `(${other.issuer})`);
}

/** The parts that are there; undefined without any. */
function join(between: string, ...parts: readonly (string | undefined)[]): string | undefined {
  const given = parts.filter((part) => part !== undefined && part !== "");
  return given.length === 0 ? undefined : given.join(between);
}
