import type { Scene } from "./scene.ts";

/** Eight digits in two groups, which are not part of a grouped IBAN. */
const CODE = /(?<!\d ?)\d{4} \d{4}(?! ?\d)/;

/** The newest code that was sent to this PSU, as written in the message: four digits, a space, four digits. */
export async function newestCode({ document, tpp }: Scene, psuId: string): Promise<string> {
  const url = new URL(`/sandbox/messages/${psuId}`, document.auth.browser).href;
  const answer = await tpp.fetch(url, { method: "GET", headers: {}, body: undefined, redirect: "manual" });
  const { messages }: { messages: readonly { text: string }[] } = JSON.parse(await answer.text());
  return messages.flatMap(({ text }) => CODE.exec(text)?.[0] ?? [])[0] ?? "";
}
