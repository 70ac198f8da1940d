import type { ReadySandbox } from "../../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { openTppClient } from "../../support/tpp-client.ts";

/** The status with which a token of the ready application is answered that asks for accounts. */
export async function accountsStatus(
  document: ReadySandbox,
  scope: "aisp" | "pisp" | "both",
): Promise<number> {
  const { certificate, tokens } = document.readyApplication;
  const tpp = await openTppClient(document, certificate);
  try {
    return (await tpp.get(tokens[scope], "/my/accounts?size=1")).status;
  } finally {
    await tpp.close();
  }
}
