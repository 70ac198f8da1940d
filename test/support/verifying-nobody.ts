const VARIABLE = "NODE_TLS_REJECT_UNAUTHORIZED";

/** Runs `work` in an environment that tells Node to verify nobody over TLS, as some set it for a proxy of their company. */
export async function verifyingNobody<T>(work: () => Promise<T>): Promise<T> {
  const { [VARIABLE]: before } = process.env;
  process.env[VARIABLE] = "0";
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env[VARIABLE];
    else process.env[VARIABLE] = before;
  }
}
