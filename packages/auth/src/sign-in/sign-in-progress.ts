import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "@cobs/service-edge";
import type { EphemeralStore } from "../ephemeral/ephemeral-store.ts";
import type { SignInMemory } from "../psu/psu-login.ts";
import { placeOf, randomPartOf, returnStateOf, type SignInPurpose } from "./sign-in-purpose.ts";

/** A sign-in between two steps, in one browser and for one purpose. */
export interface SignInProgress {
  /** 256 random bits that only the browser holds; new after each step (OWASP ASVS 7.2.4). */
  readonly id: string;
  /** The name of the browser that alone may continue: a sibling host can plant the id, but not the name. */
  readonly browser: string;
  readonly purpose: SignInPurpose;
  /** The `state` that a return from another site must carry. */
  readonly returnState: string;
  readonly memory: SignInMemory;
  /** When the step ends, answered or not. */
  readonly endsAt: Date;
}

/**
 * A sign-in as it is stored, under the hash of its id. Its place and its browser are hashed too, because cookies hold their
 * names.
 */
export interface ProgressRecord {
  readonly placeHash: string;
  readonly browserHash: string;
  readonly returnRandom: string;
  readonly memory: SignInMemory;
  /** Milliseconds since 1970 by our clock. */
  readonly keptAt: number;
}

/** Sign-ins in progress. One that is not found was left too long, was answered, or belongs to another place or browser. */
export interface SignInProgresses {
  /** Keeps a step under an id of its own. */
  keep(step: Omit<SignInProgress, "id" | "endsAt">): Promise<SignInProgress>;
  find(
    id: string | undefined,
    of: Pick<SignInProgress, "purpose" | "browser">,
  ): Promise<SignInProgress | undefined>;
  /** Ends a step: true for exactly one of any number of callers, in any process. */
  take(progress: SignInProgress): Promise<boolean>;
}

const KIND = "SignIn";
const ID_BYTES = 32;
/** A PSU may take as long over a step as over a page of the authorization. */
const STEP_SECONDS = 600;

const endOf = ({ keptAt }: Pick<ProgressRecord, "keptAt">) => new Date(keptAt + STEP_SECONDS * 1000);
const hash = (text: string) => createHash("sha256").update(text).digest("base64url");
const hashPlace = (purpose: SignInPurpose) => hash(placeOf(purpose));

/** Keeps sign-ins in progress in the ephemeral store, which may be lost. */
export function createSignInProgresses(
  store: EphemeralStore<ProgressRecord>,
  clock: Clock,
): SignInProgresses {
  return {
    async keep(step) {
      const id = randomBytes(ID_BYTES).toString("base64url");
      const { browser, purpose, returnState, memory } = step;
      const bound = { placeHash: hashPlace(purpose), browserHash: hash(browser) };
      const kept = { ...bound, returnRandom: randomPartOf(returnState) };
      const record = { ...kept, memory, keptAt: clock.now().getTime() };
      await store.put({ kind: KIND, id }, record, { uid: undefined, lifetimeSeconds: STEP_SECONDS });
      return { id, ...step, endsAt: endOf(record) };
    },
    async find(id, { purpose, browser }) {
      const record = id === undefined ? undefined : await store.find({ kind: KIND, id });
      if (id === undefined || record === undefined) return undefined;
      if (record.placeHash !== hashPlace(purpose) || record.browserHash !== hash(browser)) return undefined;
      const endsAt = endOf(record);
      if (clock.now() >= endsAt) return undefined;
      const { returnRandom, memory } = record;
      return { id, browser, purpose, returnState: returnStateOf(purpose, returnRandom), memory, endsAt };
    },
    take: ({ id }) => store.take({ kind: KIND, id }),
  };
}
