import { parseApplicationRegistration, RegistrationRefusal } from "@cobs/cobs-model";
import { expect } from "chai";
import fc from "fast-check";

const BODY = {
  applicationType: "web",
  client_name: "Moje peněženka",
  redirect_uris: ["https://tpp.example/cb"],
  scopes: ["aisp", "pisp"],
};

function faultsOf(body: unknown): readonly string[] {
  try {
    parseApplicationRegistration(body);
  } catch (error) {
    if (!(error instanceof RegistrationRefusal)) throw error;
    return error.faults.map(({ code, path }) => `${code} ${path}`);
  }
  return [];
}

const faultsWith = (members: object) => faultsOf({ ...BODY, ...members });
const parsedWith = (members: object) => parseApplicationRegistration({ ...BODY, ...members });

describe("the registration of an application (COBS PDF 1.4.1.1)", () => {
  it("reads the mandatory members", () => {
    expect(parseApplicationRegistration(BODY)).to.deep.equal({
      applicationType: "web",
      redirectUris: ["https://tpp.example/cb"],
      clientName: "Moje peněženka",
      localizedNames: [],
      logoUri: null,
      contact: null,
      scopes: ["aisp", "pisp"],
      tokenEndpointAuthMethod: null,
      jwks: null,
      jwksUri: null,
    });
  });

  it("reads the optional members", () => {
    const extras = {
      "client_name#en-US": "My wallet",
      logo_uri: "https://tpp.example/logo.svg?v=2#dark",
      contact: "support@tpp.example",
      token_endpoint_auth_method: "client_secret_basic",
    };
    expect(parsedWith(extras)).to.include({
      logoUri: "https://tpp.example/logo.svg?v=2#dark",
      contact: "support@tpp.example",
      tokenEndpointAuthMethod: "client_secret_basic",
    });
    expect(parsedWith(extras).localizedNames).to.deep.equal([{ language: "en-US", name: "My wallet" }]);
  });

  it("reads the address of published keys, and refuses it beside keys that are sent (RFC 7591 section 2)", () => {
    const jwks_uri = "https://tpp.example/jwks";
    const method = { token_endpoint_auth_method: "private_key_jwt" };
    expect(parsedWith({ ...method, jwks_uri })).to.include({ jwksUri: jwks_uri, jwks: null });
    expect(faultsWith({ jwks_uri: "http://tpp.example/jwks" })).to.deep.equal(["invalid_request jwks_uri"]);
    expect(faultsWith(method)).to.deep.equal(["invalid_request jwks"]);
    const x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
    const jwks = { keys: [{ kty: "OKP", crv: "Ed25519", x }] };
    expect(faultsWith({ ...method, jwks, jwks_uri })).to.deep.equal(["invalid_request jwks_uri"]);
  });

  it("ignores unknown members and those that the bank assigns", () => {
    const ignored = {
      client_id: "mine",
      client_secret: "mine",
      api_key: 7,
      client_secret_expires_at: {},
      foo: [1],
    };
    expect(parsedWith(ignored)).to.deep.equal(parseApplicationRegistration(BODY));
  });

  it("treats null as absent (A-04)", () => {
    const absent = {
      logo_uri: null,
      contact: null,
      scopes: null,
      "client_name#en": null,
      application_type: null,
    };
    expect(parsedWith(absent)).to.deep.equal({ ...parseApplicationRegistration(BODY), scopes: null });
  });

  for (const body of [undefined, null, 1, "text", true, [], [BODY]]) {
    it(`refuses ${JSON.stringify(body)} instead of an object`, () => {
      expect(faultsOf(body)).to.deep.equal(["invalid_request undefined"]);
    });
  }

  it("reports every fault, each with its path", () => {
    const body = {
      redirect_uris: ["https://tpp.example/cb", "http://tpp.example/cb"],
      client_name: 7,
      scopes: ["aisp", "card"],
      logo_uri: "http://tpp.example/logo.png",
      contact: "nobody",
      token_endpoint_auth_method: "none",
      "client_name#not a tag": "x",
    };
    expect(faultsOf({ ...body, applicationType: "web" })).to.deep.equal([
      "invalid_redirect_uri redirect_uris[1]",
      "invalid_request client_name",
      "invalid_request client_name#",
      "invalid_request logo_uri",
      "invalid_request contact",
      "invalid_scope scopes[1]",
      "invalid_request token_endpoint_auth_method",
    ]);
  });

  it("reports every missing mandatory member", () => {
    expect(faultsOf({})).to.deep.equal([
      "invalid_request applicationType",
      "invalid_request redirect_uris",
      "invalid_request client_name",
    ]);
  });

  it("never repeats sent values in its messages", () => {
    try {
      parsedWith({
        scopes: ["hunter2"],
        client_name: "hunter2\u0000",
        redirect_uris: ["hunter2"],
        contact: "hunter2",
      });
      expect.fail("accepted");
    } catch (error) {
      if (!(error instanceof RegistrationRefusal)) throw error;
      expect(error.faults).to.have.lengthOf(4);
      expect(JSON.stringify(error.faults) + error.message).not.to.include("hunter2");
    }
  });

  it("yields either a registration or a refusal, whatever the input", () => {
    const fields = [...Object.keys(BODY), "application_type", "logo_uri", "contact", "client_name#cs"];
    const body = fc.dictionary(fc.oneof(fc.constantFrom(...fields), fc.string()), fc.anything());
    fc.assert(
      fc.property(fc.oneof(fc.anything(), body), (value) => {
        faultsOf(value);
      }),
      { numRuns: 500 },
    );
  });
});

