import { AUTH_VARIABLES, configure as configureAuth } from "@cobs/auth";
import { configure as configureResource, RESOURCE_VARIABLES } from "@cobs/resource";
import { ConfigurationRefusal } from "@cobs/service-edge";
import { expect } from "chai";
import { makeServiceEnvironments, type ServiceEnvironments } from "../support/service-environments.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

type Bounds = Readonly<Record<string, readonly [least: number, most: number]>>;

const RATE = [1, 10_000_000] as const;
const EDGE: Bounds = {
  OPERATOR_PORT: [0, 65_535],
  MAX_CONNECTIONS: [10, 1_000_000],
  DATABASE_MAX_CONNECTIONS: [1, 500],
  REVOCATION_CACHE_SECONDS: [1, 86_400],
  REVOCATION_GRACE_SECONDS: [0, 86_400],
  DRAIN_DELAY_SECONDS: [0, 300],
  DRAIN_LIMIT_SECONDS: [0, 300],
};
const BOUNDS: Readonly<Record<"auth" | "resource", Bounds>> = {
  auth: {
    ...EDGE,
    SIGNING_KEY_LIFETIME_DAYS: [1, 3_650],
    SIGNING_KEY_ANNOUNCED_SECONDS: [10, 43_200],
    COOKIE_KEY_LIFETIME_DAYS: [1, 3_650],
    CODES_PER_HOUR: [1, 1_000],
    ACCESS_TOKEN_LIFETIME_SECONDS: [30, 900],
    CODE_LIFETIME_SECONDS: [10, 600],
    MAX_APPLICATIONS_PER_TPP: [1, 1_000],
    SECRET_OVERLAP_SECONDS: [0, 604_800],
    // RTS Article 10a(2)(b).
    CONSENT_LIFETIME_DAYS: [1, 180],
    // PSD2 Article 71.
    RECORD_RETENTION_DAYS: [400, 7_305],
    APPLICATION_CHANGES_PER_MINUTE: RATE,
    PUSHED_REQUESTS_PER_MINUTE: RATE,
    TOKEN_REQUESTS_PER_MINUTE: RATE,
    AUTHORIZATIONS_PER_MINUTE: RATE,
    ADDRESS_REQUESTS_PER_MINUTE: RATE,
    INTROSPECTIONS_PER_MINUTE: RATE,
    SECOND_READER_DEADLINE_MILLISECONDS: [50, 5_000],
    TPP_REGISTER_MAX_AGE_DAYS: [1, 90],
  },
  resource: {
    ...EDGE,
    SANDBOX_SETTLEMENT_SECONDS: [0, 86_400],
    FRESHNESS_SECONDS: [0, 3_600],
    CALLS_AT_ONCE_PER_TPP: RATE,
    UNUSABLE_TOKENS_PER_MINUTE: RATE,
    NEW_TOKENS_PER_MINUTE: RATE,
    HISTORY_SCA_MINUTES: [0, 1_440],
    UNATTENDED_ACCESSES: [1, 96],
    BALANCE_CHECK_AMOUNTS_PER_HOUR: [1, 100_000],
    PAYMENTS_PER_MINUTE: RATE,
    UNSIGNED_PAYMENT_MINUTES: [1, 1_440],
    PAYMENT_RETENTION_DAYS: [400, 4_000],
  },
};

/** Read with `BANK=http` alone. */
const WITH_A_CORE: Readonly<Record<"auth" | "resource", Bounds>> = {
  auth: {},
  resource: { CORE_TIMEOUT_MILLISECONDS: [100, 30_000], CORE_CALLS_AT_ONCE: [1, 1_000] },
};
const VARIABLES = { auth: AUTH_VARIABLES, resource: RESOURCE_VARIABLES };

