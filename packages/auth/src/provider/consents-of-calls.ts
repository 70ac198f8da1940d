import { Provider } from "oidc-provider";
import type { Consent } from "../consent/consent.ts";
import type { ConsentId } from "../consent/consent-id.ts";
import type { ConsentStore } from "../consent/consent-store.ts";
import type { StoredToken } from "../tokens/token-store.ts";
import { Carried } from "./carried.ts";

/** The part of a found token that other hooks of the same call ask about. */
type FoundToken = Pick<StoredToken<object>, "consent" | "isBlocked">;

/**
 * Gives the consent that a call of the provider concerns. A token is read together with its consent, in one statement;
 * later hooks of the same call get the consent as it was then.
 */
export class ConsentsOfCalls implements Pick<ConsentStore, "findActive"> {
  readonly #consents: Pick<ConsentStore, "findActive">;
  readonly #found = new Carried<FoundToken>();

  constructor(consents: Pick<ConsentStore, "findActive">) {
    this.#consents = consents;
  }

  /** Keeps a found token's active consent, and whether the token was blocked, for this call. */
  keep(token: FoundToken): void {
    const { ctx } = Provider;
    if (ctx !== undefined) this.#found.put(ctx, token);
  }

  async findActive(id: ConsentId): Promise<Consent | undefined> {
    const consent = this.#token()?.consent;
    return consent?.id === id ? consent : this.#consents.findActive(id);
  }

  /** The active consent of the token that this call found, if it has this id and the token was not blocked. */
  ofUnblockedToken(id: ConsentId): Consent | undefined {
    const { consent, isBlocked } = this.#token() ?? {};
    return consent?.id === id && isBlocked === false ? consent : undefined;
  }

  #token(): FoundToken | undefined {
    const { ctx } = Provider;
    return ctx && this.#found.of(ctx);
  }
}
