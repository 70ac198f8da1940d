import type { PsuId } from "@cobs/cobs-model";
import type { Queries } from "@cobs/service-edge";

const FIND = "SELECT username FROM sandbox_psu WHERE psu_id = $1";

/** Finds the username of a PSU of the sandbox; undefined for an unknown PSU. */
export async function findUsername(queries: Queries, psu: PsuId): Promise<string | undefined> {
  const statement = { name: "sandbox-psu-username", text: FIND, values: [psu] };
  const [row] = await queries.run<{ username: string }>(statement);
  return row?.username;
}
