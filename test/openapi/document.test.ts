import { AUTH_VARIABLES } from "@cobs/auth";
import { BALANCE_TYPES, findCzechAccountNumber, findCzechIbanParts, parseIban } from "@cobs/cobs-model";
import type { Schema } from "@cobs/cobs-model/openapi";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect } from "chai";
import { faultsBySchema, findResponse } from "./check-answer.ts";
import { below, DOCUMENT, lookUp, OPERATIONS, operationOf } from "./interface-document.ts";

const SCHEMA = "#/components/schemas";

/** Every value of the document, with its place. */
function placesIn(value: unknown, fragment: string): readonly (readonly [place: string, value: unknown])[] {
  if (typeof value !== "object" || value === null) return [[fragment, value]];
  const inside = Object.entries(value).flatMap(([name, each]) => placesIn(each, below(fragment, name)));
  return [[fragment, value], ...inside];
}

const PLACES = placesIn(DOCUMENT, "#");
const textsIn = (name: string) =>
  PLACES.flatMap(([place, value]) =>
    place.endsWith(`/${encodeURIComponent(name)}`) && typeof value === "string" ? [value] : [],
  );

/** The codes that an operation is described to answer with, by status. */
function codesOf(operationId: string): Readonly<Record<string, readonly string[]>> {
  const described = operationOf(operationId);
  const codes = Object.keys(described.operation.responses).flatMap((status) => {
    const response = findResponse(described, status);
    const list = response?.value["x-error-codes"];
    return list === undefined ? [] : [[status, list.toSorted()] as const];
  });
  return Object.fromEntries(codes);
}

/** Whether generators of clients make a class of a schema. */
const isObjectSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && "type" in value && "properties" in value;

/** The class of a generated client for the schema at a place: the name of its component, and the members that lead there. */
function classOf(place: string): string {
  const [, name = "", inside = ""] = /^#\/components\/schemas\/(\w+)(.*)$/.exec(place) ?? [];
  const members = [...inside.matchAll(/\/properties\/(\w)(\w*)/g)];
  return name + members.map(([, first = "", rest]) => first.toUpperCase() + rest).join("");
}

/** The Czech IBAN that ISO 13616 has as its example. */
const SAMPLE_PAYEE = "CZ6508000000192000145399";

/** What the rim of every resource may answer; the standard's tables leave it out or have it in OAS alone. */
const RIM = {
  401: ["UNAUTHORISED"],
  403: ["FORBIDDEN"],
  415: ["UNSUPPORTED_MEDIA_TYPE"],
  421: ["NARR"],
  429: ["NARR"],
  500: ["NARR"],
  503: ["NARR"],
};

const OF_STEP = ["AUTH_LIMIT_EXCEEDED", "FF01", "FIELD_INVALID", "FIELD_MISSING", "PARAMETER_INVALID"];
const OF_CHECK = [
  ...["AC02", "AC09", "AC12", "AM11", "AM12", "FF01", "FIELD_INVALID", "FIELD_MISSING", "PARAMETER_INVALID"],
  ...["RF01", "RR10"],
];
const OF_PAYMENT = [
  ...["AC02", "AC03", "AC10", "AC12", "AM05", "AM11", "AM12", "BE19", "DT01", "FF01", "FIELD_INVALID"],
  ...["FIELD_MISSING", "NO_PART", "PARAMETER_INVALID", "RC07", "RC10", "REC_SEND", "RR03", "RR10"],
];

