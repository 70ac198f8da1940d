import { createTrouble } from "@cobs/service-edge";
import { expect } from "chai";

describe("Lasting failure in the log", () => {
  it("is logged once for each reason until it is over", () => {
    const trouble = createTrouble();
    expect(trouble.end()).to.equal(false);
    expect(trouble.isNews(new Error("one"))).to.equal(true);
    expect(trouble.isNews(new Error("another"))).to.equal(true);
    expect(trouble.isNews(new Error("one"))).to.equal(false);
    expect(trouble.end()).to.equal(true);
    expect(trouble.isNews(new Error("one"))).to.equal(true);
  });

  it("is no longer logged when its reasons differ each time", () => {
    const trouble = createTrouble();
    const news = Array.from({ length: 1_000 }, (_, time) => trouble.isNews(new Error(`at ${time}`)));
    expect(news.filter(Boolean)).to.have.length(50);
  });
});
