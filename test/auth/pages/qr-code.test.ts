import { expect } from "chai";
import { decodeQR } from "qr/decode.js";
import { presentQrCode } from "../../../packages/auth/src/pages/qr-code.ts";

const PIXELS_OF_A_MODULE = 4;

/** Paints the path on white, as a browser does. */
function paint({ size, path }: { readonly size: number; readonly path: string }) {
  const width = size * PIXELS_OF_A_MODULE;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x = "", y = ""] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let dx = 0; dx < PIXELS_OF_A_MODULE; dx += 1) {
      for (let dy = 0; dy < PIXELS_OF_A_MODULE; dy += 1) {
        const row = Number(y) * PIXELS_OF_A_MODULE + dy;
        const start = (row * width + Number(x) * PIXELS_OF_A_MODULE + dx) * 4;
        data.fill(0, start, start + 3);
      }
    }
  }
  return { width, height: width, data };
}

describe("A QR code on a page", () => {
  const uri =
    "otpauth://totp/Banka%20%C5%BDelva:jana?issuer=Banka%20%C5%BDelva&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30";

  it("is read by an independent reader as the text it was made from", () => {
    expect(decodeQR(paint(presentQrCode(uri)))).to.equal(uri);
  });

  it("consists only of squares, so that no text gets into the markup (UI-09)", () => {
    expect(presentQrCode('"><script>alert(1)</script>').path).to.match(/^(M\d+ \d+h1v1h-1z)+$/);
  });

  it("has a quiet zone of four modules around it (ISO/IEC 18004)", () => {
    const { size, path } = presentQrCode(uri);
    const places = [...path.matchAll(/M(\d+) (\d+)/g)].flatMap(([, x, y]) => [Number(x), Number(y)]);
    expect(Math.min(...places)).to.equal(4);
    expect(Math.max(...places)).to.equal(size - 5);
  });
});
