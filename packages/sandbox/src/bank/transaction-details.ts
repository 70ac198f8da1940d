/**
 * Details of the demo bank's transactions, in the form of each family (COBS 3.1.5.1): payments have parties and banks of both
 * sides; cash, cards, interest and fees have none.
 */
import {
  familyOf,
  isDirectDebit,
  type Localized,
  parseCurrencyCode,
  presentDecimal,
  type TransactionDetails,
} from "@cobs/cobs-model";
import type { Habit } from "./account-plan.ts";
import { BOOKING_KINDS, type BookingKind } from "./booking-kinds.ts";
import { type DemoParty, withoutDiacritics } from "./demo-party.ts";
import type { Exchange } from "./exchange-rates.ts";
import type { OpenedLedger } from "./open-accounts.ts";
import { openRandom, pickDigits, pickWhole, type Random } from "./random.ts";
import { relatedSides, type Sides } from "./transaction-sides.ts";

/** What happened, and between whom. */
export type Occasion = {
  readonly own: Pick<OpenedLedger, "currency" | "party" | "maskedCard">;
  readonly habit: Habit;
  readonly kind: BookingKind;
  readonly other: DemoParty | undefined;
  readonly exchanged: Exchange | undefined;
  readonly random: Random;
};

/** The details that both sides read. */
export function detailsOf(occasion: Occasion): TransactionDetails {
  const { other, kind } = occasion;
  const family = familyOf(kind.code);
  if (other === undefined || family === "plain" || family === "fee") return plainDetails(occasion);
  const sides = sidesOf(occasion, other);
  if (family === "domestic") return domesticDetails(occasion, sides);
  return family === "sepa" ? sepaDetails(occasion, sides) : foreignDetails(occasion, sides);
}

function sidesOf({ own, kind }: Occasion, other: DemoParty): Sides {
  return kind.direction === "in"
    ? { debtor: other, creditor: own.party }
    : { debtor: own.party, creditor: other };
}

/**
 * Details of cards and cash have a place, those of cards also a number (COBS 3.1.5.1.6); fees and interest have only a text.
 */
function plainDetails(occasion: Occasion): TransactionDetails {
  const { other, habit } = occasion;
  const unstructured = habit.message ?? other?.name;
  return {
    ...plainReferences(occasion),
    ...amountsOf(occasion),
    ...(unstructured !== undefined && { remittanceInformation: { unstructured } }),
    additionalTransactionInformation: textOf(occasion),
  };
}

/** A card's masked number goes where the number of a cheque would. */
function plainReferences({ own, kind, random }: Occasion): Pick<TransactionDetails, "references"> {
  if (kind === BOOKING_KINDS.cheque) return { references: { chequeNumber: pickDigits(random, 8) } };
  if (!kind.code.startsWith("3")) return {};
  const references = { paymentInformationIdentification: "001", clearingSystemReference: "MASTERCARD" };
  return { references: { ...references, chequeNumber: own.maskedCard } };
}

function domesticDetails(occasion: Occasion, sides: Sides): TransactionDetails {
  const reference = symbolsOf(occasion, sides);
  const { habit, kind } = occasion;
  const { message } = habit;
  return {
    ...(kind.isInstant && { references: { clearingSystemReference: "INST" } }),
    ...relatedSides(sides, "domestic"),
    ...((message !== undefined || reference.length > 0) && {
      remittanceInformation: {
        ...(message !== undefined && { unstructured: message }),
        ...(reference.length > 0 && { structured: { creditorReferenceInformation: { reference } } }),
      },
    }),
    additionalTransactionInformation: textOf(occasion),
  };
}

/** Adds the mandate and the collecting creditor of a direct debit (COBS 3.1.5.1.4). */
function sepaDetails(occasion: Occasion, sides: Sides): TransactionDetails {
  const { habit, kind, random } = occasion;
  const { message, purpose } = habit;
  const isDebit = isDirectDebit(kind.code);
  return {
    references: {
      endToEndIdentification: `E2E${pickDigits(random, 12)}`,
      ...(isDebit && { mandateIdentification: `M${contractOf(sides)}` }),
      ...(kind.isInstant && { clearingSystemReference: "INST" }),
    },
    ...relatedSides(sides, "abroad"),
    ...(purpose !== undefined && { purpose: { code: purpose } }),
    ...(message !== undefined && { remittanceInformation: { unstructured: withoutDiacritics(message) } }),
    additionalTransactionInformation: isDebit ? debitTextOf(occasion, sides) : textOf(occasion),
  };
}

function foreignDetails(occasion: Occasion, sides: Sides): TransactionDetails {
  const { habit, random } = occasion;
  const { message, bearer = "SHA" } = habit;
  return {
    references: { accountServicerReference: `ZPS${pickDigits(random, 10)}` },
    ...amountsOf(occasion),
    charges: { bearer },
    ...relatedSides(sides, "abroad"),
    ...(message !== undefined && { remittanceInformation: { unstructured: withoutDiacritics(message) } }),
    additionalTransactionInformation: textOf(occasion),
  };
}

/** The amount ordered in another currency, and its counterpart in the account's. */
function amountsOf({ own, habit, exchanged }: Occasion): Pick<TransactionDetails, "amountDetails"> {
  const currency = habit.ordered ?? habit.exchangedTo;
  if (currency === undefined || exchanged === undefined) return {};
  const ordered = presentDecimal({ minor: exchanged.ordered, currency: parseCurrencyCode(currency) });
  const amount = presentDecimal({ minor: exchanged.amount, currency: own.currency });
  const currencyExchange = {
    sourceCurrency: own.currency,
    targetCurrency: currency,
    exchangeRate: exchanged.rate,
  };
  return {
    amountDetails: {
      instructedAmount: { amount: { value: ordered, currency } },
      counterValueAmount: { amount: { value: amount, currency: own.currency }, currencyExchange },
    },
  };
}

function textOf({ habit, kind }: Occasion): Localized {
  return habit.text ?? kind.text;
}

function debitTextOf(occasion: Occasion, { creditor }: Sides): Localized {
  const { cs, en } = textOf(occasion);
  const scheme = /usiness/.test(occasion.habit.kind) ? "B2B" : "CORE";
  const collected = `${scheme}, RCUR, ${creditor.creditorIdentifier}`;
  return { cs: `${cs}, ${collected}`, en: `${en}, ${collected}` };
}

/** `VS:` and `KS:`, if given (COBS 4.27). */
function symbolsOf({ habit, random }: Occasion, sides: Sides): readonly string[] {
  const { variableSymbol, constantSymbol } = habit;
  return [
    ...(variableSymbol === "invoice" ? [`VS:20${pickWhole(random, 100_000, 999_999)}`] : []),
    ...(variableSymbol === "contract" ? [`VS:7${contractOf(sides)}`] : []),
    ...(constantSymbol === undefined ? [] : [`KS:${constantSymbol}`]),
  ];
}

/** Nine digits, the same each time for two parties. */
function contractOf({ debtor, creditor }: Sides): string {
  return pickDigits(openRandom(`contract ${debtor.name} ${creditor.name}`), 9);
}
