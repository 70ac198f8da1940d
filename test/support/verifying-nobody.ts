const VARIABLE = "NODE_TLS_REJECT_UNAUTHORIZED";

/** Runs `work` in an environment that turns off Node's TLS verification, as some set it for their company's proxy. */
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