describe("the type of an application", () => {
  it("is read from either spelling, or from both if they agree", () => {
    const { applicationType: _, ...others } = BODY;
    expect(faultsOf({ ...others, application_type: "web" })).to.deep.equal([]);
    expect(faultsWith({ application_type: "web" })).to.deep.equal([]);
  });

  it("is refused if the two spellings differ", () => {
    expect(faultsWith({ application_type: "native" })).to.deep.equal(["invalid_request applicationType"]);
  });

  for (const applicationType of ["WEB", "spa", "", 1, {}, ["web"]]) {
    it(`is refused when it is ${JSON.stringify(applicationType)}, with no fault about valid redirect URIs`, () => {
      for (const uri of ["https://tpp.example/cb", "cz.example.wallet:/oauth"])
        expect(faultsWith({ applicationType, redirect_uris: [uri] })).to.deep.equal([
          "invalid_request applicationType",
        ]);
    });
  }
});

describe("the names of an application", () => {
  it("may contain markup, which is kept as it is", () => {
    const name = `<script>alert("1")</script> & 'friends' 👩‍💻`;
    expect(parsedWith({ client_name: name }).clientName).to.equal(name);
  });

  const refused = [
    "",
    " ",
    "\u200b",
    "\u3164",
    "\u2800 \u115f",
    "\u{13441}\u{13442}",
    "\u{16fe4}",
    "\u{1d159}",
    "\ufffc",
    "a\u0000b",
    "a\nb",
    "a\u0085b",
    "a\u2028b",
    "a\u202eb",
    "a\u2066b",
    "a\ud800b",
  ];
  for (const name of refused) {
    it(`cannot be ${JSON.stringify(name)}`, () => {
      expect(faultsWith({ client_name: name })).to.deep.equal(["invalid_request client_name"]);
    });
  }

  it("are refused with a message that gives all rules for them", () => {
    for (const client_name of ["a\u202eb", "\u3164"])
      expect(() => parsedWith({ client_name }))
        .to.throw(RegistrationRefusal)
        .with.nested.property("faults[0].message")
        .that.equals(
          "client_name must be text of 1 to 255 bytes with a visible character, without control characters or marks that reorder text",
        );
  });

  it("are limited to 255 bytes of UTF-8", () => {
    expect(faultsWith({ client_name: "ž".repeat(127) })).to.deep.equal([]);
    expect(faultsWith({ client_name: "ž".repeat(128) })).to.deep.equal(["invalid_request client_name"]);
  });

  it("in other languages are limited to 1024 bytes", () => {
    expect(faultsWith({ "client_name#cs": "x".repeat(1024) })).to.deep.equal([]);
    expect(faultsWith({ "client_name#cs": "x".repeat(1025) })).to.deep.equal([
      "invalid_request client_name#cs",
    ]);
  });

  it("need a well-formed language tag (RFC 5646 2.1)", () => {
    const named = (language: string) => faultsWith({ [`client_name#${language}`]: "x" });
    const [eight, nine] = ["a".repeat(8), "a".repeat(9)];
    for (const language of ["en", "EN", eight, "de-1996", "en-x-1", `en-${eight}`, `en${"-a".repeat(7)}`])
      expect(named(language), language).to.deep.equal([]);
    for (const language of ["e", nine, "1a", "en-", `en-${nine}`, `en${"-a".repeat(8)}`, "en_US", "en-č"])
      expect(named(language), language).to.deep.equal(["invalid_request client_name#"]);
  });

  it("come in at most ten other languages, each once", () => {
    const languages = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`client_name#cs-x-${index}`, "x"]));
    expect(faultsWith(languages(10))).to.deep.equal([]);
    expect(faultsWith(languages(11))).to.deep.equal(["invalid_request client_name#"]);
    expect(faultsWith({ "client_name#cs": "x", "client_name#CS": "y" })).to.deep.equal([
      "invalid_request client_name#",
    ]);
  });
});

