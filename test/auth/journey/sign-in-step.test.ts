import { expect } from "chai";
import { showJourney } from "../../../packages/auth/src/journey/dispatch.ts";
import { interactionPath } from "../../../packages/auth/src/journey/interaction-path.ts";
import { handMadeJourney, OWN_ORIGIN, PSU, post, refusalOf, requireSignInPage } from "./hand-made-journey.ts";

const TYPED = { username: ["jana"], password: [" hidden "], one_time_code: ["987654"] };

describe("The sign-in step", () => {
  it("shows which application asks, and the bank's own address", async () => {
    const { parts, visit } = handMadeJourney();
    const view = requireSignInPage(await showJourney(parts, visit));
    expect(view.asking?.tpp.organisationName).to.equal("Přehled financí, a.s.");
    expect(view.origin).to.equal(OWN_ORIGIN);
    expect(view.form.action).to.equal("/oauth/interaction/interaction-1/sign-in");
    expect(view.faults).to.deep.equal([]);
  });

  it("passes what was typed to the directory unchanged, and goes on with the PSU it names", async () => {
    const journey = handMadeJourney();
    expect(await post(journey, "sign-in", { fields: TYPED })).to.include({
      show: "nothing",
      location: "/next/1",
    });
    expect(journey.done.attempts).to.deep.equal([
      { username: "jana", password: " hidden ", oneTimeCode: "987654" },
    ]);
    expect(journey.done.signedIn).to.deep.equal([PSU]);
  });

  it("shows one fault whatever was wrong, and keeps only the username (RTS Article 4(3)(a))", async () => {
    const journey = handMadeJourney({ outcome: { outcome: "refused" } });
    const view = requireSignInPage(await post(journey, "sign-in", { fields: TYPED }));
    expect(view.faults).to.deep.equal([{ key: "fault_sign_in_refused", field: "username", isOfForm: true }]);
    expect(view.username).to.equal("jana");
    expect(JSON.stringify(view)).to.not.contain("hidden").and.not.contain("987654");
    expect(journey.done.signedIn).to.deep.equal([]);
  });

  it("says until when a blocked sign-in stays blocked (RTS Article 4(3)(b))", async () => {
    const until = new Date("2026-07-31T12:05:00Z");
    const journey = handMadeJourney({ outcome: { outcome: "blocked", until } });
    const answer = await post(journey, "sign-in", { fields: TYPED });
    if (answer.show !== "message") throw new Error(`it shows ${answer.show}`);
    expect(answer.view.message).to.equal("sign_in_blocked");
    expect(answer.view.fillings).to.deep.equal({ time: until });
  });

  it("does not count empty fields as an attempt", async () => {
    const journey = handMadeJourney();
    const view = requireSignInPage(await post(journey, "sign-in", { fields: { username: ["  "] } }));
    expect(view.faults.map(({ field }) => field)).to.deep.equal(["username", "password", "one_time_code"]);
    expect(journey.done.attempts).to.deep.equal([]);
  });

  it("refuses a field sent twice", async () => {
    const journey = handMadeJourney();
    for (const name of ["username", "password", "one_time_code", "token"]) {
      const fields = { ...TYPED, [name]: ["one", "other"] };
      expect(await refusalOf(post(journey, "sign-in", { fields })), name).to.equal("form_malformed");
    }
    expect(journey.done.attempts).to.deep.equal([]);
  });

  it("leads on when the button is pressed twice; only the first form counts", async () => {
    const journey = handMadeJourney({ pending: { answeredWith: "/resume" } });
    const answer = await post(journey, "sign-in", { fields: TYPED });
    expect(answer).to.deep.equal({ show: "nothing", location: "/resume" });
    expect(journey.done.attempts).to.deep.equal([]);
  });

  it("leads on when the first of two presses has used up the one-time code", async () => {
    const answered = () => "/resume";
    const journey = handMadeJourney({ answered, outcome: { outcome: "refused" } });
    const answer = await post(journey, "sign-in", { fields: TYPED });
    expect(answer).to.deep.equal({ show: "nothing", location: "/resume" });
    expect(journey.done.signedIn).to.deep.equal([]);
  });

  it("calls no code wrong that another press used at that moment, in a browser that did not get its answer", async () => {
    const present = interactionPath({ uid: "interaction-1" });
    const journey = handMadeJourney({ answered: () => present, outcome: { outcome: "refused" } });
    const answer = await post(journey, "sign-in", { fields: TYPED });
    expect(answer).to.deep.equal({ show: "nothing", location: present });
  });
});
