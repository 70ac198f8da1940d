import type { ApplicationId } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import { type Client, Provider } from "oidc-provider";
import type { ApplicationStore, AskingApplication } from "../applications/application-store.ts";
import type { KnownTpp, TppStore } from "../tpp/tpp-store.ts";
import { Carried } from "./carried.ts";

/**
 * Looks up the application of an authorization request. Each call looks up its application and TPP once, as they are at
 * that moment. Nothing is kept for other calls, so every process notices a deleted application at once.
 */
export class AskingApplications {
  readonly #applications: Pick<ApplicationStore, "findAsking">;
  readonly #tpps: Pick<TppStore, "find">;
  readonly #ofCalls = new Carried<AskingApplication>();
  #given: AskingApplication | undefined;

  constructor(applications: Pick<ApplicationStore, "findAsking">, tpps: Pick<TppStore, "find">) {
    this.#applications = applications;
    this.#tpps = tpps;
  }

  /** Finds the application that the current call asks for. */
  async find(id: ApplicationId): Promise<AskingApplication | undefined> {
    const given = this.#given;
    if (given?.application.id === id) return given;
    const { ctx } = Provider;
    const found = await this.#applications.findAsking(id);
    if (ctx !== undefined && found !== undefined) this.#ofCalls.put(ctx, found);
    return found;
  }

  /** Finds the TPP of the current call's application; looks it up if the application was not found here. */
  async findTpp(owner: OrganisationIdentifier): Promise<KnownTpp | undefined> {
    const { ctx } = Provider;
    const found = ctx && this.#ofCalls.of(ctx);
    return found?.tpp.organisationIdentifier === owner ? found.tpp : this.#tpps.find(owner);
  }

  /**
   * Makes the provider's client of an application that was just found: the provider calls {@link find} before anything
   * else runs.
   */
  clientOf(provider: Provider, found: AskingApplication): Promise<Client | undefined> {
    this.#given = found;
    try {
      return provider.Client.find(found.application.id);
    } finally {
      this.#given = undefined;
    }
  }
}