describe("the scopes of an application (A-30)", () => {
  it("are read in any case, and kept in lower case without duplicates", () => {
    expect(parsedWith({ scopes: ["PISP", "Aisp", "pisp"] }).scopes).to.deep.equal(["pisp", "aisp"]);
  });

  it("are null when not sent", () => {
    const { scopes: _, ...others } = BODY;
    expect(parseApplicationRegistration(others).scopes).to.equal(null);
  });

  const refused: readonly (readonly [unknown, string])[] = [
    [[], "invalid_scope scopes"],
    ["aisp", "invalid_request scopes"],
    [["cisp"], "invalid_scope scopes[0]"],
    [["aisp pisp"], "invalid_scope scopes[0]"],
    [["openid"], "invalid_scope scopes[0]"],
    [["aisp", 7], "invalid_scope scopes[1]"],
    [["aiſp"], "invalid_scope scopes[0]"],
    [["x".repeat(256)], "invalid_scope scopes[0]"],
    [Array.from({ length: 11 }, () => "aisp"), "invalid_scope scopes"],
  ];
  for (const [scopes, fault] of refused) {
    it(`are refused with ${fault} when they are ${JSON.stringify(scopes).slice(0, 40)}`, () => {
      expect(faultsWith({ scopes })).to.deep.equal([fault]);
    });
  }
});

