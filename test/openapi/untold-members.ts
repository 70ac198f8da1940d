/**
 * Tables: members and values of a choice that are described, and that the calls of the conformance to the description are not
 * told. What is not in them has to come.
 */

/** No entry of the small bank has them; the core system's may, and `test/cobs-model` writes each. */
const OF_OTHER_ENTRIES: readonly string[] = [
  "Balance.type.codeOrProprietary.code=CLBD",
  "TransactionDetails.references.messageIdentification",
  "TransactionDetails.references.paymentInformationIdentification",
  "TransactionDetails.references.instructionIdentification",
  "TransactionDetails.charges.bearer=OUR",
  "TransactionDetails.charges.bearer=BEN",
  "Party.postalAddress",
  "PostalAddress.streetName",
  "PostalAddress.buildingNumber",
  "PostalAddress.postCode",
  "PostalAddress.townName",
  "PostalAddress.country",
  "PostalAddress.addressLine",
  "Party.identification",
  "PartyIdentification.organisationIdentification",
  "PartyIdentification.organisationIdentification.bicOrBei",
  "PartyIdentification.organisationIdentification.other",
  "OtherIdentification.identification",
  "OtherIdentification.schemeName",
  "CodeOrProprietary.code",
  "CodeOrProprietary.proprietary",
  "OtherIdentification.issuer",
  "PartyIdentification.privateIdentification",
  "PartyIdentification.privateIdentification.other",
  "PartyAccount.identification.other",
  "PartyAccount.identification.other.identification",
  "PartyAccount.currency",
  "PartyAccount.name",
  "TransactionDetails.relatedParties.ultimateDebtor",
  "TransactionDetails.relatedParties.ultimateCreditor",
  "Agent.financialInstitutionIdentification.clearingSystemMemberIdentification",
  "Agent.financialInstitutionIdentification.clearingSystemMemberIdentification.clearingSystemIdentification",
  "Agent.financialInstitutionIdentification.clearingSystemMemberIdentification.memberIdentification",
  "Agent.financialInstitutionIdentification.name",
  "Agent.financialInstitutionIdentification.postalAddress",
  "TransactionDetails.purpose",
];

/** No order of the calls has them; an order is told as it was sent, and its elements are read in `lengths.test.ts`. */
const OF_OTHER_ORDERS: readonly string[] = [
  "Payment.paymentTypeInformation.instructionPriority=HIGH",
  "Payment.chargeBearer=DEBT",
  "Payment.chargeBearer=CRED",
  "PaymentParty.postalAddress",
  "PaymentAddress.streetName",
  "PaymentAddress.buildingNumber",
  "PaymentAddress.postCode",
  "PaymentAddress.townName",
  "PaymentPartyIdentification.organisationIdentification",
  "PaymentPartyIdentification.organisationIdentification.bicOrBei",
  "PaymentPartyIdentification.organisationIdentification.other",
  "PaymentOtherIdentification.schemeName",
  "PaymentOtherIdentification.schemeName.proprietary",
  "PaymentInstitution.clearingSystemMemberIdentification",
  "PaymentClearingSystemMember.clearingSystemIdentification",
  "PaymentClearingSystemMember.clearingSystemIdentification.code",
  "PaymentClearingSystemMember.clearingSystemIdentification.proprietary",
  "PaymentClearingSystemMember.memberIdentification",
  "PaymentInstitution.postalAddress",
  "PaymentInstitution.other",
  "PaymentInstitution.other.identification",
  "PaymentCreditorAccount.currency",
  "Payment.ultimateCreditor",
];

/** It depends on the moment whether a payment is told in them; `signing.test.ts` has all of an authorization. */
const OF_MOMENT: readonly string[] = [
  "SignInfo.state=REJECT",
  "SignInfo.state=CLOSE",
  "Payment.instructionStatus=ACSP",
  "Payment.instructionStatus=RJCT",
  "Payment.instructionStatus=ACWC",
  "Payment.statusChangeInfo",
  "Payment.requestedExecutionDate",
  "PaymentStatus.instructionStatus=ACTC",
  "PaymentStatus.instructionStatus=ACSP",
  "PaymentStatus.instructionStatus=ACWC",
  "PaymentStatus.statusChangeInfo",
];

/** What the resource server does not tell. */
export const UNTOLD_BY_RESOURCE: readonly string[] = [...OF_OTHER_ENTRIES, ...OF_OTHER_ORDERS, ...OF_MOMENT];

/** What a TPP registers is told as it was registered, in the same words for all values. */
export const REGISTERED =
  /^(Created|Updated)?Application\.(applicationType=|logo_uri$|contact$|token_endpoint_auth_method=|jwks)/;
