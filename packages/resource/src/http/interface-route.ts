import { type BankChoices, describeInterface, type InterfaceHosts } from "@cobs/cobs-model/openapi";
import type { Route } from "@cobs/service-edge";

/**
 * Serves `GET /cobs/2.0/openapi.json`: the whole interface as this bank offers it, for programs. A caller needs neither
 * certificate nor token, because the document tells nothing about anybody.
 */
export function createInterfaceRoute(hosts: InterfaceHosts, choices: BankChoices): Route {
  const body = JSON.stringify(describeInterface(hosts, choices));
  return {
    method: "GET",
    path: "/cobs/2.0/openapi.json",
    handle: async () => ({ status: 200, content: { type: "application/json", body } }),
  };
}