describe("the description of the interface", () => {
  it("is an OpenAPI 3.1 document", async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(DOCUMENT)));
    expect(result.valid, JSON.stringify(result.errors)).to.equal(true);
  });

  it("has no dangling reference, and no unused component", () => {
    const references = new Set(textsIn("$ref"));
    for (const reference of references) expect(lookUp(reference), reference).to.be.an("object");
    const { securitySchemes: _, ...components } = DOCUMENT.components;
    for (const [kind, named] of Object.entries(components)) {
      for (const name of Object.keys(named))
        expect([...references], name).to.include(`#/components/${kind}/${name}`);
    }
  });

  it("has only examples that match their schemas", () => {
    const named = PLACES.filter(([place]) => /\/(example|examples\/[A-Za-z]\w*\/value)$/.test(place));
    expect(named).to.have.length.greaterThan(100);
    for (const [place, value] of named) {
      const schema = place.replace(/\/(example|examples\/\w+\/value)$/, "/schema");
      expect(faultsBySchema(schema, value), place).to.deep.equal([]);
    }
  });

  it("has examples that fit together: every return address is one of the registered application", () => {
    const registered = PLACES.flatMap(([place, value]) =>
      place.endsWith("/redirect_uris") && Array.isArray(value) ? value : [],
    );
    const used = [...textsIn("redirect_uri"), ...textsIn("redirectUrl")];
    expect(used).to.not.be.empty;
    expect(registered).to.include.members(used);
  });

  it("has only sample values that match their schemas", () => {
    const samples = PLACES.filter(([place]) => /\/examples\/\d+$/.test(place));
    expect(samples).to.have.length.greaterThan(20);
    for (const [place, value] of samples)
      expect(faultsBySchema(place.replace(/\/examples\/\d+$/, ""), value), place).to.deep.equal([]);
  });

  it("has only valid IBANs and account numbers, Czech ones of bank 9900 but for a payee (COBS 4.9.1.2.1, 4.9.1.1)", () => {
    const ibans = textsIn("iban");
    expect(ibans).to.not.be.empty;
    for (const iban of ibans) {
      expect(String(parseIban(iban)), iban).to.equal(iban);
      if (iban.startsWith("CZ") && iban !== SAMPLE_PAYEE)
        expect(findCzechIbanParts(parseIban(iban))?.bankCode, iban).to.equal("9900");
    }
    for (const number of textsIn("other")) {
      const [base = "", prefix = ""] = number.split("-").reverse();
      expect(findCzechAccountNumber({ prefix, base }), number).to.not.equal(undefined);
    }
  });

  it("gives every operation a unique name, a summary, a description, a server, a tag and its security", () => {
    const names = OPERATIONS.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).to.equal(names.length);
    const tags = DOCUMENT.tags.map(({ name }) => name);
    for (const { operation, path } of OPERATIONS) {
      const { operationId, summary, description, servers } = operation;
      expect([summary, description], operationId).to.satisfy((texts: string[]) => texts.every(Boolean));
      expect(tags, operationId).to.include(operation.tags[0]);
      expect(servers, operationId).to.have.length(1);
      const needsCertificate = /^\/cobs\/2\.0\/(?!openapi)|^\/oauth\/(token|par|revoke)$/.test(path);
      const shows = operation.security.every((requirement) => "qwac" in requirement);
      expect(operation.security.length > 0 && shows, operationId).to.equal(needsCertificate);
    }
  });

  it("says that a replaced application keeps scopes that are left out (PDF 1.4.1.3)", () => {
    const scopes = lookUp("#/components/schemas/ApplicationRegistration/properties/scopes");
    expect(scopes).to.have.property("description").that.includes("a replaced one keeps what it has");
    const { description, requestBody } = operationOf("replaceApplication").operation;
    expect(description).to.include("except `scopes`");
    expect(requestBody?.description).not.to.include("everything");
  });

  it("says that the certificate's roles limit the scopes of a request without any, and of each token", () => {
    const ofToken = lookUp("#/components/schemas/TokenAnswer/properties/scope");
    const ofPushed = lookUp("#/components/schemas/PushedRequest/properties/scope");
    const ofRequest = operationOf("authorize").operation.parameters.find(
      (each) => "name" in each && each.name === "scope",
    );
    for (const described of [ofToken, ofPushed, ofRequest])
      expect(described).to.have.property("description").that.includes("the roles of the certificate");
  });

  it("has access tokens with the default lifetime in its examples", () => {
    const chosen = AUTH_VARIABLES.find(({ name }) => name === "ACCESS_TOKEN_LIFETIME_SECONDS");
    const examples = lookUp("#/paths/~1oauth~1token/post/responses/200/content/application~1json/examples");
    const lifetimes = placesIn(examples, "#").filter(([place]) => place.endsWith("/expires_in"));
    expect(lifetimes.map(([, seconds]) => String(seconds))).to.deep.equal([chosen?.default, chosen?.default]);
  });

  it("names every kind of balance, and the free port of a loopback address", () => {
    const { description } = operationOf("readBalance").operation;
    for (const type of BALANCE_TYPES) expect(description).to.include(`\`${type}\``);
    const addresses = lookUp("#/components/schemas/ApplicationRegistration/properties/redirect_uris");
    expect(addresses).to.have.property("description").that.includes("any port");
  });

  it("says once how a request is answered before it is a call, at any path", () => {
    for (const status of [400, 408, 431])
      expect(DOCUMENT.info.description).to.match(new RegExp(` \\(${status}\\)`));
    expect(DOCUMENT.info.description).to.include("without `X-Request-ID`");
  });

  it("says when an idle connection is closed, and how a payment lost with it is sent again", () => {
    for (const header of ["Keep-Alive", "Idempotency-Key"])
      expect(DOCUMENT.info.description).to.include(`\`${header}\``);
  });

  it("says that a malformed X-Request-ID or Action-ID is ignored, not refused", () => {
    for (const name of ["X-Request-ID", "Action-ID"])
      expect(DOCUMENT.components.parameters[name]?.description, name).to.include("is ignored");
  });

  it("says that a certificate without the role is always 403, whatever the token", () => {
    expect(DOCUMENT.info.description).to.include(
      "without the role is always 403,\nwhatever token comes with it",
    );
  });

  it("says what options generated clients and metadata libraries need", () => {
    const { description } = DOCUMENT.info;
    for (const option of ["number=json.Number", "containerDefaultToNull=true"])
      expect(description).to.include(`=${option}\``);
    expect(description).to.include("oapi-codegen");
    expect(operationOf("readOpenIdMetadata").operation.description).to.include("`issuer-uri`");
  });

  it("declares exactly the parts of each path as its parameters", () => {
    for (const { operation, path } of OPERATIONS) {
      const declared = operation.parameters.flatMap((parameter) => {
        const found =
          "$ref" in parameter
            ? DOCUMENT.components.parameters[parameter.$ref.split("/").at(-1) ?? ""]
            : parameter;
        return found?.in === "path" ? [found.name] : [];
      });
      const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
      expect(declared, path).to.deep.equal(parts);
    }
  });

  it("allows no undescribed members in answers about accounts and payments (COBS 3)", () => {
    for (const name of [
      "AccountList",
      "Account",
      "Balances",
      "Balance",
      "TransactionList",
      "Transaction",
      "TransactionDetails",
      "Payment",
      "PaymentStatus",
      "SignInfo",
      "Signing",
      "SigningStart",
      "SigningOutcome",
      "BalanceCheck",
      "Errors",
    ])
      expect(lookUp(`#/components/schemas/${name}/additionalProperties`), name).to.equal(false);
  });

  // Generators of clients make a class of each choice, whose JSON fits the others too, or none that is written at all.
  it("has no allOf, anyOf or oneOf, from which client generators make nothing that works", () => {
    const choices = PLACES.flatMap(([place]) => (/\/(allOf|anyOf|oneOf)$/.test(place) ? [place] : []));
    expect(choices).to.be.empty;
  });

  it("describes every required member, so that a generated class has it", () => {
    const undescribed = PLACES.flatMap(([place, value]) => {
      if (!isObjectSchema(value)) return [];
      const { required = [], properties = {} } = value;
      return required.filter((name) => !(name in properties)).map((name) => `${place} ${name}`);
    });
    expect(undescribed).to.be.empty;
  });

  // A generated class of Java has others inside of it, and the names of all in the name of one file.
  it("names nested schemas, so that no class of a generated client has a name of more than 80 characters", () => {
    const long = PLACES.filter(([place, value]) => isObjectSchema(value) && classOf(place).length > 80);
    expect(long.map(([place]) => classOf(place))).to.be.empty;
  });

  it("names the schema of every JSON body, so that its class is not called after a status", () => {
    const nameless = PLACES.flatMap(([place, value]) => {
      const isSchema = /\/content\/application(~1|%7E1|%2F)[^/]*json\/schema$/.test(place);
      return isSchema && !(value instanceof Object && "$ref" in value) ? [place] : [];
    });
    expect(nameless).to.deep.equal([]);
  });

  it("accepts exactly one member of a choice (COBS 4.9, 4.13)", () => {
    const [iban, other] = ["CZ3299000000002000000018", { identification: "19-2000000034" }];
    const [organisationIdentification, privateIdentification] = [{ bicOrBei: "TESTCZPP" }, {}];
    const choices = {
      "PartyAccount/properties/identification": [{ iban }, { other }],
      PartyIdentification: [{ organisationIdentification }, { privateIdentification }],
      CodeOrProprietary: [{ code: "CUST" }, { proprietary: "ID CARD" }],
      PaymentOrderPartyIdentification: [{ organisationIdentification }, { privateIdentification }],
    };
    for (const [name, [one, another]] of Object.entries(choices)) {
      const place = `${SCHEMA}/${name}`;
      for (const right of [one, another]) expect(faultsBySchema(place, right), name).to.deep.equal([]);
      for (const wrong of [{}, { ...one, ...another }])
        expect(faultsBySchema(place, wrong), name).to.not.be.empty;
    }
  });

  it("accepts a day, or a moment with an offset, where either may come (COBS 3.1.5)", () => {
    const place = `${SCHEMA}/DayOrMoment`;
    for (const right of ["2024-05-02", "2024-05-02T12:15:00.000+02:00"])
      expect(faultsBySchema(place, right)).to.deep.equal([]);
    for (const wrong of ["2024-05-32", "2024-05-02T12:15:00", "today", 20240502])
      expect(faultsBySchema(place, wrong)).to.not.be.empty;
  });

  it("accepts a payee's account with an IBAN, a number or both, but not with neither (A-52)", () => {
    for (const schema of ["PaymentOrder", "Payment"]) {
      const place = `${SCHEMA}/${schema}CreditorAccount/properties/identification`;
      const [iban, other] = ["CZ3299000000002000000018", { identification: "123456789" }];
      for (const right of [{ iban }, { other }, { iban, other }])
        expect(faultsBySchema(place, right), schema).to.deep.equal([]);
      expect(faultsBySchema(place, {}), schema).to.not.be.empty;
    }
  });

  it("says which answers may have further members, for generated clients that would refuse them", () => {
    for (const name of ["ServerMetadata", "KeySet", "TokenAnswer"]) {
      const further = lookUp(`${SCHEMA}/${name}/additionalProperties`);
      expect(further, name).to.have.property("description").that.is.a("string");
    }
  });

  it("allows an application its names in other languages, and no other further members (COBS PDF 1.4.1.1)", () => {
    const { Application, CreatedApplication, UpdatedApplication } = DOCUMENT.components.schemas;
    // A class of TypeScript has its further members of one type with the others.
    for (const schema of [Application, CreatedApplication, UpdatedApplication])
      expect(schema).to.have.property("additionalProperties").that.has.all.keys("description");
    const place = `${SCHEMA}/Application`;
    const told = {
      client_id: "Vq3mT1sXo0b9LwEr5cYzAg",
      applicationType: "web",
      client_name: "Moje peněženka",
      redirect_uris: ["https://tpp.example/callback"],
      scopes: ["aisp"],
      security_profile: "fapi2",
      api_key: "NOT_PROVIDED",
    };
    expect(faultsBySchema(place, { ...told, "client_name#en-US": "My wallet" })).to.deep.equal([]);
    for (const further of [
      { "client_name#": "x" },
      { "client_name#en-US": 1 },
      { "client_name#en-US": "" },
      { "client_name#en-US": "x".repeat(1_025) },
      { client_secret: "x" },
      { x: "y" },
    ])
      expect(faultsBySchema(place, { ...told, ...further })).to.not.be.empty;
  });

  it("gives all errors of a kind one schema, and lists the codes of each answer beside it", () => {
    const answers = [...OPERATIONS.flatMap(({ operation }) => Object.values(operation.responses))].concat(
      Object.values(DOCUMENT.components.responses),
    );
    const errors = answers.flatMap((answer) => ("x-error-codes" in answer ? [answer] : []));
    expect(errors).to.have.length.greaterThan(50);
    for (const { content, description, "x-error-codes": codes } of errors) {
      expect(content?.["application/json"]?.schema, description).to.deep.be.oneOf([
        { $ref: `${SCHEMA}/Errors` },
        { $ref: `${SCHEMA}/OAuthError` },
      ]);
      expect(codes, description).to.not.be.empty;
    }
  });

  it("allows texts, numbers, booleans and lists as parameters of an error, and nothing deeper", () => {
    const place = `${SCHEMA}/ErrorEntry/properties/parameters`;
    const values = { LIMIT: 999_999_999.99, CURRENCY: "EUR", ALLOWED_PRIORITY_TYPES: ["NORM", "HIGH"] };
    expect(faultsBySchema(place, values)).to.deep.equal([]);
    for (const wrong of [{}, null]) expect(faultsBySchema(place, { LIMIT: wrong })).to.not.be.empty;
  });

  it("gives a number with more than nine digits the format int64, and accepts an id as number or text", () => {
    const check = `${SCHEMA}/BalanceCheck/properties`;
    expect(lookUp(`${check}/responseIdentification`)).to.have.property("format", "int64");
    for (const right of ["12345", 12345])
      expect(faultsBySchema(`${check}/exchangeIdentification`, right)).to.deep.equal([]);
    for (const wrong of ["x".repeat(19), 1.5, true, null, {}])
      expect(faultsBySchema(`${check}/exchangeIdentification`, wrong)).to.not.be.empty;
  });

  // PARAMETER_INVALID of R2 is that of headers alone; COBS has no code for an access limit, nor for what the rim refuses.
  it("has the codes of the standard's matrix for accounts, balance and transactions (COBS 3.1.3 to 3.1.5)", () => {
    expect(codesOf("listAccounts")).to.deep.equal({ 400: ["PAGE_NOT_FOUND", "PARAMETER_INVALID"], ...RIM });
    expect(codesOf("readBalance")).to.deep.equal({
      400: ["AC09", "PARAMETER_INVALID"],
      404: ["ID_NOT_FOUND"],
      ...RIM,
    });
    expect(codesOf("listTransactions")).to.deep.equal({
      400: ["AC09", "DT01", "PARAMETER_INVALID"],
      404: ["ID_NOT_FOUND", "PAGE_NOT_FOUND"],
      ...RIM,
    });
  });

  // Headers may be wrong everywhere, a body too large, and a bank without payments; R10 has one method, which is always allowed.
  it("has the codes of the standard's matrix for payments (COBS 3.2.4 to 3.2.11)", () => {
    const [header, all] = [{ 400: ["PARAMETER_INVALID"] }, { ...RIM, 501: ["NOT_IMPLEMENTED"] }];
    expect(codesOf("enterPayment")).to.deep.equal({
      ...all,
      400: OF_PAYMENT,
      403: ["AG01", "FORBIDDEN"],
      413: ["NARR"],
    });
    for (const name of ["readPaymentStatus", "readPayment", "deletePayment", "beginSigning"])
      expect(codesOf(name), name).to.deep.equal({ ...all, ...header, 404: ["TRANSACTION_MISSING"] });
    const step = { 404: ["ID_NOT_FOUND"], 413: ["NARR"] };
    expect(codesOf("readSigning")).to.deep.equal({ ...all, ...header, 404: ["ID_NOT_FOUND"] });
    for (const name of ["chooseSigningMethod", "finishSigning"])
      expect(codesOf(name), name).to.deep.equal({ ...all, ...step, 400: OF_STEP });
  });

  it("has the codes of the standard's matrix for balance checks (COBS 3.2.3, 3.3.3)", () => {
    for (const name of ["checkBalanceOfPayer", "checkBalanceForCard"])
      expect(codesOf(name), name).to.deep.equal({
        ...RIM,
        501: ["NOT_IMPLEMENTED"],
        413: ["NARR"],
        400: OF_CHECK,
        403: ["AG01", "FORBIDDEN"],
      });
  });
});
