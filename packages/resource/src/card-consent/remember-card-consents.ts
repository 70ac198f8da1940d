import { type AnswerMemory, createAnswerMemory } from "../endings/answer-memory.ts";
import type { Ending, EndingTaker } from "../endings/ending.ts";
import { type RememberingParts, rememberAnswers } from "../endings/remember-answers.ts";
import { refusalFor } from "../limits/limit-refusal.ts";
import { AllowanceUsedUp, type QuestionAllowance } from "../limits/question-allowance.ts";
import type { AskedCardConsents, CardConsent, CardConsentSubject, CardConsents } from "./card-consent.ts";

/** About six megabytes. */
const MAX_REMEMBERED_CONSENTS = 20_000;

/** The consent of another holder of the account is noticed within this time, even if one holder has agreed before. */
const LASTING_MILLISECONDS = 60_000;

/** The consents in force for each question, bounded; forgotten when one of them ends, or its PSU is blocked. */
export type CardConsentMemory = EndingTaker & AnswerMemory<readonly CardConsent[]>;

/** Creates an empty memory. */
export function createCardConsentMemory(): CardConsentMemory {
  const namesOf = (consents: readonly CardConsent[]) =>
    consents.flatMap(({ id, psu }) => [`card_consent ${id}`, `psu_blocked ${psu}`]);
  const memory = createAnswerMemory({ most: MAX_REMEMBERED_CONSENTS, namesOf });
  function take(ending: Ending): void {
    if (ending.kind === "unknown") memory.forgetAll();
    if (ending.kind === "card_consent" || ending.kind === "psu_blocked")
      memory.forgetHanging(`${ending.kind} ${ending.id}`);
  }
  return { ...memory, begin: memory.forgetAll, take };
}

/** Dependencies of remembering consents. */
export interface RememberingCardConsentParts extends RememberingParts {
  readonly memory: CardConsentMemory;
  /** Limit on the accounts without a consent that a TPP may ask about. */
  readonly allowance: QuestionAllowance;
}

/**
 * Remembers the consents in force, so that auth is asked once about each, under the bounds of `rememberAnswers`. A missing
 * consent is not remembered, so that a new one serves at once. But each such question counts against its TPP's allowance, so
 * that no TPP uses up the questions to auth for all.
 */
export function rememberCardConsents(
  asked: AskedCardConsents,
  { memory, allowance, ...parts }: RememberingCardConsentParts,
): CardConsents {
  const recall = rememberAnswers<readonly CardConsent[], readonly CardConsent[]>(
    { name: "card_consents", memory },
    parts,
  );
  async function askAllowed(
    { organisationIdentifier }: CardConsentSubject,
    work: () => readonly CardConsent[] | Promise<readonly CardConsent[]>,
  ): Promise<readonly CardConsent[]> {
    try {
      return await allowance.ask(organisationIdentifier, work, isAny);
    } catch (error) {
      throw error instanceof AllowanceUsedUp
        ? refusalFor(error.waitMilliseconds, "card_consent_limit", parts.clock)
        : error;
    }
  }

  return {
    find: async (subject, onBehalf) => {
      const ask = async () => {
        const { consents: answer, position } = await asked.find(subject, onBehalf);
        const lasting = isAny(answer) ? { answer, milliseconds: LASTING_MILLISECONDS } : undefined;
        return { answer, position, lasting };
      };
      // An IBAN has no space in it.
      const key = `${subject.iban} ${subject.organisationIdentifier}`;
      return recall(key, ask, (work) => askAllowed(subject, work));
    },
  };
}

const isAny = (consents: readonly CardConsent[]) => consents.length > 0;
