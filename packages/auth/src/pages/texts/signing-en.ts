/** What the pages of signing say, in English. */
export const signingEn = {
  phrases: {
    order_title: "Do you approve this payment?",
    order_lead:
      "{tpp} has sent us this order in your name. Read every line: we pay exactly what is written here, and only if you approve it.",
    order_heading: "Payment order",
    order_amount: "Amount",
    order_exchange_made:
      "The account that you pay from is not kept in {currency}. We convert the amount at our exchange rate, so what we debit may differ from a conversion that you have seen elsewhere.",
    order_exchange_unknown:
      "If the account that you pay from is not kept in {currency}, we convert the amount at our exchange rate, and what we debit may differ from a conversion that you have seen elsewhere.",
    order_creditorName: "Payee",
    order_creditorAddress: "Payee’s address",
    order_creditorIban: "To account",
    order_creditorNumber: "To account",
    order_creditorCurrency: "Currency of the payee’s account",
    order_creditorBic: "Payee’s bank (BIC)",
    order_creditorBank: "Payee’s bank",
    order_ultimateCreditor: "Final payee",
    order_debtorIban: "From account",
    order_debtorCurrency: "Currency of your account",
    order_ultimateDebtor: "Original payer",
    order_executionDate: "Date of execution",
    order_soon: "As soon as it is approved",
    order_priority: "Type of payment",
    order_priority_NORM: "Standard payment",
    order_priority_HIGH: "Priority payment",
    order_priority_INST: "Instant payment",
    order_message: "Message for the payee",
    order_variableSymbol: "Variable symbol",
    order_constantSymbol: "Constant symbol",
    order_specificSymbol: "Specific symbol",
    order_endToEndIdentification: "Payer’s reference",
    order_purpose: "Purpose",
    order_chargeBearer: "Bank charges",
    order_chargeBearer_DEBT: "You pay all of them",
    order_chargeBearer_CRED: "The payee pays all of them",
    order_chargeBearer_SHAR: "You and the payee each pay your own bank",
    order_chargeBearer_SLEV: "You and the payee each pay your own bank",
    order_fee: "Our fee",
    order_instructionIdentification: "Reference of the application",
    order_paymentId: "Reference of the payment",
    order_wait_until:
      "The order waits for you until {time} Prague time on {date}. If you do not decide, it is not paid.",
    bound_code_heading: "Approve with a code",
    bound_code: "Code from our message",
    bound_code_hint:
      "We have sent you a message with eight digits. They are valid for this order only, and for five minutes only. Approve only if the message names the same amount and the same account of the payee.",
    bound_code_text:
      "{bank}: code {code} approves a payment of {amount} to account {account}, payee “{payee}”. Enter it on our page only and never tell it to anybody. If you did not order this payment, contact us.",
    bound_code_text_account:
      "{bank}: code {code} approves a payment of {amount} to account {account}. Enter it on our page only and never tell it to anybody. If you did not order this payment, contact us.",
    order_next:
      "If you approve, we confirm it here and show you the way back to {host}. If you refuse, you return there at once, and the order cannot be approved any more.",
    order_next_application:
      "If you approve, we confirm it here and show you the way back to the application. If you refuse, you return there at once, and the order cannot be approved any more.",
    approve_payment: "Approve payment",
    refuse_payment: "Refuse payment",
    new_code: "Send a new code",
    done_code_sent: "We have sent you a new code. The earlier one is no longer valid.",
    sign_in_as_other: "Sign in as somebody else",
    decided_at: "Time: {time}",
    inbox_link: "Sandbox: open the messages",
    inbox_title: "Sandbox messages",
    inbox_lead: "This page takes the place of a phone. A bank sends its messages to the customer alone.",
    inbox_empty: "There are no messages.",
    passkey_order_heading: "Approve with a passkey",
    passkey_order_hint: "You need no code then. The passkey approves this order and no other.",
    passkey_approve: "Approve with a passkey",
    passkey_order_elsewhere: "Passkeys do not work in this browser. Open the page in another one.",
    fault_passkey_wrong: "This passkey has not approved this order. Try again, or enter the code.",
    fault_passkey_wrong_alone: "This passkey has not approved this order. Try again.",
    fault_bound_code_missing: "Enter the code from our message",
    fault_bound_code_none: "No code is valid for this order in this browser now. Have a new one sent.",
    fault_bound_code_wrong:
      "This code does not approve this order. Enter the newest one, or have a new one sent; each is valid for five minutes. After five wrong codes the order is refused, or approving is stopped for a quarter of an hour.",
    fault_code_undelivered: "We could not send you the code. Have a new one sent.",
    fault_codes_used_up: "We cannot send another code for this order. Enter the newest one.",
    fault_codes_of_hour_used_up:
      "We cannot send you another code now. Enter the last one that came for this order.",
    fault_code_none: "We cannot send you a code for this order now. Try to approve it with your passkey.",
  },
  messages: {
    signing_approved: {
      title: "You have approved the payment",
      lead: "We have accepted the order. You will see in your account whether it has been paid.",
      advice: ["Return to the application."],
    },
    signing_declined: {
      title: "You have refused the payment",
      lead: "Nothing will be paid.",
      advice: ["Return to the application."],
    },
    signing_tries_exhausted: {
      title: "The payment has been refused",
      lead: "The code or the passkey was wrong five times. Nothing will be paid.",
      advice: [
        "If you want to pay, return to the application and order the payment again. You may have to wait a quarter of an hour before you can approve it.",
        "If it was not you who tried, contact us.",
      ],
    },
    signing_cancelled: {
      title: "The order was cancelled",
      lead: "The order was cancelled before you decided. Nothing will be paid.",
      advice: ["Return to the application."],
    },
    signing_consent_ended: {
      title: "This order can no longer be approved",
      lead: "The access of this application to payments from your accounts ended before you decided. Nothing will be paid.",
      advice: [
        "If you want to pay, return to the application, give it a new consent and order the payment again.",
      ],
    },
    signing_expired: {
      title: "The time for this order has run out",
      lead: "It was not decided in time. Nothing will be paid.",
      advice: ["If you want to pay, return to the application and order the payment again."],
    },
    signing_unknown: {
      title: "There is no such order",
      lead: "The address may be incomplete or mistyped. Opening this page has paid nothing.",
      advice: ["Return to the application that sent you here and start again."],
    },
    signing_withdrawn: {
      title: "This order can no longer be approved",
      lead: "The application that sent it is no longer registered with us for that. Nothing will be paid.",
      advice: ["Close this page.", "If you want to know more, contact us and give the reference below."],
    },
    signing_tpp_blocked: {
      title: "We have blocked the company behind this application",
      lead: "It has no access to your accounts with us at present. We are not sending you back to the application. The order can no longer be approved, and nothing will be paid.",
      advice: [
        "Close this page. Do not enter your sign-in details in the application.",
        "If you want to know more, contact us and give the reference below.",
      ],
    },
    signing_other_psu: {
      title: "This order is not yours to approve",
      lead: "You are signed in as {name}. This order is somebody else’s, so we do not show it. Nothing has been paid.",
      advice: [
        "If the order is yours, sign in under your own name.",
        "Otherwise return to the application and choose your own account there.",
      ],
    },
    signing_codes_used_up: {
      title: "We cannot send another code for this order",
      lead: "We have sent as many codes as we send for one order, and none of them is valid in this browser. Nothing has been paid.",
      advice: ["If you want to pay, return to the application and order the payment again."],
    },
    signing_code_undelivered: {
      title: "We could not send you the code",
      lead: "A code that still arrives will approve nothing. Nothing has been paid.",
      advice: ["Try again in a moment: we will send you a new code."],
    },
    signing_held_off: {
      title: "Payments cannot be approved for a while",
      lead: "There were too many wrong codes or passkeys, or too many messages. This ends by itself at {time} Prague time. Nothing has been paid.",
      advice: ["Try again after {time}.", "If it was not you who tried, contact us."],
    },
  },
};