describe("Numeric configuration variables", () => {
  const folder = temporaryFolder();
  let environments: ServiceEnvironments;
  before(async () => {
    environments = await makeServiceEnvironments(folder.path);
  });
  after(() => folder.remove());

  const around = {
    DATABASE_URL: "postgresql://nobody@127.0.0.1:1/nothing",
    REVOCATION: "required",
    REVOCATION_PRIVATE_ADDRESSES: "refused",
  };
  type Changed = Readonly<Record<string, string>>;
  const configure = {
    auth: (changed: Changed) =>
      configureAuth({ ...environments.auth, ...around, TPP_REGISTER_FILE: "/register.json", ...changed }),
    resource: (changed: Changed) => configureResource({ ...environments.resource, ...around, ...changed }),
  };
  function faultsOf(service: "auth" | "resource", changed: Changed): readonly string[] {
    try {
      configure[service](changed);
      return [];
    } catch (error) {
      if (error instanceof ConfigurationRefusal) return error.faults;
      throw error;
    }
  }

  for (const [service, bounds] of Object.entries(BOUNDS) as ["auth" | "resource", Bounds][]) {
    const all = (choose: (least: number, most: number) => unknown) =>
      Object.fromEntries(
        Object.entries(bounds).map(([name, [least, most]]) => [name, String(choose(least, most))]),
      );
    const refusals = Object.entries(bounds).map(
      ([name, [least, most]]) => `${name} must be a whole number from ${least} to ${most}`,
    );

    it(`have their bounds in the table of variables (${service})`, () => {
      const bounded = VARIABLES[service].filter((variable) => variable.bounds !== undefined);
      const { OPERATOR_PORT: _port, ...others } = bounds;
      expect(Object.fromEntries(bounded.map(({ name, bounds: found }) => [name, found]))).to.deep.equal({
        ...others,
        ...WITH_A_CORE[service],
      });
    });

    it(`allow OPERATOR_PORT to equal another port only on an address of its own (${service})`, () => {
      const at = (OPERATOR_HOST: string, LISTEN_HOST: string) =>
        faultsOf(service, { OPERATOR_HOST, LISTEN_HOST, MUTUAL_TLS_PORT: "1001", OPERATOR_PORT: "1001" });
      expect(at("127.0.0.2", "127.0.0.1")).to.deep.equal([]);
      for (const [own, others] of [
        ["127.0.0.1", "127.0.0.1"],
        ["127.0.0.1", "0.0.0.0"],
        ["::", "127.0.0.1"],
      ] as const)
        expect(at(own, others), own).to.deep.equal([
          "OPERATOR_PORT must not be the same port as MUTUAL_TLS_PORT",
        ]);
    });

    it(`accept their least and greatest values (${service})`, () => {
      expect(
        faultsOf(
          service,
          all((least) => least),
        ),
      ).to.deep.equal([]);
      expect(
        faultsOf(
          service,
          all((_, most) => most),
        ),
      ).to.deep.equal([]);
    });

    it(`are each refused outside their bounds and when not decimal digits (${service})`, () => {
      for (const wrong of [all((least) => least - 1), all((_, most) => most + 1), all(() => "1e2")])
        expect(faultsOf(service, wrong)).to.have.members(refusals);
    });
  }

  it("each set the configuration value of their own name (both)", () => {
    const EDGE_GIVEN = {
      LISTEN_HOST: "127.0.0.2",
      MUTUAL_TLS_PORT: "1001",
      BANK_PORT: "1002",
      OPERATOR_HOST: "127.0.0.3",
      OPERATOR_PORT: "1003",
      MAX_CONNECTIONS: "1004",
      DATABASE_MAX_CONNECTIONS: "105",
      REVOCATION_CACHE_SECONDS: "106",
      REVOCATION_GRACE_SECONDS: "107",
      DRAIN_DELAY_SECONDS: "108",
      DRAIN_LIMIT_SECONDS: "109",
    };
    const edge = {
      listenHost: "127.0.0.2",
      mutualTlsPort: 1001,
      bankPort: 1002,
      operatorHost: "127.0.0.3",
      operatorPort: 1003,
      maxConnections: 1004,
      databaseMaxConnections: 105,
      revocation: { kind: "required", cacheSeconds: 106, graceSeconds: 107, allowsPrivateAddresses: false },
      drainDelaySeconds: 108,
      drainLimitSeconds: 109,
    };
    const auth = configure.auth({
      ...EDGE_GIVEN,
      BROWSER_PORT: "1010",
      ISSUER: "https://one.example",
      MUTUAL_TLS_URL: "https://two.example",
      BANK_URL: "https://three.example",
      ACCESS_TOKEN_LIFETIME_SECONDS: "111",
      CODE_LIFETIME_SECONDS: "112",
      CONSENT_LIFETIME_DAYS: "113",
      RECORD_RETENTION_DAYS: "414",
      SIGNING_KEY_LIFETIME_DAYS: "15",
      SIGNING_KEY_ANNOUNCED_SECONDS: "16",
      COOKIE_KEY_LIFETIME_DAYS: "17",
      APPLICATION_CHANGES_PER_MINUTE: "18",
      PUSHED_REQUESTS_PER_MINUTE: "19",
      TOKEN_REQUESTS_PER_MINUTE: "20",
      AUTHORIZATIONS_PER_MINUTE: "21",
      ADDRESS_REQUESTS_PER_MINUTE: "22",
      INTROSPECTIONS_PER_MINUTE: "23",
    });
    expect(auth).to.deep.include({
      ...edge,
      browserPort: 1010,
      issuer: "https://one.example",
      mutualTlsUrl: "https://two.example",
      bankUrl: "https://three.example",
      accessTokenLifetimeSeconds: 111,
      codeLifetimeSeconds: 112,
      consentLifetimeDays: 113,
      recordRetentionDays: 414,
    });
    // What a key has signed is good for as long as a token, and a minute for clocks that differ.
    expect(auth.keyTerms.signing).to.deep.equal({
      lifetimeSeconds: 15 * 86_400,
      announcedSeconds: 16,
      retiredSeconds: 171,
    });
    expect(auth.keyTerms.cookie).to.deep.equal({
      lifetimeSeconds: 17 * 86_400,
      announcedSeconds: 10,
      retiredSeconds: 3_600,
    });
    expect(auth.rateLimits).to.include({
      applicationChanges: 18,
      pushedRequests: 19,
      tokenRequests: 20,
      authorizations: 21,
      addressRequests: 22,
      introspections: 23,
    });
    const resource = configure.resource({
      ...EDGE_GIVEN,
      BASE_URL: "https://one.example",
      BANK_URL: "https://two.example",
      AUTH_MUTUAL_TLS_URL: "https://three.example",
      AUTH_BANK_URL: "https://four.example",
      FRESHNESS_SECONDS: "11",
      CALLS_AT_ONCE_PER_TPP: "12",
      UNUSABLE_TOKENS_PER_MINUTE: "13",
      NEW_TOKENS_PER_MINUTE: "20",
      HISTORY_SCA_MINUTES: "14",
      UNATTENDED_ACCESSES: "15",
      BALANCE_CHECK_AMOUNTS_PER_HOUR: "16",
      PAYMENTS_PER_MINUTE: "17",
      UNSIGNED_PAYMENT_MINUTES: "18",
      PAYMENT_RETENTION_DAYS: "419",
    });
    expect(resource).to.deep.include({
      ...edge,
      baseUrl: new URL("https://one.example"),
      bankUrl: new URL("https://two.example"),
      authMutualTlsUrl: new URL("https://three.example"),
      authBankUrl: new URL("https://four.example"),
      freshnessSeconds: 11,
      callsAtOncePerTpp: 12,
      unusableTokensPerMinute: 13,
      newTokensPerMinute: 20,
      historyScaMinutes: 14,
      accessLimits: { ofEverybody: 15, ofTpps: new Map() },
      balanceCheckAmountsPerHour: 16,
      paymentsPerMinute: 17,
      unsignedPaymentMinutes: 18,
      paymentRetentionDays: 419,
    });
  });
});
