import type { PsuId } from "@cobs/cobs-model";
import type { Queries } from "@cobs/service-edge";

const FIND = "SELECT username FROM sandbox_psu WHERE psu_id = $1";

/** Under which name a PSU of the sandbox signs in; undefined for one whom it does not have. */
export async function findUsername(queries: Queries, psu: PsuId): Promise<string | undefined> {
  const statement = { name: "sandbox-psu-username", text: FIND, values: [psu] };
  const [row] = await queries.run<{ username: string }>(statement);
  return row?.username;
}
