import { parsePsuId } from "@cobs/cobs-model";
import { expect } from "chai";
import type { PsuLogin, SignInOutcome, SignInPage } from "../../../packages/auth/src/psu/psu-login.ts";
import { showSignIn } from "../../../packages/auth/src/sign-in/show-sign-in.ts";
import type { SignInResult, SignInVisit } from "../../../packages/auth/src/sign-in/sign-in.ts";
import type { SignInPurpose } from "../../../packages/auth/src/sign-in/sign-in-purpose.ts";
import { takeSignInForm, takeSignInReturn } from "../../../packages/auth/src/sign-in/take-answer.ts";
import { movableClock } from "../../support/movable-clock.ts";
import {
  END_OF_STEPS,
  type HandMadeSignIn,
  handMadeSignIn,
  stepCookie,
  stepToken,
} from "./hand-made-sign-in.ts";

const NOW = new Date("2026-07-31T12:00:00Z");
const PSU = parsePsuId("psu-jana");
const OWN_ORIGIN = "https://login.bank.example";
const CONSENTS: SignInPurpose = { kind: "consents" };
const SIGNED_IN: SignInOutcome = { outcome: "signed-in", psu: PSU, methods: ["upstream"], device: "mark" };

/** A login of two steps, of which each leads on. */
function twoSteps(page: SignInPage, outcomes: readonly SignInOutcome[]): PsuLogin {
  let taken = 0;
  return {
    asks: page.page === "elsewhere" ? "elsewhere" : "here",
    begin: async (returnState) => ({ returnState }),
    wrote: () => true,
    present: async () => page,
    take: async () => {
      const outcome = outcomes[Math.min(taken, outcomes.length - 1)];
      taken += 1;
      if (outcome === undefined) throw new Error("no outcome");
      return outcome;
    },
    find: async (id) => ({ id, displayName: "Jana" }),
  };
}

interface Input {
  readonly page?: SignInPage;
  readonly outcomes?: readonly SignInOutcome[];
}

function begin({ page = { page: "credentials" }, outcomes = [SIGNED_IN] }: Input = {}) {
  const clock = { now: () => NOW, monotonicMilliseconds: () => 0 };
  const parts = handMadeSignIn({ login: twoSteps(page, outcomes), clock });
  const entered: string[] = [];
  const visit = (cookie: string | undefined, purpose = CONSENTS): SignInVisit => ({
    purpose,
    call: { requestId: "request-1", header: (name) => (name === "cookie" ? cookie : undefined) },
    ownOrigin: OWN_ORIGIN,
    language: "cs",
    asking: async () => undefined,
    cancel: undefined,
    waitsUntil: undefined,
    finish: async ({ psu }) => `/consents?${entered.push(psu)}`,
  });
  return { parts, visit, entered };
}

function post(parts: HandMadeSignIn, visit: SignInVisit, token: string): Promise<SignInResult> {
  const source = { origin: OWN_ORIGIN, fetchSite: "same-origin", ownOrigin: OWN_ORIGIN };
  return takeSignInForm(parts, visit, { fields: { token: [token] }, source });
}

const NAMED = `__Host-psu-browser=${"n".repeat(43)}`;
const STEP = "__Secure-sign-in=step-1; Max-Age=600; Path=/consents; HttpOnly; Secure; SameSite=Lax";
const lateAt = (place: string, why: "1" | "used") =>
  `__Secure-late=${why}; Max-Age=60; Path=${place}; HttpOnly; Secure; SameSite=Lax`;
const ELSEWHERE = { page: "elsewhere", location: "https://login.example/authorize" } as const;

