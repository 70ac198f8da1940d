import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type IssuedCertificate, issuedCertificate } from "../certificates/issue-certificate.ts";
import { CertsRefusal } from "./certs-refusal.ts";

/** Finds a certificate of a test CA by name, issued by the tool or by the sandbox. Refuses if there is none. */
export async function findCertificate(
  directory: string,
  name: string,
): Promise<Pick<IssuedCertificate, "certificatePem" | "chainPem">> {
  const candidates = [join(directory, "issued", `${name}.pem`), join(directory, "tpp", `${name}.pem`), name];
  for (const file of candidates) {
    const chainPem = await readFile(file, "utf8").catch(() => undefined);
    if (chainPem !== undefined) return readable(chainPem, file);
  }
  throw new CertsRefusal(
    `there is no certificate ${name} in ${directory}`,
    "Give a name from its folder issued/ or tpp/, or the path of a PEM file.",
  );
}

function readable(chainPem: string, file: string) {
  try {
    return issuedCertificate({ chainPem, privateKeyPem: "" });
  } catch (cause) {
    throw new CertsRefusal(`${file} holds no certificate that can be read`, undefined, { cause });
  }
}
