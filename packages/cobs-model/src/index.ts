/**
 * The nouns of COBS 2.0 as types, with their parsers and presenters. It owns what a request of the standard may contain and
 * how an answer is written; it knows no HTTP status, no database, no environment and no clock.
 */
export type { Account, Servicer } from "./account.ts";
export type { AccountListQuery, AccountSortField } from "./account-list-query.ts";
export { readAccountListQuery } from "./account-list-query.ts";
export { writeAccountList } from "./account-list-text.ts";
export type {
  Application,
  ApplicationRegistration,
  ApplicationType,
  LocalizedName,
  Scope,
} from "./application.ts";
export { SCOPES } from "./application.ts";
export {
  presentApplication,
  presentApplicationList,
  presentCreatedApplication,
  presentRenewedKey,
  presentRenewedSecret,
  presentUpdatedApplication,
} from "./application-document.ts";
export { parseApplicationRegistration } from "./application-registration.ts";
export type { Balance } from "./balance.ts";
export { BALANCE_TYPES } from "./balance.ts";
export { presentBalances } from "./balance-document.ts";
export type { BalanceQuery } from "./balance-query.ts";
export { readBalanceQuery } from "./balance-query.ts";
export {
  bankDayOf,
  daysBefore,
  endOfBankDay,
  isCalendarDay,
  startOfBankDay,
} from "./bank-day.ts";
export type { Span } from "./bank-time.ts";
export { findSpan, isDateOrTime } from "./bank-time.ts";
export { findBic } from "./bic.ts";
export { findCountryCode } from "./country-code.ts";
export type { CurrencyCode } from "./currency-code.ts";
export { findCurrencyCode, parseCurrencyCode } from "./currency-code.ts";
export { CURRENCY_UNKNOWN } from "./currency-query.ts";
export type { CzechAccountNumber } from "./czech-account-number.ts";
export {
  findCzechAccountNumber,
  parseCzechAccountNumber,
  presentCzechAccountNumber,
} from "./czech-account-number.ts";
export { presentErrors } from "./errors-document.ts";
export type { Iban } from "./iban.ts";
export { findCzechIbanParts, findIban, makeCzechIban, makeIban, parseIban, presentIban } from "./iban.ts";
export type { Language, Localized } from "./language.ts";
export { LANGUAGES, preferredLanguage } from "./language.ts";
export type { Sort } from "./list-parameters.ts";
export { MAX_PAGE_SIZE } from "./list-parameters.ts";
export type { AmountDocument, Money } from "./money.ts";
export {
  decimalsOf,
  findNumberText,
  keepNumber,
  parseAmount,
  parseDecimal,
  presentDecimal,
} from "./money.ts";
export type { AccountId, ApplicationId, PsuId } from "./opaque-ids.ts";
export { parseAccountId, parseApplicationId, parsePsuId } from "./opaque-ids.ts";
export type { Page, PageContent, PageRequest } from "./page.ts";
export { requireExistingPage } from "./page.ts";
export type { BalanceCheck, BalanceCheckDocument } from "./payment/balance-check.ts";
export { presentBalanceCheck, readBalanceCheck } from "./payment/balance-check.ts";
export { isBusinessDay, nextBusinessDay } from "./payment/bank-calendar.ts";
export { writeTextsOfOrder } from "./payment/order-texts.ts";
export type { InstructionStatus, PresentedPayment } from "./payment/payment-document.ts";
export { presentPayment, presentStatus } from "./payment/payment-document.ts";
export type {
  BankTerms,
  ChargeBearer,
  InstructionPriority,
  PaymentAccount,
  PaymentOrder,
  PaymentSymbols,
  PaymentType,
} from "./payment/payment-order.ts";
export { CHARGE_BEARERS, INSTRUCTION_PRIORITIES, PAYMENT_TYPES } from "./payment/payment-order.ts";
export { findAt } from "./payment/payment-request.ts";
export { maximumOf } from "./payment/payment-rules.ts";
export { findPaymentType } from "./payment/payment-type.ts";
export type { ExecutionPlan } from "./payment/plan-execution.ts";
export { planExecution } from "./payment/plan-execution.ts";
export { findFaultsOfAnyBank, readPaymentOrder } from "./payment/read-payment-order.ts";
export type {
  ReadSigningMethod,
  ReadSigningStep,
  Scenarios,
  SigningState,
} from "./payment/signing-document.ts";
export {
  presentSigning,
  presentSigningOutcome,
  presentSigningStart,
  readSigningMethod,
  readSigningStep,
} from "./payment/signing-document.ts";
export { inPermittedCharacters, maskedInPermittedCharacters } from "./permitted-reference.ts";
export type { PublicJwks, PublishedJwks } from "./public-jwks.ts";
export { findPublicJwk, findPublishedJwks, thumbprintOfJwk } from "./public-jwks.ts";
export { isAtOrigin, type RedirectUri } from "./redirect-uri.ts";
export type { CobsErrorCode, Fault, FaultParameters } from "./refusal.ts";
export { ContentRefusal, RegistrationRefusal } from "./refusal.ts";
export type { SecurityProfile } from "./security-profile.ts";
export { securityProfileOf } from "./security-profile.ts";
export type { DetailsText, StoredTransaction } from "./stored-transaction.ts";
export { readStoredTransaction } from "./stored-transaction.ts";
export { BLANK_SIGNS, hasUnsafeCharacters, isWithin } from "./text.ts";
export type {
  FinancialInstitution,
  PostalAddress,
  RelatedAccount,
  RelatedParty,
  Transaction,
  TransactionDetails,
} from "./transaction.ts";
export type { TransactionCode } from "./transaction-code.ts";
export { familyOf, isDirectDebit, parseTransactionCode } from "./transaction-code.ts";
export type { TransactionListQuery, TransactionSortField } from "./transaction-list-query.ts";
export { readTransactionListQuery, TRANSACTION_SORT_FIELDS } from "./transaction-list-query.ts";
export { writeTransactionList } from "./transaction-list-text.ts";
export { requireTransaction } from "./transaction-rules.ts";
