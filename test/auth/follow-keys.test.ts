import type { Repeat } from "@cobs/service-edge";
import { expect } from "chai";
import { followKeys } from "../../packages/auth/src/keys/follow-keys.ts";
import type { KeysAtMoment } from "../../packages/auth/src/keys/key-store.ts";
import { makeKey } from "../../packages/auth/src/keys/make-key.ts";
import type { KeyUse, ServerKey } from "../../packages/auth/src/keys/server-key.ts";
import { eventually } from "../support/eventually.ts";
import { readableLog } from "../support/readable-log.ts";

const TIMES = { announcedAt: new Date(0), signsFrom: new Date(0), retiresAt: undefined, endsAt: undefined };

function keyInUse(use: KeyUse): ServerKey {
  return { ...makeKey(use), ...TIMES, use, state: "signing", madeBy: undefined, droppedBy: undefined };
}

describe("Following the keys", () => {
  const [cookie, dropped, successor] = [keyInUse("cookie"), keyInUse("signing"), keyInUse("signing")];
  const before: KeysAtMoment = { keys: [dropped, cookie], due: [] };
  const after: KeysAtMoment = { keys: [successor, cookie], due: [] };
  /** Answers the looks that were begun, oldest first. */
  const looks: ((keys: KeysAtMoment) => void)[] = [];
  const answer = async (count: number, keys: KeysAtMoment) => {
    await eventually(() => looks.length === count);
    looks[count - 1]?.(keys);
  };
  const store = {
    inUse: () => new Promise<KeysAtMoment>((resolve) => void looks.push(resolve)),
    announceDue: async () => undefined,
  };
  /** No look but those that are asked for. */
  const never: Repeat = () => ({ stop: async () => {} });

  it("reads the keys again for a caller who asks during a read, which may be out of date", async () => {
    const following = followKeys(store, readableLog().log, never);
    await answer(1, before);
    const followed = await following;
    const early = followed.refresh();
    await eventually(() => looks.length === 2);
    const late = [followed.refresh(), followed.refresh()];
    await answer(2, before);
    await early;
    await answer(3, after);
    await Promise.all(late);
    expect(followed.current().signing.keys.map(({ kid }) => kid)).to.deep.equal([successor.kid]);
    expect(looks, "those who wait together cost one look").to.have.length(3);
  });

  it("logs each reason for a failure once, until a read succeeds", async () => {
    const { log, lines } = readableLog();
    let lookNow: (failure?: Error) => Promise<unknown> = async () => undefined;
    const byHand: Repeat = (look, fail) => {
      lookNow = async (failure) =>
        failure === undefined ? look(new AbortController().signal) : fail(failure);
      return { stop: async () => {} };
    };
    await followKeys({ ...store, inUse: async () => before }, log, byHand);
    for (const reason of ["refused", "refused", "no key", "refused"]) await lookNow(new Error(reason));
    await lookNow();
    await lookNow(new Error("refused"));
    const troubles = lines.filter(({ msg }) => msg === "the keys in use could not be reloaded");
    expect(troubles.map(({ error }) => (error as { readonly message: string }).message)).to.deep.equal([
      "refused",
      "no key",
      "refused",
    ]);
  });
});
