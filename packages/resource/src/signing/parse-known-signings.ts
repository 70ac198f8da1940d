import { listIn, membersOf, readMembers, textIn } from "../auth-answers/members-of.ts";
import type { NamedSigning } from "../payments/overdue-payments.ts";
import { findSigningRequestId } from "../payments/payment-ids.ts";
import type { KnownSigning } from "./signing-authority.ts";
import { SigningRefusal } from "./signing-refusal.ts";

/**
 * Reads `{ requests: [{ id, paymentId, signId }] }`; refuses with `answer_malformed`, also for an attempt that was not asked
 * about.
 */
export function parseKnownSignings(text: string, named: readonly NamedSigning[]): readonly KnownSigning[] {
  return readMembers(text, [SigningRefusal, "answer_malformed"], (members) =>
    listIn(members, "requests").map((request) => readKnown(request, named)),
  );
}

function readKnown(value: unknown, named: readonly NamedSigning[]): KnownSigning {
  const members = membersOf(value, "a request");
  const [paymentId, signId] = [textIn(members, "paymentId"), textIn(members, "signId")];
  const asked = named.find((each) => each.paymentId === paymentId && each.signId === signId);
  const requestId = findSigningRequestId(textIn(members, "id"));
  if (asked === undefined || requestId === undefined)
    throw new TypeError("a request is not one of those that were asked for");
  return { paymentId: asked.paymentId, signId: asked.signId, requestId };
}
