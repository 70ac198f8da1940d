import type { TransactionDetails } from "@cobs/cobs-model";
import type { DemoParty, PartyForm } from "./demo-party.ts";

/** The payer and the payee. */
export type Sides = { readonly debtor: DemoParty; readonly creditor: DemoParty };

/** Parties, accounts and banks of both sides of a payment, as it names them (COBS 3.1.5.1.3 to .5, A-39). */
export function relatedSides(
  { debtor, creditor }: Sides,
  form: "domestic" | "abroad",
): Pick<TransactionDetails, "relatedParties" | "relatedAgents"> {
  const [paying, paid] = [requireForm(debtor[form]), requireForm(creditor[form])];
  return {
    relatedParties: {
      debtor: paying.party,
      debtorAccount: paying.account,
      creditor: paid.party,
      creditorAccount: paid.account,
    },
    relatedAgents: { debtorAgent: paying.agent, creditorAgent: paid.agent },
  };
}

function requireForm(form: PartyForm | undefined): PartyForm {
  if (form === undefined) throw new TypeError("a party to a payment has an account and a bank");
  return form;
}
