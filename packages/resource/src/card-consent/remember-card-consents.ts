import { type AnswerMemory, createAnswerMemory } from "../endings/answer-memory.ts";
import type { Ending, EndingTaker } from "../endings/ending.ts";
import { type RememberingParts, rememberAnswers } from "../endings/remember-answers.ts";
import type { AskedCardConsents, CardConsent, CardConsents } from "./card-consent.ts";

/** Some six megabytes. */
const MAX_REMEMBERED_CONSENTS = 20_000;

/** Somebody else who has the account is heard of within so long, also where one of its holders has agreed before. */
const LASTING_MILLISECONDS = 60_000;

/** Consents in force to one question, bounded; forgotten when one of them or everything of its PSU ends. */
export type CardConsentMemory = EndingTaker & AnswerMemory<readonly CardConsent[]>;

/** Makes an empty memory. */
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

/**
 * Remembers the consents in force, so that each is asked about once, under the bounds of `rememberAnswers`. That there is none is
 * not remembered: one that is given serves at once.
 */
export function rememberCardConsents(
  asked: AskedCardConsents,
  { memory, ...parts }: RememberingParts & { readonly memory: CardConsentMemory },
): CardConsents {
  const recall = rememberAnswers<readonly CardConsent[], readonly CardConsent[]>(
    { name: "card_consents", memory },
    parts,
  );
  return {
    find: async (subject, onBehalf) =>
      // An IBAN has no space in it.
      recall(`${subject.iban} ${subject.organisationIdentifier}`, async () => {
        const { consents: answer, position } = await asked.find(subject, onBehalf);
        const lasting = answer.length > 0 ? { answer, milliseconds: LASTING_MILLISECONDS } : undefined;
        return { answer, position, lasting };
      }),
  };
}
