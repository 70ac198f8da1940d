import { expect } from "chai";
import type {
  Approval,
  SigningMove,
  SigningRequest,
} from "../../../packages/auth/src/signing/signing-request.ts";
import { createApprovalId } from "../../../packages/auth/src/signing/signing-request-id.ts";
import { eventsOf, presentEntry } from "../../../packages/auth/src/signing/tell-move.ts";
import { NOW, WAITING_REQUEST } from "./sample-request.ts";

const ACT = { actor: { kind: "psu", psu: WAITING_REQUEST.psu }, requestId: "request-1" } as const;
const { id, order, code, codesMade, tries, state: _, ...named } = WAITING_REQUEST;
const TERMS = { id, order, ...named, decidedAt: NOW };
const APPROVAL: Approval = {
  id: createApprovalId(),
  digest: order.digest,
  methods: ["password", "totp", "delivered_code"],
};
const CODE = { hash: Buffer.of(1), browserHash: Buffer.of(2), expiresAt: NOW };

const SENT = {
  tries: 0,
  codesMade: 0,
  certificates: WAITING_REQUEST.certificates,
  returnUrl: "https://tpp.example/callback",
};

interface Told {
  readonly after: SigningRequest;
  readonly action: string;
  /** What is recorded beside which order it is. */
  readonly outcome: object;
  readonly event?: string;
}
/** What each move is told as. This is a table. */
const MOVES: readonly (readonly [SigningMove | "request" | "request_again", Told])[] = [
  ["request", { after: WAITING_REQUEST, action: "signing.requested", outcome: SENT }],
  ["request_again", { after: WAITING_REQUEST, action: "signing.requested_again", outcome: SENT }],
  [
    { move: "count_try" },
    {
      after: { ...WAITING_REQUEST, tries: 3, codesMade: 2 },
      action: "signing.try_failed",
      outcome: { tries: 3, codesMade: 2 },
    },
  ],
  [
    { move: "replace_code", code: CODE },
    {
      after: { ...WAITING_REQUEST, code: CODE, codesMade: 1 },
      action: "signing.code_made",
      outcome: { tries: 0, codesMade: 1 },
    },
  ],
  [
    { move: "drop_code" },
    { after: WAITING_REQUEST, action: "signing.code_undelivered", outcome: { tries: 0, codesMade: 0 } },
  ],
  [
    { move: "approve", approval: APPROVAL },
    {
      after: { ...TERMS, state: "approved", approval: APPROVAL },
      action: "signing.approved",
      outcome: { approvalId: APPROVAL.id, methods: ["password", "totp", "delivered_code"] },
      event: "signing_approved",
    },
  ],
  [
    { move: "refuse", reason: "declined" },
    {
      after: { ...TERMS, state: "refused", reason: "declined" },
      action: "signing.refused",
      outcome: { reason: "declined" },
      event: "signing_refused",
    },
  ],
  [
    { move: "cancel" },
    { after: { ...TERMS, state: "cancelled", because: undefined }, action: "signing.cancelled", outcome: {} },
  ],
  [
    { move: "cancel", because: "consent_ended" },
    {
      after: { ...TERMS, state: "cancelled", because: "consent_ended" },
      action: "signing.cancelled",
      outcome: { reason: "consent_ended" },
    },
  ],
  [
    { move: "cancel", because: "certificate_blocked" },
    {
      after: { ...TERMS, state: "cancelled", because: undefined },
      action: "signing.cancelled",
      outcome: { reason: "certificate_blocked" },
    },
  ],
  [
    { move: "expire" },
    {
      after: { ...TERMS, state: "expired" },
      action: "signing.expired",
      outcome: {},
      event: "signing_expired",
    },
  ],
];

describe("A change of an order that waits for its PSU", () => {
  for (const [move, { after, action, outcome, event }] of MOVES) {
    const because = typeof move === "object" && move.move === "cancel" && move.because;
    it(`is recorded with its outcome: ${action}${because ? ` because ${because}` : ""} (LOG-02)`, () => {
      const {
        paymentId,
        signId,
        psu,
        organisationIdentifier: tpp,
        applicationId: application,
      } = WAITING_REQUEST;
      const digest = order.digest.toString("base64url");
      const which = { paymentId, signId, psu, tpp, application, digest };
      expect(presentEntry(after, move, ACT)).to.deep.equal({
        act: ACT,
        action,
        subject: { kind: "signing_request", id },
        details: { ...which, ...outcome },
      });
      if (typeof move === "string") return;
      expect(eventsOf(after, move)).to.deep.equal(event === undefined ? [] : [{ kind: event, key: id }]);
    });
  }
});
