import { readFileSync } from "node:fs";
import type { CurrentIdentity, KeyPairFiles } from "@cobs/service-edge";

/** What a client shows that has this key pair, and never another one. */
export function identityOf({ certificateFile, keyFile }: KeyPairFiles): CurrentIdentity {
  const identity = {
    certificate: readFileSync(certificateFile, "utf8"),
    key: readFileSync(keyFile, "utf8"),
  };
  return () => identity;
}