describe("the redirect URIs of an application", () => {
  const WEB = [
    "https://tpp.example/cb",
    "https://tpp.example",
    "https://tpp.example?x=1",
    "https://TPP.example:8443/cb?x=1&y=%20",
    "https://tpp.example:443/cb",
    "https://localhost:5000/callback",
    "https://[2001:db8::1]/cb",
    "https://tpp.example/cb?a=%C4%8D&a&State=1&codes=2&=code&b=error",
    "https://tpp.example/%E1",
  ];
  for (const uri of WEB) {
    it(`of a web application may be ${uri}, kept as sent`, () => {
      expect(parsedWith({ redirect_uris: [uri] }).redirectUris).to.deep.equal([uri]);
    });
  }

  const NEVER: readonly unknown[] = [
    "",
    "/cb",
    "//tpp.example/cb",
    "javascript:alert(1)",
    "JavaScript://tpp.example/%0aalert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "https:/tpp.example/cb",
    "https:tpp.example/cb",
    "https:///tpp.example/cb",
    "https://",
    "https://*.tpp.example/cb",
    "https://tpp.example/*",
    "https://tpp.example/cb#fragment",
    "https://tpp.example/cb#",
    "https://user@tpp.example/cb",
    "https://user:password@tpp.example/cb",
    "https://@tpp.example/cb",
    "https://tpp.example\\@evil.example/cb",
    "https://tpp.example/c\tb",
    "https://tpp.example/cb\n",
    " https://tpp.example/cb",
    "https://tpp.example/c b",
    "https://tpp.example/%zz",
    "https://tpp.exämple/cb",
    "https://tpp.example/č",
    "https://2130706433/cb",
    "https://0x7f.1/cb",
    "https://tpp%2eexample/cb",
    "https://tpp.example:/cb",
    "https://tpp.example:99999/cb",
    "https://tpp.example/<script>",
    "https://tpp.example/cb?a=%E1",
    "https://tpp.example/cb?%FF",
    "https://tpp.example/cb?code",
    "https://tpp.example/cb?a=b&state=s",
    "https://tpp.example/cb??a&iss=https://bank.example",
    "https://tpp.example/cb?%63ode=mine",
    "https://tpp.example/cb?error=x",
    "https://tpp.example/cb?error_description=",
    "https://tpp.example/cb?error_uri=https://tpp.example",
    "https://tpp.example/cb?scope=aisp",
    7,
    null,
    {},
    ["https://tpp.example/cb"],
  ];
  for (const type of ["web", "native"]) {
    for (const uri of NEVER) {
      it(`of a ${type} application are never ${JSON.stringify(uri)}`, () => {
        const faults = faultsWith({ applicationType: type, redirect_uris: [uri] });
        expect(faults).to.deep.equal(["invalid_redirect_uri redirect_uris[0]"]);
      });
    }
  }

  const NATIVE = [
    "http://127.0.0.1/cb",
    "http://127.0.0.1:49152/cb",
    "http://[::1]:8080/cb",
    "http://localhost/cb",
    "cz.example.wallet:/oauth",
    "cz.example.wallet://oauth/cb",
  ];
  for (const uri of NATIVE) {
    it(`of a native application, and of no other, may be ${uri} (RFC 8252 7.1, 7.3)`, () => {
      expect(faultsWith({ applicationType: "native", redirect_uris: [uri] })).to.deep.equal([]);
      expect(faultsWith({ redirect_uris: [uri] })).to.deep.equal(["invalid_redirect_uri redirect_uris[0]"]);
    });
  }

  const NOT_NATIVE = [
    "http://tpp.example/cb",
    "http://127.0.0.1/cb?code=mine",
    "cz.example.wallet:/cb?state",
    "cz.example.wallet:/cb?a=%E1",
    "http://127.0.0.2/cb",
    "http://localhost.evil.example/cb",
    "http://127.1/cb",
    "wallet:/oauth",
    "cz.example.wallet:",
    "cz.example.wallet:oauth",
    "cz.example.wallet://user@oauth/cb",
    "https://tpp.example/cb",
    "https://localhost/cb",
    "ftp://127.0.0.1/cb",
    "javascript://localhost/%0aalert(1)",
  ];
  for (const uri of NOT_NATIVE) {
    it(`of a native application are never ${uri}`, () => {
      const faults = faultsWith({ applicationType: "native", redirect_uris: [uri] });
      expect(faults).to.deep.equal(["invalid_redirect_uri redirect_uris[0]"]);
    });
  }

  const WRITTEN =
    "of at most 2047 characters of RFC 3986, its host in canonical form; a query must be UTF-8 without the parameters code, state, iss, scope, error, error_description, error_uri";
  const RULES = [
    ["web", "it must be https, without user information, fragment or *"],
    [
      "native",
      "it must be http at 127.0.0.1, [::1] or localhost, or have a scheme named after your domain, such as cz.example.app:/, without user information, fragment or *",
    ],
  ] as const;
  for (const [applicationType, rule] of RULES)
    it(`of a ${applicationType} application are refused with a message that gives the whole rule`, () => {
      const refused = { ...BODY, applicationType, redirect_uris: ["https://bücher.example/cb"] };
      expect(() => parseApplicationRegistration(refused))
        .to.throw(RegistrationRefusal)
        .with.nested.property("faults[0].message")
        .that.equals(
          `redirect_uris[0] is not a redirect URI allowed for a ${applicationType} application: ${rule}, ${WRITTEN}`,
        );
    });

  it("are limited to 2047 bytes", () => {
    const uriOf = (length: number) => "https://tpp.example/".padEnd(length, "x");
    expect(faultsWith({ redirect_uris: [uriOf(2047)] })).to.deep.equal([]);
    expect(faultsWith({ redirect_uris: [uriOf(2048)] })).to.deep.equal([
      "invalid_redirect_uri redirect_uris[0]",
    ]);
  });

  it("number one to three, and any excess is one fault, even a thousand", () => {
    const uris = (count: number) =>
      Array.from({ length: count }, (_, index) => `http://evil.example/${index}`);
    expect(faultsWith({ redirect_uris: [] })).to.deep.equal(["invalid_redirect_uri redirect_uris"]);
    expect(faultsWith({ redirect_uris: uris(3) })).to.have.lengthOf(3);
    expect(faultsWith({ redirect_uris: uris(4) })).to.deep.equal(["invalid_redirect_uri redirect_uris"]);
    expect(faultsWith({ redirect_uris: uris(1000) })).to.deep.equal(["invalid_redirect_uri redirect_uris"]);
    expect(faultsWith({ redirect_uris: "https://tpp.example/cb" })).to.deep.equal([
      "invalid_request redirect_uris",
    ]);
  });
});