describe("A sign-in before a page", () => {
  it("begins with a step whose cookie goes to its own place alone (UI-06)", async () => {
    const { parts, visit } = begin();
    const { cookies } = await showSignIn(parts, visit(NAMED));
    expect(cookies).to.deep.equal([STEP]);
  });

  it("gives a new browser a name for as long as it is open", async () => {
    const { parts, visit } = begin();
    const { cookies = [] } = await showSignIn(parts, visit(undefined));
    expect(cookies[1]).to.match(
      /^__Host-psu-browser=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it("says until when an app can be confirmed: as long as its step and its purpose wait (WCAG 2.2 2.2.1)", async () => {
    const page = { page: "enrolment", uri: "otpauth://totp/jana", secret: "S" } as const;
    const { parts, visit } = begin({ page });
    const [earlier, later] = [-1, 1].map((by) => new Date(END_OF_STEPS.getTime() + by));
    for (const [waitsUntil, confirmBy] of [
      [undefined, END_OF_STEPS],
      [later, END_OF_STEPS],
      [earlier, earlier],
    ]) {
      const shown = await showSignIn(parts, { ...visit(undefined), waitsUntil });
      expect(shown.show === "enrolment" && shown.view.confirmBy).to.deep.equal(confirmBy);
    }
  });

  it("says until when to sign in only for an authorization, which ends then (WCAG 2.2 2.2.1)", async () => {
    const { parts, visit } = begin();
    const waitsUntil = new Date(NOW.getTime() + 300_000);
    for (const [purpose, signInBy] of [
      [{ kind: "authorization", uid: "uid-1" }, waitsUntil],
      [{ kind: "signing", id: "order-1" }, undefined],
      [CONSENTS, undefined],
    ] as const) {
      const shown = await showSignIn(parts, { ...visit(undefined, purpose), waitsUntil });
      expect(shown.show === "sign-in" && shown.view.signInBy, purpose.kind).to.equal(signInBy);
    }
  });

  it("says again what was wrong when the language is changed, and nothing that a form makes up", async () => {
    const { parts, visit } = begin();
    await showSignIn(parts, visit(undefined));
    const again = async (faults: string) => {
      const source = { origin: OWN_ORIGIN, fetchSite: "same-origin", ownOrigin: OWN_ORIGIN };
      const fields = { token: [stepToken(CONSENTS, "step-1")], go: ["language"], faults: [faults] };
      const shown = await takeSignInForm(parts, visit(stepCookie("step-1")), { fields, source });
      return shown.show === "sign-in" ? shown.view.faults.map(({ key }) => key) : undefined;
    };
    expect(await again("fault_password_missing fault_code_missing")).to.deep.equal([
      "fault_password_missing",
      "fault_code_missing",
    ]);
    expect(await again("fault_sign_in_refused sign_in_ended <b>call us</b>")).to.deep.equal([
      "fault_sign_in_refused",
    ]);
    expect(await again("")).to.deep.equal([]);
  });

  it("shows the same step again when the page is loaded again", async () => {
    const { parts, visit } = begin();
    await showSignIn(parts, visit(undefined));
    await showSignIn(parts, visit(stepCookie("step-1")));
    expect(parts.kept.size).to.equal(1);
  });

  it("gets another id after each step (OWASP ASVS 7.2.4)", async () => {
    const { parts, visit } = begin({
      outcomes: [{ outcome: "next", memory: { step: "second" } }, SIGNED_IN],
    });
    await showSignIn(parts, visit(undefined));
    const next = await post(parts, visit(stepCookie("step-1")), stepToken(CONSENTS, "step-1"));
    expect(next).to.include({ show: "nothing", location: "/consents" });
    expect([...parts.kept.keys()]).to.deep.equal(["step-2"]);
    const done = await post(parts, visit(stepCookie("step-2")), stepToken(CONSENTS, "step-2"));
    expect(done).to.include({ show: "nothing", location: "/consents?1" });
    expect(parts.kept.size).to.equal(0);
    expect(parts.begun).to.deep.equal([{ psu: PSU, methods: ["upstream"], authenticatedAt: NOW }]);
  });

  it("is dated before the judging of its answer, so that what ends sessions meanwhile ends it too", async () => {
    const clock = movableClock();
    const before = clock.now();
    const judging = twoSteps({ page: "credentials" }, [SIGNED_IN]);
    const login: PsuLogin = {
      ...judging,
      take: (...asked) => {
        clock.advance(1_000);
        return judging.take(...asked);
      },
    };
    const { visit } = begin();
    const parts = handMadeSignIn({ login, clock });
    await showSignIn(parts, visit(undefined));
    await post(parts, visit(stepCookie("step-1")), stepToken(CONSENTS, "step-1"));
    expect(parts.begun).to.deep.equal([{ psu: PSU, methods: ["upstream"], authenticatedAt: before }]);
  });

  it("succeeds once, of 50 right answers at once", async () => {
    const { parts, visit, entered } = begin();
    await showSignIn(parts, visit(undefined));
    const posts = Array.from({ length: 50 }, () =>
      post(parts, visit(stepCookie("step-1")), stepToken(CONSENTS, "step-1")),
    );
    const answers = await Promise.all(posts);
    expect(entered).to.have.length(1);
    const told = answers.filter(({ cookies }) => cookies?.[0] === lateAt("/consents", "used"));
    expect(told).to.have.length(49);
  });

  it("begins again after a code that another press of the button has used meanwhile", async () => {
    const { parts, visit } = begin({ outcomes: [{ outcome: "refused" }] });
    await showSignIn(parts, visit(undefined));
    const { take } = parts.login;
    const login: PsuLogin = {
      ...parts.login,
      take: async (...asked) => {
        for (const step of parts.kept.values()) await parts.progresses.take(step);
        return take(...asked);
      },
    };
    const token = stepToken(CONSENTS, "step-1");
    const answer = await post({ ...parts, login }, visit(stepCookie("step-1")), token);
    const cookies = [lateAt("/consents", "used")];
    expect(answer).to.deep.equal({ show: "nothing", location: "/consents", cookies });
  });

  it("is of no use at another place", async () => {
    const { parts, visit, entered } = begin();
    await showSignIn(parts, visit(undefined));
    const purpose: SignInPurpose = { kind: "signing", id: "order-1" };
    for (const token of [stepToken(CONSENTS, "step-1"), stepToken(purpose, "step-1")]) {
      const answer = await post(parts, visit(stepCookie("step-1"), purpose), token);
      const cookies = [lateAt("/sign/order-1", "used")];
      expect(answer).to.deep.equal({ show: "nothing", location: "/sign/order-1", cookies });
    }
    expect(entered).to.deep.equal([]);
  });

  it("says that a form came too late for its step, or to one that was used, and asks for it anew (WCAG 2.2 2.2.1)", async () => {
    const { parts, visit } = begin();
    const anew = async (cookie: string) => {
      const shown = await showSignIn(parts, visit(cookie));
      return shown.show === "sign-in" ? shown.view.anew : shown.show;
    };
    expect(await anew(stepCookie("left"))).to.equal(undefined);
    for (const [cookie, why, told] of [
      [NAMED, "1", "late"],
      [stepCookie("left"), "used", "used"],
    ] as const) {
      const late = await post(parts, visit(cookie), stepToken(CONSENTS, "left"));
      const cookies = [lateAt("/consents", why)];
      expect(late).to.deep.equal({ show: "nothing", location: "/consents", cookies });
      expect(await anew(`__Secure-late=${why}`)).to.equal(told);
      // Pressed twice, a form may come again when its answer has led on to the next step.
      expect(await anew(`__Secure-late=${why}; ${stepCookie("step-2")}`)).to.equal(undefined);
    }
  });

  it("tells a browser without cookies what to do, instead of redirecting it for ever", async () => {
    const { parts, visit } = begin();
    const answer = await post(parts, visit(undefined), "token");
    expect(answer).to.deep.equal({ show: "message", view: { message: "cookies_missing" } });
  });
});

describe("A sign-in elsewhere", () => {
  const comeBack = async ({ parts, visit }: ReturnType<typeof begin>, parameters: Record<string, string>) =>
    takeSignInReturn(parts, visit(stepCookie("step-1")), new URLSearchParams(parameters));
  const stateOf = ({ parts }: ReturnType<typeof begin>) => parts.kept.get("step-1")?.returnState ?? "";

  it("redirects there at once, and succeeds with the browser's own state (RFC 6749 10.12)", async () => {
    const begun = begin({ page: ELSEWHERE });
    const away = await showSignIn(begun.parts, begun.visit(undefined));
    expect(away).to.include({ show: "nothing", location: "https://login.example/authorize" });
    expect(await comeBack(begun, { state: stateOf(begun), code: "c" })).to.include({
      location: "/consents?1",
    });
  });

  it("fails with another state or with two, and leads back to its page", async () => {
    const begun = begin({ page: ELSEWHERE });
    await showSignIn(begun.parts, begun.visit(undefined));
    for (const state of ["", "x", `${stateOf(begun)}x`]) {
      expect(await comeBack(begun, { state })).to.deep.equal({ show: "nothing", location: "/consents" });
    }
    const state = stateOf(begun);
    const doubled = new URLSearchParams({ state, code: "c" });
    doubled.append("state", state);
    await takeSignInReturn(begun.parts, begun.visit(stepCookie("step-1")), doubled);
    expect(begun.entered).to.deep.equal([]);
    expect(begun.parts.kept.size).to.equal(1);
  });

  it("is used up by the first answer, even of 50 at once", async () => {
    const begun = begin({ page: ELSEWHERE });
    await showSignIn(begun.parts, begun.visit(undefined));
    const state = stateOf(begun);
    await Promise.all(Array.from({ length: 50 }, () => comeBack(begun, { state })));
    expect(begun.entered).to.have.length(1);
  });

  it("says that nothing was taken when the browser is back too late, and can be begun again (WCAG 2.2 2.2.1)", async () => {
    const { parts, visit } = begin({ page: ELSEWHERE });
    const late = await takeSignInReturn(parts, visit(NAMED), new URLSearchParams({ state: "x", code: "c" }));
    const cookies = [lateAt("/consents", "1")];
    expect(late).to.deep.equal({ show: "nothing", location: "/consents", cookies });
    const told = await showSignIn(parts, visit(`${NAMED}; __Secure-late=1`));
    const message = { show: "message", view: { message: "sign_in_late", retryPath: "/consents" } };
    expect(told).to.deep.equal({ ...message, cookies: [STEP] });
    const again = await showSignIn(parts, visit(`${stepCookie("step-1")}; __Secure-late=1`));
    expect(again).to.include({ show: "nothing", location: ELSEWHERE.location });
  });

  it("says nothing of a second answer while the first one is fresh enough for every page", async () => {
    const { parts, visit } = begin({ page: ELSEWHERE });
    const open = (secondsAgo: number) => {
      const authenticatedAt = new Date(NOW.getTime() - secondsAgo * 1000);
      const session = {
        id: "session-1",
        psu: PSU,
        methods: ["upstream"],
        authenticatedAt,
        signIn: "s",
      } as const;
      return { ...parts, sessions: { ...parts.sessions, find: async () => session } };
    };
    const again = (secondsAgo: number) =>
      takeSignInReturn(open(secondsAgo), visit(NAMED), new URLSearchParams({ state: "x", code: "c" }));
    expect(await again(299)).to.deep.equal({ show: "nothing", location: "/consents" });
    expect((await again(300)).cookies).to.have.length(1);
  });

  it("stops at a page of ours when refused, from which it can be begun again", async () => {
    const begun = begin({ page: ELSEWHERE, outcomes: [{ outcome: "refused" }] });
    await showSignIn(begun.parts, begun.visit(undefined));
    const answer = await comeBack(begun, { state: stateOf(begun) });
    if (answer.show !== "message") throw new Error(`it shows ${answer.show}`);
    expect(answer.view).to.deep.equal({ message: "sign_in_refused", retryPath: "/consents" });
    expect([...begun.parts.kept.keys()]).to.deep.equal(["step-2"]);
  });
});
