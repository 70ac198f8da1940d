import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { parseAccountId, parseApplicationRegistration } from "@cobs/cobs-model";
import { MIGRATIONS_DIRECTORY } from "@cobs/resource";
import { type Database, openDatabase, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import { createApplicationStore } from "../../packages/auth/src/applications/application-postgres.ts";
import { createApplicationId } from "../../packages/auth/src/applications/client-secret.ts";
import type { EphemeralStore } from "../../packages/auth/src/ephemeral/ephemeral-store.ts";
import { createEphemeralStoreInPostgres } from "../../packages/auth/src/ephemeral/ephemeral-store-postgres.ts";
import { MIGRATIONS_DIRECTORY as MIGRATIONS_OF_AUTH } from "../../packages/auth/src/migrations-directory.ts";
import { parseOrder } from "../../packages/auth/src/signing/order.ts";
import { createSigningStore } from "../../packages/auth/src/signing/signing-postgres.ts";
import { createSigningRequestId } from "../../packages/auth/src/signing/signing-request-id.ts";
import { createBalanceCheckStore } from "../../packages/resource/src/balance-check/balance-check-store-postgres.ts";
import { createSignId } from "../../packages/resource/src/payments/payment-ids.ts";
import { createPaymentStore } from "../../packages/resource/src/payments/payment-store-postgres.ts";
import { canonicalOrder, DOMESTIC_ORDER } from "../auth/signing/sample-orders.ts";
import { by, digestOf, requestNamed, sampleTerms } from "../resource/payments/sample-payments.ts";
import { eventually } from "../support/eventually.ts";
import { readableLog } from "../support/readable-log.ts";
import { createMigratedTestDatabase, PATIENT } from "../support/test-databases.ts";
import { ownedOf } from "./payment-processes.ts";
import { psuAct, tppAct } from "./test-acts.ts";

const CONNECTIONS = 4;
/** Of one TPP or PSU at once, for the same thing. */
const CALLS = 3 * CONNECTIONS;
const NOW = new Date("2026-07-31T12:00:00Z");

const WAITING = {
  name: "",
  text: "SELECT FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
  values: [],
};

type Call = (database: Database) => Promise<unknown>;

const TERMS = sampleTerms();
const { organisationIdentifier, psu } = TERMS;
const ORDER = {
  psu,
  organisationIdentifier,
  applicationId: createApplicationId(),
  certificates: [],
  returnUrl: "https://tpp.example/callback",
  order: parseOrder(canonicalOrder(DOMESTIC_ORDER)),
  createdAt: NOW,
  expiresAt: new Date(NOW.getTime() + 60_000),
};
const REQUEST = createSigningRequestId();
const LIMITS = { perHour: 60, amountsPerHour: 10, amountsPerDay: 20 };
const REGISTRATION = {
  ...parseApplicationRegistration({
    application_type: "web",
    redirect_uris: ["https://tpp.example/callback"],
    client_name: "A",
    "client_name#en-US": "A",
  }),
  scopes: ["pisp" as const],
};
const applications = (database: Database) => createApplicationStore(database, async () => {});

const ephemeralStores = new WeakMap<Database, EphemeralStore<object>>();
/** The store of a process, which it opens once: calls of one moment are gathered in it. */
function ephemeralStoreOf(database: Database): EphemeralStore<object> {
  const store = ephemeralStores.get(database) ?? createEphemeralStoreInPostgres(database);
  ephemeralStores.set(database, store);
  return store;
}

/** What is done, the table in which it waits, and a call, of which one caller can send very many. */
const OF_AUTH: readonly (readonly [string, string, Call])[] = [
  [
    "pushed requests of one application",
    "ephemeral_record",
    (database) => {
      const terms = { uid: "application", lifetimeSeconds: 60, limit: 100 };
      return ephemeralStoreOf(database).putAmong({ kind: "pushed", id: randomUUID() }, {}, terms);
    },
  ],
  [
    "orders of one PSU",
    "consent",
    (database) => {
      const terms = { ...ORDER, id: createSigningRequestId(), paymentId: randomUUID(), signId: "S-1" };
      return createSigningStore(database, 30).request(terms, { act: tppAct(), now: NOW });
    },
  ],
  [
    "decisions of one PSU",
    "signing_request",
    (database) =>
      createSigningStore(database, 30).settle(REQUEST, { act: psuAct(), now: NOW }, () => undefined),
  ],
  [
    "registrations of one TPP",
    "tpp",
    (database) => {
      const application = { id: createApplicationId(), owner: organisationIdentifier, secretHash: "" };
      const added = { ...application, registration: REGISTRATION };
      return applications(database).register(added, { limit: CALLS, act: tppAct() });
    },
  ],
  [
    "changes of one application",
    "application",
    (database) => {
      const which = { id: ORDER.applicationId, owner: organisationIdentifier };
      return applications(database).remove(which, tppAct(), () => {});
    },
  ],
];

/** The application of the orders, for which there are none else. */
const REGISTERED = `WITH owner AS (
    INSERT INTO tpp VALUES ($2, 'TPP', 'CZ-CNB', 'CNB', '{PSP_PI}') RETURNING organisation_identifier)
  INSERT INTO application (id, owner, application_type, redirect_uris, client_name, localized_names, scopes, secret_hash)
  SELECT $1, organisation_identifier, 'web', '{}', 'A', '[]', '{pisp}', '' FROM owner`;

const OF_RESOURCE: readonly (readonly [string, string, Call])[] = [
  [
    "questions about one account",
    "balance_check",
    (database) => {
      const exchangeIdentification = randomUUID().slice(0, 18);
      const account = parseAccountId("account");
      const check = { organisationIdentifier, exchangeIdentification, account, amount: TERMS.order.amount };
      return createBalanceCheckStore(database).take(check, LIMITS);
    },
  ],
  [
    "payments under one idempotency key",
    "idempotency_key",
    (database) => {
      const idempotency = { key: "key", bodyHash: digestOf("body") };
      return createPaymentStore(database).enter(sampleTerms(), { signId: createSignId(), idempotency }, by());
    },
  ],
  [
    "requests to approve one payment",
    "payment",
    (database) => {
      const request = { signId: createSignId(), requestId: requestNamed("request") };
      return createPaymentStore(database).attachRequest(ownedOf(TERMS), request, by());
    },
  ],
  [
    "deletions of one payment",
    "payment",
    (database) => createPaymentStore(database).delete(ownedOf(TERMS), by()),
  ],
];

describe("Many calls that wait for the same thing leave connections for other calls:", () => {
  for (const [service, migrations, cases] of [
    ["auth", MIGRATIONS_OF_AUTH, OF_AUTH],
    ["resource", MIGRATIONS_DIRECTORY, OF_RESOURCE],
  ] as const)
    describe(service, () => {
      let database: Database;
      let other: Database;
      before(async () => {
        const { log } = readableLog();
        const url = new Secret(await createMigratedTestDatabase(migrations));
        const open = (maxConnections: number) =>
          openDatabase({ url, maxConnections, applicationName: "test", log, timeLimits: PATIENT });
        [database, other] = [open(CONNECTIONS), open(1)];
        const connect = () => database.run({ name: "", text: "SELECT pg_sleep(0.05)", values: [] });
        await Promise.all(Array.from({ length: CONNECTIONS }, connect));
        const values = [ORDER.applicationId, organisationIdentifier];
        if (service === "auth") await other.run({ name: "", text: REGISTERED, values });
      });
      after(() => Promise.all([database, other].map((each) => each.close())));

      for (const [what, table, call] of cases)
        it(what, async () => {
          const calls = await other.transaction(async (queries) => {
            await queries.run({ name: "", text: `LOCK TABLE ${table} IN EXCLUSIVE MODE`, values: [] });
            const made = Array.from({ length: CALLS }, () => call(database));
            await eventually(async () => (await queries.run(WAITING)).length > 0);
            // All have come to where they wait.
            await delay(50);
            let isAnswered = false;
            const asked = database.run({ name: "", text: "SELECT", values: [] }).then(() => {
              isAnswered = true;
            });
            // However long a busy machine takes: with every connection where they wait, nobody is answered before them.
            await eventually(async () => isAnswered || (await queries.run(WAITING)).length === CONNECTIONS);
            expect(isAnswered, "somebody else is answered").to.equal(true);
            await asked;
            return made;
          });
          await Promise.all(calls);
        });
    });
});
