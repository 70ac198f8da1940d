/**
 * One transaction of an account (COBS 3.1.5). Its details have the names and levels of the standard and consist only of JSON,
 * with numbers as decimal texts, so that they can be stored and passed on without loss. `transaction-rules.ts` says which of
 * them a kind of transaction must, may and must not have.
 */
import type { Localized } from "./language.ts";
import type { Money } from "./money.ts";
import type { TransactionCode } from "./transaction-code.ts";

/** An amount inside of details; `value` is unsigned and decimal, e.g. `1250.00`. */
export type AmountText = { readonly value: string; readonly currency: string };

/** An address, structured or in lines (COBS 4.10.1.4). */
export type PostalAddress = {
  readonly streetName?: string;
  readonly buildingNumber?: string;
  readonly postCode?: string;
  readonly townName?: string;
  readonly country?: string;
  readonly addressLine?: readonly string[];
};

/** An identification under a scheme. */
export type OtherIdentification = {
  readonly identification?: string;
  readonly schemeName?: { readonly code: string } | { readonly proprietary: string };
  readonly issuer?: string;
};

/** How a party is identified (COBS 4.13). */
export type PartyIdentification =
  | {
      readonly organisationIdentification: {
        readonly bicOrBei?: string;
        readonly other?: readonly OtherIdentification[];
      };
    }
  | { readonly privateIdentification: { readonly other?: readonly OtherIdentification[] } };

/** A party to a payment. */
export type RelatedParty = {
  readonly name?: string;
  readonly postalAddress?: PostalAddress;
  readonly identification?: PartyIdentification;
};

/** The account of a party (COBS 4.9). */
export type RelatedAccount = {
  readonly identification:
    | { readonly iban: string }
    | { readonly other: { readonly identification: string } };
  readonly currency?: string;
  readonly name?: string;
};

/** The bank of a party (COBS 4.10). */
export type FinancialInstitution = {
  readonly bic?: string;
  readonly clearingSystemMemberIdentification?: {
    readonly clearingSystemIdentification?: { readonly code: string } | { readonly proprietary: string };
    readonly memberIdentification: string;
  };
  readonly name?: string;
  readonly postalAddress?: PostalAddress;
  readonly other?: { readonly identification: string };
};

type Agent = { readonly financialInstitutionIdentification: FinancialInstitution };

/** `entryDetails.transactionDetails` (COBS 3.1.5.1, 4.14). */
export type TransactionDetails = {
  readonly references?: {
    readonly messageIdentification?: string;
    readonly accountServicerReference?: string;
    readonly paymentInformationIdentification?: string;
    readonly instructionIdentification?: string;
    readonly endToEndIdentification?: string;
    readonly mandateIdentification?: string;
    readonly chequeNumber?: string;
    readonly clearingSystemReference?: string;
  };
  readonly amountDetails?: {
    readonly instructedAmount?: { readonly amount: AmountText };
    readonly counterValueAmount?: {
      readonly amount?: AmountText;
      readonly currencyExchange?: {
        readonly sourceCurrency: string;
        readonly targetCurrency?: string;
        /** As a decimal text. */
        readonly exchangeRate: string;
      };
    };
  };
  readonly charges?: { readonly bearer: "OUR" | "SHA" | "BEN" };
  readonly relatedParties?: {
    readonly debtor?: RelatedParty;
    readonly debtorAccount?: RelatedAccount;
    readonly ultimateDebtor?: RelatedParty;
    readonly creditor?: RelatedParty;
    readonly creditorAccount?: RelatedAccount;
    readonly ultimateCreditor?: RelatedParty;
  };
  readonly relatedAgents?: { readonly debtorAgent?: Agent; readonly creditorAgent?: Agent };
  readonly purpose?: { readonly code: string } | { readonly proprietary: string };
  readonly remittanceInformation?: {
    readonly unstructured?: string;
    /** Symbols (COBS 4.27), each at most once, e.g. `VS:2024005`. */
    readonly structured?: {
      readonly creditorReferenceInformation: { readonly reference: readonly string[] };
    };
  };
  /** The bank's free text, in every language of the API or in one. */
  readonly additionalTransactionInformation?: string | Localized;
};

/** One item of an account's history; `null` or absent is unknown to the bank. */
export type Transaction = {
  readonly entryReference: string | null;
  /** Unsigned, in the currency of the account. */
  readonly amount: Money;
  readonly direction: "CRDT" | "DBIT";
  /** True if it cancels an earlier one. */
  readonly isReversal: boolean;
  /** Posted, or blocked and not posted yet. */
  readonly status: "BOOK" | "PDNG";
  /** ISODate or ISODateTime, as written (COBS 3.1.5). */
  readonly bookingDate: string;
  readonly valueDate: string;
  readonly code: TransactionCode;
  readonly details: TransactionDetails | null;
};

/** A transaction as handed over and stored: only JSON; unknown members are null or absent. */
export type TransactionJson = {
  readonly entryReference?: string | null;
  /** Unsigned. */
  readonly amount: AmountText;
  readonly direction: "CRDT" | "DBIT";
  readonly isReversal?: boolean | null;
  readonly status: "BOOK" | "PDNG";
  readonly bookingDate: string;
  readonly valueDate: string;
  readonly code: string;
  readonly details?: TransactionDetails | null;
};
