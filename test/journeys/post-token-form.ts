import type { TppClient } from "../support/tpp-client.ts";

/** What the token endpoint of one auth process answers to a form; the body is an object in either case. */
export async function postTokenForm(
  tpp: TppClient,
  mutualTls: string,
  form: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> {
  const answer = await tpp.fetch(`${mutualTls}/oauth/token`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(form).toString(),
    redirect: "manual",
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}
