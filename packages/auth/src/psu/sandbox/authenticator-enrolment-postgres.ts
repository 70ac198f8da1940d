/**
 * How a PSU of the sandbox enrols an authenticator app: a new secret is shown once to somebody who has been proven, and counts
 * once a code of it has been typed. This file owns that exchange; who may begin it is decided before.
 */
import { type KeyObject, randomBytes } from "node:crypto";
import { type PsuId, parsePsuId } from "@cobs/cobs-model";
import type { Database, Queries } from "@cobs/service-edge";
import { appendAudit } from "../../audit/append-audit-postgres.ts";
import type { AuditEntry } from "../../audit/audit-entry.ts";
import type { SignInNotices } from "../../notices/sign-in-change.ts";
import { admitsWhileStoring } from "../../psu-block/psu-blocks-postgres.ts";
import { seal, unseal } from "../../sealing/sealing.ts";
import type { SignInCircumstances } from "../psu-login.ts";
import { deriveDeviceKey, markDevice } from "./device-mark.ts";
import { describeTotpSecret, findOneTimeCodeStep, TOTP_SECRET_BYTES } from "./one-time-code.ts";
import { findUsername } from "./username-postgres.ts";

/** A secret that is not in use yet, sealed to its PSU. `activation` is the hash of the activation code that it is given for. */
export interface EnrolmentDraft {
  readonly psu: PsuId;
  readonly sealedSecret: string;
  /** Undefined when a PSU who has an authenticator enrols another one. */
  readonly activation: string | undefined;
}

/** A secret as an authenticator app takes it: as a URI in a QR code, and in base32 to type. */
export interface ShownSecret {
  readonly uri: string;
  readonly secret: string;
}

/**
 * When and in which call an enrolment is confirmed, and the language of the notice to its PSU. `authenticatedAt` is when the PSU
 * was proven: a block by the bank that was in force since then refuses the enrolment.
 */
export type EnrolmentMoment = Pick<SignInCircumstances, "now" | "requestId" | "language"> & {
  readonly authenticatedAt: Date;
  /** The marks that the browser keeps; absent where it is given no others. */
  readonly device?: SignInCircumstances["device"];
};

/** Enrolments. Of any number of answers to one draft, in any process, at most one succeeds. */
export interface AuthenticatorEnrolment {
  draft(psu: PsuId, activation?: string): EnrolmentDraft;
  /** Whether we made this draft, and for this PSU. */
  isOurs(draft: EnrolmentDraft): boolean;
  /** Throws when the draft was made for another PSU, or by another server. */
  show(draft: EnrolmentDraft): Promise<ShownSecret>;
  /**
   * Enrols the authenticator, notifies the PSU and gives the marks of the device, if the code is one of the draft's secret and no
   * other answer came first. `too_often`: the code is right, but the PSU has changed too much within an hour. Undefined
   * otherwise, and for a PSU who is blocked, or was so after they were proven.
   */
  confirm(
    draft: EnrolmentDraft,
    code: string,
    at: EnrolmentMoment,
  ): Promise<{ readonly device: string } | "too_often" | undefined>;
  /** Whether the PSU already signs in with codes of this secret. */
  counts(draft: EnrolmentDraft): Promise<boolean>;
}

// Uses up the activation code too. Neither a code of the old secret nor the new one's first code serves again.
const ENROL = `
  UPDATE sandbox_psu SET sealed_totp_secret = $2, last_step = $3, activation_hash = NULL
  WHERE psu_id = $1 AND sealed_totp_secret IS DISTINCT FROM $2
    AND CASE WHEN $4::bytea IS NULL THEN sealed_totp_secret IS NOT NULL ELSE activation_hash = $4 END
  RETURNING username`;

/** What enrolments are made with; `issuer` is the bank's name, which apps show beside the username. */
export interface EnrolmentParts {
  readonly sealingKey: KeyObject;
  readonly issuer: string;
  readonly notices: SignInNotices;
}

/** Creates the enrolments of the sandbox's directory. */
export function createAuthenticatorEnrolment(
  database: Database,
  { sealingKey, issuer, notices }: EnrolmentParts,
): AuthenticatorEnrolment {
  const deviceKey = deriveDeviceKey(sealingKey);
  const bytesOf = ({ sealedSecret }: EnrolmentDraft) => Buffer.from(sealedSecret, "base64url");
  // The first app is always accepted: its activation code is used up with it.
  const mayChange = async (queries: Queries, { psu, activation }: EnrolmentDraft, now: Date) =>
    activation !== undefined || notices.admits(queries, psu, now);
  const tell = async (
    queries: Queries,
    draft: EnrolmentDraft,
    { now, requestId, language }: EnrolmentMoment,
  ) => {
    await appendAudit(queries, [entryOf(draft, requestId)]);
    const change = { kind: "authenticator_enrolled" } as const;
    await notices.tell(queries, { psu: draft.psu, change, at: now, language, requestId });
  };
  const secretOf = (draft: EnrolmentDraft) => unseal(sealingKey, bytesOf(draft), draft.psu);
  return {
    draft: (psu, activation) => {
      const sealedSecret = seal(sealingKey, randomBytes(TOTP_SECRET_BYTES), psu).toString("base64url");
      return { psu, sealedSecret, activation };
    },
    isOurs: (draft) => {
      try {
        return secretOf(draft).length === TOTP_SECRET_BYTES;
      } catch {
        return false;
      }
    },
    show: async (draft) => {
      const label = (await findUsername(database, draft.psu)) ?? draft.psu;
      return describeTotpSecret(secretOf(draft), { issuer, label });
    },
    confirm: async (draft, code, at) => {
      const step = findOneTimeCodeStep(secretOf(draft), code, at.now);
      if (step === undefined) return undefined;
      const activation = draft.activation === undefined ? null : Buffer.from(draft.activation, "base64url");
      const { psu } = draft;
      const values = [psu, bytesOf(draft), step, activation];
      return database.transaction(async (queries) => {
        const { authenticatedAt } = at;
        if (!(await admitsWhileStoring(queries, { psu, authenticatedAt }))) return undefined;
        if (!(await mayChange(queries, draft, at.now))) return "too_often";
        const statement = { name: "sandbox-psu-enrol", text: ENROL, values };
        const [row] = await queries.run<{ username: string }>(statement);
        if (row === undefined) return undefined;
        await tell(queries, draft, at);
        return { device: markDevice(deviceKey, at.device, row.username) };
      });
    },
    counts: async (draft) => {
      const text = "SELECT FROM sandbox_psu WHERE psu_id = $1 AND sealed_totp_secret = $2";
      const values = [draft.psu, bytesOf(draft)];
      return (await database.run({ name: "sandbox-psu-has-secret", text, values })).length > 0;
    },
  };
}

function entryOf({ psu, activation }: EnrolmentDraft, requestId: string): AuditEntry {
  return {
    act: { actor: { kind: "psu", psu }, requestId },
    action: "authenticator.enrolled",
    subject: { kind: "psu", id: psu },
    details: { first: activation !== undefined },
  };
}

/** Reads a draft that was kept; throws for anything that `draft` did not give. */
export function readEnrolmentDraft(kept: Readonly<Record<string, unknown>>): EnrolmentDraft {
  const { psu, sealedSecret, activation } = kept;
  if (typeof sealedSecret !== "string") throw new TypeError("an enrolment has no secret");
  return {
    psu: parsePsuId(psu),
    sealedSecret,
    activation: typeof activation === "string" ? activation : undefined,
  };
}
