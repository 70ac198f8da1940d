import type { Database } from "@cobs/service-edge";
import { createApplicationSearch } from "../applications/application-search-postgres.ts";
import { archiveAudit, findArchivable } from "../audit/archive-audit-postgres.ts";
import { checkAudit } from "../audit/check-audit-postgres.ts";
import { exportAudit } from "../audit/export-audit-postgres.ts";
import { searchAudit } from "../audit/search-audit-postgres.ts";
import { createConsentSearch } from "../consent/consent-search-postgres.ts";
import { revokeTokenByHash, revokeTokensOf } from "../tokens/revoke-tokens-postgres.ts";
import { createTokenSearch } from "../tokens/token-search-postgres.ts";
import { createTppSearch } from "../tpp/tpp-search-postgres.ts";
import { createReadRecord } from "./record-read.ts";

/** Opens the searches and orders that only operators use, on the database of auth. */
export function openOperatorParts(database: Database) {
  return {
    tppSearch: createTppSearch(database),
    applicationSearch: createApplicationSearch(database),
    consentSearch: createConsentSearch(database),
    tokenSearch: createTokenSearch(database),
    revokeTokensOf: revokeTokensOf.bind(undefined, database),
    revokeTokenByHash: revokeTokenByHash.bind(undefined, database),
    audit: {
      search: searchAudit.bind(undefined, database),
      check: checkAudit.bind(undefined, database),
      export: exportAudit.bind(undefined, database),
      archive: archiveAudit.bind(undefined, database),
      findArchivable: findArchivable.bind(undefined, database),
    },
    recordRead: createReadRecord(database),
  };
}