describe("the other members of a registration", () => {
  const addressOf = (length: number) => `${"a".repeat(64)}@`.padEnd(length, `${"b".repeat(63)}.`);

  for (const contact of [
    "a@b",
    "first.last+tag@mail.tpp.example",
    "účtárna@peněženka.example",
    addressOf(320),
  ]) {
    it(`accept ${contact} as a contact`, () => {
      expect(faultsWith({ contact })).to.deep.equal([]);
    });
  }

  for (const contact of [
    "",
    "@b",
    "a@",
    "a b@c",
    "a@b@c",
    "a@b\n",
    `a@${"b".repeat(63)}.`,
    `${"a".repeat(65)}@b`,
    "Jana <jana@tpp.example>",
    "jana\u202e@tpp.example",
    "\u3164@\u3164",
    "jana\u034f@tpp.example",
    "jana@tpp\u{13441}.example",
    addressOf(320).replaceAll("b", "ž"),
    addressOf(322),
    ["a@b"],
    7,
  ]) {
    it(`refuse ${JSON.stringify(contact)} as a contact`, () => {
      expect(faultsWith({ contact })).to.deep.equal(["invalid_request contact"]);
    });
  }

  for (const logo of [
    "http://tpp.example/l.png",
    "data:image/png;base64,xx",
    "//tpp.example/l.png",
    "",
    7,
    ["https://tpp.example/l.png"],
  ]) {
    it(`refuse ${JSON.stringify(logo)} as a logo`, () => {
      expect(faultsWith({ logo_uri: logo })).to.deep.equal(["invalid_request logo_uri"]);
    });
  }

  for (const method of [
    "none",
    "client_secret_jwt",
    "self_signed_tls_client_auth",
    "CLIENT_SECRET_POST",
    1,
  ]) {
    it(`refuse ${JSON.stringify(method)} as an authentication method`, () => {
      const faults = faultsWith({ token_endpoint_auth_method: method });
      expect(faults).to.deep.equal(["invalid_request token_endpoint_auth_method"]);
    });
  }
});
