/** What happens to the rows of one table. */
export interface TableRetention {
  readonly service: "auth" | "resource";
  readonly table: string;
  /** Folder of the service's sources that owns the table. */
  readonly owner: string;
  readonly bound: string;
  /** The deleting job's name in `job_rounds_total`; `none` if rows are few or no job of the service deletes them. */
  readonly job: string;
}

const FEW = "none";

/** Every table of both databases: a test compares it with the schemas. */
export const RETENTION: readonly TableRetention[] = [
  ...of("auth", [
    [
      "application",
      "applications",
      "deleted ones `RECORD_RETENTION_DAYS`, after what they left; others as many as `MAX_APPLICATIONS_PER_TPP` allows",
      "records_forgetting",
    ],
    ["audit_chain", "audit", "one row", FEW],
    [
      "audit_entry",
      "audit",
      "until it is archived (`npm run auth -- audit archive`), whenever the bank chooses",
      "cleaning",
    ],
    ["card_consent", "card-consent", "ended ones `RECORD_RETENTION_DAYS`", "records_forgetting"],
    [
      "consent",
      "consent",
      "ended ones `RECORD_RETENTION_DAYS`; each ends after `CONSENT_LIFETIME_DAYS` at the latest",
      "records_forgetting",
    ],
    ["consent_use", "consent", "one row for each consent, as long as the consent", "records_forgetting"],
    ["ephemeral_epoch", "ephemeral", "one row", FEW],
    ["ephemeral_record", "ephemeral", "until it expires; at most a day", "cleaning"],
    ["feed_event", "feed", "24 hours", "cleaning"],
    ["feed_head", "feed", "one row", FEW],
    [
      "passkey",
      "psu",
      "until its PSU removes it, or has been blocked for `RECORD_RETENTION_DAYS`",
      "records_forgetting",
    ],
    ["psu_block", "psu-block", "released ones `RECORD_RETENTION_DAYS`", "records_forgetting"],
    [
      "psu_notice",
      "notices",
      "until it is delivered, at most three days, plus the hour in which it counts against a limit",
      "records_forgetting",
    ],
    ["rate_limit", "limits", "until its bucket is empty; minutes", "cleaning"],
    ["refused_certificate", "(service-edge) refusals", "30 days, and a bounded number of each kind", FEW],
    ["sandbox_message", "delivery", "the newest of each PSU; in the sandbox only", FEW],
    ["sandbox_psu", "psu", "the PSUs of the sandbox", FEW],
    [
      "sandbox_sign_in_failure",
      "psu",
      "until the next sign-in of that username, or a day without an attempt; in the sandbox only",
      FEW,
    ],
    [
      "server_key",
      "keys",
      "one row for each key that ever existed, a few per year; its secret is destroyed when it ends",
      "cleaning",
    ],
    ["server_key_use", "keys", "two rows", FEW],
    [
      "signing_request",
      "signing",
      "decided ones `RECORD_RETENTION_DAYS`; each is decided or expires within a day",
      "records_forgetting",
    ],
    [
      "signing_standing",
      "signing",
      "a day after it last counted something; wrong codes until the next right one, or `RECORD_RETENTION_DAYS`",
      "records_forgetting",
    ],
    ["stop_list_block", "tpp", "released ones `RECORD_RETENTION_DAYS`", "records_forgetting"],
    ["token", "tokens", "until it expires or its consent ends", "cleaning"],
    ["tpp", "tpp", "one row for each TPP that has ever called with a good certificate", FEW],
    ["tpp_register_check", "tpp-register", "31 days", "records_forgetting"],
    ["tpp_register_finding", "tpp-register", "one row for each TPP", FEW],
    ["upstream_psu", "psu", "200 days after the last sign-in", "cleaning"],
  ]),
  ...of("resource", [
    [
      "balance_check",
      "balance-check",
      "`PAYMENT_RETENTION_DAYS` after the question",
      "balance_checks_forgetting",
    ],
    ["idempotency_key", "payments", "24 hours", "payments_forgetting"],
    ["payment", "payments", "`PAYMENT_RETENTION_DAYS` after its end", "payments_forgetting"],
    ["payment_move", "payments", "as long as its payment", "payments_forgetting"],
    ["payment_outbox", "payments", "until the bank has ended the payment", "payment_execution"],
    ["refused_certificate", "(service-edge) refusals", "30 days, and a bounded number of each kind", FEW],
    ["sandbox_account", "bank", "the accounts of the sandbox", FEW],
    ["sandbox_account_access", "bank", "the accounts of the sandbox", FEW],
    ["sandbox_account_ledger", "bank", "the accounts of the sandbox", FEW],
    ["sandbox_entry", "bank", "the history of the sandbox, which is not deleted", FEW],
    ["sandbox_ledger", "bank", "the accounts of the sandbox", FEW],
    ["sandbox_order", "bank", "the orders of the sandbox, which are not deleted", FEW],
    ["sandbox_pending", "bank", "until it is booked; in the sandbox only", "sandbox_orders"],
    ["sandbox_seed", "bank", "one row", FEW],
    ["unattended_access", "unattended", "about a day: as long as it counts", "accesses_forgetting"],
  ]),
];

type Row = readonly [table: string, owner: string, bound: string, job: string];

function of(service: TableRetention["service"], rows: readonly Row[]): readonly TableRetention[] {
  return rows.map(([table, owner, bound, job]) => ({ service, table, owner, bound, job }));
}
