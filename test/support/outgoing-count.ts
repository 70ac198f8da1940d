/** How many requests to a target a process has counted under an outcome; undefined where it has no such series. */
export async function outgoingCount(
  operatorPort: number,
  target: string,
  outcome: string,
): Promise<number | undefined> {
  const text = await (await fetch(`http://127.0.0.1:${operatorPort}/metrics`)).text();
  const series = `outgoing_request_duration_seconds_count\\{target="${target}",outcome="${outcome}"[^}]*\\}`;
  const [, count] = new RegExp(`^${series} (\\d+)$`, "m").exec(text) ?? [];
  return count === undefined ? undefined : Number(count);
}
