import type { Operation } from "@cobs/cobs-model/openapi";
import { expect } from "chai";
import type { AdmissionNeeds } from "../../packages/resource/src/admission/admission.ts";
import {
  ACCOUNT_LIST,
  BALANCE,
  ORDER_RESOURCES,
  TRANSACTION_LIST,
} from "../../packages/resource/src/http/cobs-resources.ts";
import { findResponse } from "./check-answer.ts";
import { OPERATIONS } from "./interface-document.ts";

const RESOURCES = [ACCOUNT_LIST, BALANCE, TRANSACTION_LIST, ...ORDER_RESOURCES];
const BY_CERTIFICATE = { qwac: [] };
const BY_APPLICATION = [{ ...BY_CERTIFICATE, clientSecretBasic: [] }, BY_CERTIFICATE];

/** What a caller of a resource proves, as OpenAPI says it. */
function securityOf(needs: AdmissionNeeds): Operation["security"] {
  if (needs.token === "none") return [BY_CERTIFICATE];
  const withToken = { ...BY_CERTIFICATE, oauth: [needs.scope] };
  return needs.token === "required" ? [withToken] : [withToken, BY_CERTIFICATE];
}

/** What a caller of the authorization server proves. */
function securityAtAuth(path: string): Operation["security"] {
  if (/^\/oauth\/(par|token|revoke)$/.test(path)) return BY_APPLICATION;
  return path.startsWith("/cobs/2.0/applications") ? [BY_CERTIFICATE] : [];
}

/** The resource of the standard that an operation is. */
function findResource(path: string, method: string) {
  return RESOURCES.find(
    (resource) => resource.path.replace(/:(\w+)/g, "{$1}") === path && resource.method === method,
  );
}

describe("the description of who may call", () => {
  it("requires of each operation what its server requires (COBS 1.3.1, RFC 6749 2.3.1)", () => {
    for (const { operation, path, method } of OPERATIONS) {
      const resource = findResource(path, method);
      const expected = resource === undefined ? securityAtAuth(path) : securityOf(resource.needs);
      expect(operation.security, operation.operationId).to.deep.equal(expected);
    }
  });

  it("names every resource of the standard, with the role that it needs (COBS 1.3.1)", () => {
    const described = OPERATIONS.flatMap((each) => {
      const resource = findResource(each.path, each.method);
      return resource === undefined ? [] : [{ ...each, resource, described: each }];
    });
    expect(described).to.have.length(RESOURCES.length);
    for (const { operation, resource, described: each } of described) {
      expect(operation.description).to.match(new RegExp(`^${resource.id}, COBS 3\\.`));
      const forbidden = JSON.stringify(findResponse(each, 403)?.value.content);
      const roles = new Set(forbidden.match(/PSP_\w+/g));
      expect([...roles], operation.operationId).to.deep.equal([resource.needs.role]);
    }
  });

  it("lets TPP-Name be required exactly where a bank may require it (COBS 3.2.7, 3.3.3)", () => {
    for (const { operation, path, method } of OPERATIONS) {
      const names = operation.parameters.flatMap((each) => ("$ref" in each ? [each.$ref] : []));
      const [, kind] = names.map((name) => /\/(TPP-Name(?:-Optional)?)$/.exec(name)).find(Boolean) ?? [];
      const resource = findResource(path, method);
      const expected = resource && (resource.needsNoTppName ? "TPP-Name-Optional" : "TPP-Name");
      expect(kind, operation.operationId).to.equal(expected);
    }
  });
});
