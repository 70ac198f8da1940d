import { type AnswerMemory, createAnswerMemory } from "../endings/answer-memory.ts";
import type { Ending, EndingTaker } from "../endings/ending.ts";
import type { ActiveToken } from "./token-introspection.ts";

/** Twice the number of consents in use at once: for a while a renewed token exists next to the former one. */
const MAX_REMEMBERED_TOKENS = 20_000;
/**
 * Limit for the accounts of all tokens: a hundred for each, with room for tokens that have more. Accounts are most of what is
 * remembered.
 */
const MAX_REMEMBERED_ACCOUNTS = 2_400_000;

/** Active tokens, bounded, under their hashes; forgotten when they or something that they depend on ends. */
export type RememberedTokens = EndingTaker & AnswerMemory<ActiveToken>;

/** What a token depends on; each ends with an event of that name. */
const namesOf = ({ consent, applicationId, psu }: ActiveToken): readonly string[] => [
  `consent ${consent.id}`,
  `application ${applicationId}`,
  `psu_blocked ${psu}`,
];

/** Creates an empty memory. */
export function rememberTokens(): RememberedTokens {
  const sizeOf = ({ consent }: ActiveToken) => 1 + consent.accounts.length;
  const room = { most: MAX_REMEMBERED_ACCOUNTS, sizeOf };
  // The party that a token was issued to: a TPP that gets very many must not push out those of others.
  const partyOf = ({ organisationIdentifier }: ActiveToken) => organisationIdentifier;
  const memory = createAnswerMemory({ most: MAX_REMEMBERED_TOKENS, room, namesOf, partyOf });
  function take(ending: Ending): void {
    switch (ending.kind) {
      case "token":
        return void memory.forget(ending.hash);
      case "consent":
      case "application":
      case "psu_blocked":
        return void memory.forgetHanging(`${ending.kind} ${ending.id}`);
      // Anybody who has the key could have signed any of the answers.
      case "signing_key_dropped":
      case "unknown":
        return void memory.forgetAll();
    }
  }
  return { ...memory, begin: memory.forgetAll, take };
}
