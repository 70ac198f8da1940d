import { createTrouble } from "@cobs/service-edge";
import { expect } from "chai";

describe("a trouble of which the log is told", () => {
  it("is news once for each reason until it is over", () => {
    const trouble = createTrouble();
    expect(trouble.end()).to.equal(false);
    expect(trouble.isNews(new Error("one"))).to.equal(true);
    expect(trouble.isNews(new Error("another"))).to.equal(true);
    expect(trouble.isNews(new Error("one"))).to.equal(false);
    expect(trouble.end()).to.equal(true);
    expect(trouble.isNews(new Error("one"))).to.equal(true);
  });

  it("is told of no further where its reasons differ each time", () => {
    const trouble = createTrouble();
    const news = Array.from({ length: 1_000 }, (_, time) => trouble.isNews(new Error(`at ${time}`)));
    expect(news.filter(Boolean)).to.have.length(50);
  });
});
