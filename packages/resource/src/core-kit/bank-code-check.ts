import { findCzechIbanParts } from "@cobs/cobs-model";
import { type KitCheck, NotShown, requireSo } from "./kit-check.ts";

/** Checks that the code of the bank is one of its accounts (clause 6.1): a payee of the bank is told from others by it. */
export const BANK_CODE_OF_ACCOUNTS: KitCheck = {
  clause: "6.1",
  title: "The code of the bank is in the Czech IBAN of an account of the PSU",
  show: async (scene) => {
    const terms = await scene.terms();
    const { bankCode } = terms;
    const codes = (await scene.accounts()).flatMap(({ iban }) => findCzechIbanParts(iban)?.bankCode ?? []);
    if (codes.length === 0) throw new NotShown("no account of the PSU has a Czech IBAN");
    const others = [...new Set(codes)].join(", ");
    requireSo(codes.includes(bankCode), `bankCode is ${bankCode}, but the IBANs have ${others}`, terms);
    return bankCode;
  },
};
