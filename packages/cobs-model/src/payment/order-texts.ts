import { type Money, presentDecimal } from "../money.ts";
import type {
  FinancialInstitution,
  OtherIdentification,
  PostalAddress,
  RelatedParty,
} from "../transaction.ts";
import type { PaymentOrder } from "./payment-order.ts";

/** What the bank adds to an order: the day of execution, and the cost to the payer if known. */
export type ExecutionTerms = { readonly executionDate: string; readonly fee?: Money | undefined };

type Texts = Readonly<Record<string, string | undefined>>;

/** Amounts are approved in hundredths, whatever decimals the currency has (COBS 3.2.4.1). */
const SHOWN_DECIMALS = 2;

/**
 * Writes everything in an order, one text for each line of the page on which the PSU approves it (RTS Article 5(1)(a)): the
 * members of auth's order, by its names, in canonical bytes (RFC 8785). Absent elements have no member. The initiator of the
 * payment is left out: the page names the TPP by its certificate, not by its own claim.
 */
export function writeTextsOfOrder(order: PaymentOrder, paymentId: string, terms: ExecutionTerms): string {
  // The members are only texts, which `JSON.stringify` writes as RFC 8785 section 3.2.2.2 requires.
  return JSON.stringify(textsOfOrder(order, paymentId, terms));
}

/** Table: the members in the order of their UTF-16 code units (RFC 8785 section 3.2.3). */
function textsOfOrder(order: PaymentOrder, paymentId: string, { executionDate, fee }: ExecutionTerms): Texts {
  const { creditor, creditorAgent, creditorAccount, debtorAccount, symbols } = order;
  const hasIban = "iban" in creditorAccount;
  return {
    amount: presentHundredths(order.amount),
    chargeBearer: order.chargeBearer,
    constantSymbol: symbols.constant,
    creditorAddress: presentAddress(creditor?.postalAddress),
    creditorBank: presentBank(creditorAgent),
    creditorBic: creditorAgent?.bic,
    creditorCurrency: hasIban ? creditorAccount.currency : undefined,
    creditorIban: hasIban ? creditorAccount.iban : undefined,
    creditorName: creditor?.name,
    creditorNumber: hasIban ? undefined : creditorAccount.number,
    currency: order.amount.currency,
    debtorCurrency: debtorAccount.currency,
    debtorIban: debtorAccount.iban,
    endToEndIdentification: order.endToEndIdentification,
    executionDate,
    fee: fee && presentHundredths(fee),
    feeCurrency: fee?.currency,
    instructionIdentification: order.instructionIdentification,
    message: order.unstructured,
    paymentId,
    priority: order.priority,
    specificSymbol: symbols.specific,
    ultimateCreditor: presentParty(order.ultimateCreditor),
    ultimateDebtor: presentParty(order.ultimateDebtor),
    variableSymbol: symbols.variable,
  };
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

/** Everything except the BIC, which has a line of its own. */
function presentBank(bank: FinancialInstitution | undefined): string | undefined {
  if (bank === undefined) return undefined;
  const clearing = bank.clearingSystemMemberIdentification;
  const system = clearing?.clearingSystemIdentification;
  const systemName = system && ("code" in system ? system.code : system.proprietary);
  const member = join(" ", systemName, clearing?.memberIdentification);
  return join(", ", bank.name, presentAddress(bank.postalAddress), member, bank.other?.identification);
}

function presentParty(party: RelatedParty | undefined): string | undefined {
  if (party === undefined) return undefined;
  return join(", ", party.name, presentAddress(party.postalAddress), presentIdentification(party));
}

function presentIdentification({ identification }: RelatedParty): string | undefined {
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

/** Joins the parts that are present; undefined if there are none. */
function join(between: string, ...parts: readonly (string | undefined)[]): string | undefined {
  const given = parts.filter((part) => part !== undefined && part !== "");
  return given.length === 0 ? undefined : given.join(between);
}
