import { createSecretKey } from "node:crypto";
import { expect } from "chai";
import {
  deriveDeviceKey,
  findDeviceName,
  markDevice,
} from "../../../../packages/auth/src/psu/sandbox/device-mark.ts";
import { readCookie } from "../../../../packages/auth/src/psu-session/cookie.ts";

const key = deriveDeviceKey(createSecretKey(Buffer.alloc(32, 7)));
/** The mark of an earlier sign-in: browsers keep such ones, which must go on working. */
const JANAS = "AAECAwQFBgcICQoLDA0ODw.p23s-BxKNA8YO6G6iE9-d68-Hy-cgoclm93tq752zgQ";

/** What a browser keeps after sign-ins of these PSUs. */
function keptAfter(usernames: readonly string[], kept?: string): string {
  return (
    usernames.reduce<string | undefined>((before, username) => markDevice(key, before, username), kept) ?? ""
  );
}

function knownOf(kept: string | undefined, usernames: readonly string[]): readonly string[] {
  return usernames.filter((username) => findDeviceName(key, kept, username) !== undefined);
}

describe("The marks of a device", () => {
  const four = ["jana", "petr", "eva", "hana"];

  it("name the device for each PSU who has signed in there, by another name", () => {
    const kept = keptAfter(four);
    expect(knownOf(kept, [...four, "nobody"])).to.deep.equal(four);
    expect(new Set(four.map((username) => findDeviceName(key, kept, username)))).to.have.length(4);
  });

  it("fit into the cookie, however many PSUs have signed in there", () => {
    const kept = keptAfter([...four, "ivan"]);
    expect(readCookie(`__Host-device=${kept}`, "__Host-device")).to.equal(kept);
  });

  it("are those of the four PSUs who have signed in last: a fifth displaces the one who has not for longest", () => {
    const kept = keptAfter([...four, "jana", "ivan"]);
    expect(knownOf(kept, [...four, "ivan"])).to.deep.equal(["jana", "eva", "hana", "ivan"]);
  });

  it("keep the name of a PSU who signs in again, beside the marks of the others", () => {
    const kept = keptAfter(four);
    const again = keptAfter(["jana", "jana", "petr"], kept);
    expect(again.split("..").toSorted()).to.deep.equal(kept.split("..").toSorted());
  });

  it("are made anew for a PSU whose mark is altered", () => {
    const kept = keptAfter(["jana"]);
    const altered = kept.replace(/^./, (letter) => (letter === "A" ? "B" : "A"));
    expect(knownOf(altered, ["jana"])).to.deep.equal([]);
    expect(knownOf(keptAfter(["jana"], altered), ["jana"])).to.deep.equal(["jana"]);
  });

  it("are found beside what is none, which is not kept", () => {
    const [petrs = "", janas = ""] = keptAfter(["jana", "petr"]).split("..");
    const strange = ["", "x", `${petrs}x`, `x${petrs}`, petrs.replace(".", "~"), "\0"];
    for (const each of strange) {
      for (const kept of [`${each}..${janas}`, `${janas}..${each}`, `..${each}..${janas}..`]) {
        expect(findDeviceName(key, kept, "jana"), kept).to.equal(janas.split(".")[0]);
        expect(markDevice(key, kept, "jana"), kept).to.equal(janas);
      }
      expect(knownOf(each, ["jana", "petr"]), each).to.deep.equal([]);
    }
  });

  it("are verified four at most, however many a browser sends", () => {
    const marks = [...keptAfter(four).split(".."), keptAfter(["ivan"])];
    const ivan = (places: readonly string[]) => knownOf(places.join(".."), ["ivan"]);
    expect(ivan(marks)).to.deep.equal([]);
    expect(ivan(marks.slice(1))).to.deep.equal(["ivan"]);
    expect(ivan([...Array(100_000).fill("x"), ...marks])).to.deep.equal([]);
  });

  it("are taken from a browser that keeps one alone", () => {
    expect(findDeviceName(key, JANAS, "jana")).to.equal(JANAS.split(".")[0]);
    expect(keptAfter(["petr"], JANAS).split("..")[1]).to.equal(JANAS);
  });
});
