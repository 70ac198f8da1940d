import { expect } from "chai";
import { createCookieJar } from "../../../packages/sandbox/src/tpp/cookie-jar.ts";

const url = (path: string) => new URL(`https://bank.example${path}`);

describe("Cookie jar", () => {
  it("sends a cookie where its path matches, and nowhere else (RFC 6265 5.1.4)", () => {
    const jar = createCookieJar();
    jar.keep(url("/oauth/authorize"), ["a=1; Path=/oauth/interaction/x; HttpOnly; Secure", "b=2; Path=/"]);
    expect(jar.present(url("/oauth/interaction/x/consent"))).to.equal("a=1; b=2");
    expect(jar.present(url("/oauth/interaction/xy"))).to.equal("b=2");
  });

  it("takes the folder of the page for a cookie without a path (RFC 6265 5.1.4)", () => {
    const jar = createCookieJar();
    jar.keep(url("/oauth/interaction/x"), ["a=1"]);
    expect(jar.present(url("/oauth/interaction/y"))).to.equal("a=1");
    expect(jar.present(url("/assets/style.css"))).to.equal("");
  });

  it("keeps the last value of a name, and everything after the first equals sign", () => {
    const jar = createCookieJar();
    jar.keep(url("/"), ["a=1; Path=/"]);
    jar.keep(url("/"), ["a=x=y==; Path=/"]);
    expect(jar.present(url("/"))).to.equal("a=x=y==");
  });

  it("keeps no cookie of the whole host that lacks the protection its name promises (RFC 6265bis 4.1.3.2)", () => {
    const jar = createCookieJar();
    for (const wrong of ["Path=/", "Path=/oauth; Secure", "Path=/; Secure; Domain=bank.example"])
      jar.keep(url("/"), [`__Host-a=1; ${wrong}`]);
    expect(jar.present(url("/oauth/"))).to.equal("");
    jar.keep(url("/"), ["__Host-a=1; Path=/; Secure"]);
    expect(jar.present(url("/oauth/"))).to.equal("__Host-a=1");
  });

  for (const end of ["Max-Age=0", "Expires=Thu, 01 Jan 1970 00:00:00 GMT"]) {
    it(`drops a cookie that comes with ${end} (RFC 6265 5.3)`, () => {
      const jar = createCookieJar();
      jar.keep(url("/"), ["a=1; Path=/"]);
      jar.keep(url("/"), [`a=; Path=/; ${end}`]);
      expect(jar.present(url("/"))).to.equal("");
    });
  }
});
