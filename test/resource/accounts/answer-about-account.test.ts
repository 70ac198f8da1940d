import {
  type AccountId,
  ContentRefusal,
  type Fault,
  parseAccountId,
  parseCurrencyCode,
  parsePsuId,
} from "@cobs/cobs-model";
import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import { expect } from "chai";
import {
  type AccountInput,
  answerAboutAccount,
} from "../../../packages/resource/src/accounts/answer-about-account.ts";
import { requireConsentedAccount } from "../../../packages/resource/src/accounts/require-consented-account.ts";
import { BankRefusal, type BankRefusalCode } from "../../../packages/resource/src/bank/bank-refusal.ts";
import type { ConsentId } from "../../../packages/resource/src/introspection/token-introspection.ts";
import type { AccountCall } from "../../../packages/resource/src/unattended/unattended-accesses.ts";
import { rejectionOf } from "../../support/rejection.ts";

const OWN = parseAccountId("own");
const INPUT: AccountInput = { id: "own", currency: undefined, faults: [], unattended: false };
const FAULT: Fault = { code: "PARAMETER_INVALID", path: "page", message: "page is not a page number" };
const admission = {
  psu: parsePsuId("psu"),
  accounts: [OWN],
  consentId: "consent" as ConsentId,
  tpp: { organisationIdentifier: parseOrganisationIdentifier("PSDCZ-CNB-99000011") },
};

describe("an answer about an account", () => {
  /** What was asked for, in order. */
  let asked: string[];
  beforeEach(() => {
    asked = [];
  });

  const refuse = (code: BankRefusalCode) => Promise.reject(new BankRefusal(code));
  function answer(
    input: Partial<AccountInput>,
    told: { ask?: () => Promise<string>; currencies?: string[] } = {},
  ) {
    const parts = {
      bank: {
        currenciesOf: async ({ account }: { readonly account: AccountId }) => {
          asked.push(`currencies of ${account}`);
          if (told.currencies === undefined) return refuse("account_unknown");
          return told.currencies.map((currency) => parseCurrencyCode(currency));
        },
      },
      accesses: {
        within: async <T>({ account, unattended }: AccountCall, work: () => Promise<T>) => {
          asked.push(`access to ${account}${unattended ? " unattended" : ""}`);
          return work();
        },
      },
    };
    const question = { admission, resource: "balance", input: { ...INPUT, ...input } } as const;
    return answerAboutAccount(parts, question, async ({ account }) => {
      asked.push(`answer about ${account}`);
      return (await told.ask?.()) ?? "answered";
    });
  }

  async function faultsOf(answered: Promise<unknown>): Promise<readonly (string | undefined)[]> {
    const error = await rejectionOf(answered);
    if (!(error instanceof ContentRefusal)) throw error;
    return error.faults.map(({ code, path }) => `${code} ${path}`);
  }

  it("takes one question to the bank, within one access", async () => {
    expect(await answer({ unattended: true })).to.equal("answered");
    expect(asked).to.deep.equal(["access to own unattended", "answer about own"]);
  });

  it("is refused without asking the bank or counting an access when the consent lacks the account", async () => {
    for (const id of ["other", "", "OWN", "own ", "__proto__"])
      expect(await faultsOf(answer({ id, faults: [FAULT] }))).to.deep.equal(["ID_NOT_FOUND id"]);
    expect(asked).to.deep.equal([]);
  });

  it("is the same for an account gone from the bank as for one outside the consent (RS-09)", async () => {
    const gone = await rejectionOf(answer({}, { ask: () => refuse("account_unknown") }));
    const unknown = await rejectionOf(answer({ id: "other" }));
    if (!(gone instanceof ContentRefusal && unknown instanceof ContentRefusal)) throw gone;
    expect(gone.faults).to.deep.equal(unknown.faults);
    expect(await faultsOf(answer({ faults: [FAULT] }))).to.deep.equal(["ID_NOT_FOUND id"]);
  });

  it("is refused with all faults at once, that of the currency included (COBS 1.2.10.1)", async () => {
    const told = { currencies: ["CZK"] };
    const eur = parseCurrencyCode("EUR");
    expect(await faultsOf(answer({ faults: [FAULT], currency: eur }, told))).to.deep.equal([
      "PARAMETER_INVALID page",
      "AC09 currency",
    ]);
    const czk = parseCurrencyCode("CZK");
    expect(await faultsOf(answer({ faults: [FAULT], currency: czk }, told))).to.deep.equal([
      "PARAMETER_INVALID page",
    ]);
    expect(asked).not.to.include("answer about own");
  });

  it("is refused with the standard's codes when the bank refuses", async () => {
    expect(await faultsOf(answer({}, { ask: () => refuse("currency_unknown") }))).to.deep.equal([
      "AC09 currency",
    ]);
    const large = await rejectionOf(answer({}, { ask: () => refuse("sort_too_large") }));
    if (!(large instanceof ContentRefusal)) throw large;
    expect(large.faults[0]).to.deep.include({
      code: "PARAMETER_INVALID",
      path: "sort",
      parameters: { LIMIT: 10_000 },
    });
  });

  it("fails with the bank's own error when the bank fails", async () => {
    const error = new Error("the core system burns");
    expect(await rejectionOf(answer({}, { ask: () => Promise.reject(error) }))).to.equal(error);
  });

  it("is about the PSU and the account of the consent", () => {
    expect(requireConsentedAccount(admission, "own")).to.deep.equal({ psu: admission.psu, account: OWN });
  });
});
