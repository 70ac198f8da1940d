import { readFileSync } from "node:fs";
import type { CurrentIdentity, KeyPairFiles } from "@cobs/service-edge";

/** A client identity that always has this key pair. */
export function identityOf({ certificateFile, keyFile }: KeyPairFiles): CurrentIdentity {
  const identity = {
    certificate: readFileSync(certificateFile, "utf8"),
    key: readFileSync(keyFile, "utf8"),
  };
  return () => identity;
}
