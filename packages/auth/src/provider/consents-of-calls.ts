import { Provider } from "oidc-provider";
import type { Consent } from "../consent/consent.ts";
import type { ConsentId } from "../consent/consent-id.ts";
import type { ConsentStore } from "../consent/consent-store.ts";
import type { StoredToken } from "../tokens/token-store.ts";
import { Carried } from "./carried.ts";

/** A token that a call has found, as far as others ask about it in the same call. */
type FoundToken = Pick<StoredToken<object>, "consent" | "isBlocked">;

/**
 * The consent that a call of the provider is about. A token is read together with its consent, in one statement;
 * whoever asks for that consent in the same call gets it as it was when the token was read.
 */
export class ConsentsOfCalls implements Pick<ConsentStore, "findActive"> {
  readonly #consents: Pick<ConsentStore, "findActive">;
  readonly #found = new Carried<FoundToken>();

  constructor(consents: Pick<ConsentStore, "findActive">) {
    this.#consents = consents;
  }

  /** Keeps, for this call, with which active consent a token was found, and whether it was blocked. */
  keep(token: FoundToken): void {
    const { ctx } = Provider;
    if (ctx !== undefined) this.#found.put(ctx, token);
  }

  async findActive(id: ConsentId): Promise<Consent | undefined> {
    const consent = this.#token()?.consent;
    return consent?.id === id ? consent : this.#consents.findActive(id);
  }

  /** The active consent of the token that this call has found, unless that was blocked; of no other one. */
  ofUnblockedToken(id: ConsentId): Consent | undefined {
    const { consent, isBlocked } = this.#token() ?? {};
    return consent?.id === id && isBlocked === false ? consent : undefined;
  }

  #token(): FoundToken | undefined {
    const { ctx } = Provider;
    return ctx && this.#found.of(ctx);
  }
}
