/** The parts of OpenAPI 3.1 that the description of our interface uses, as plain data. */

type SchemaType = "array" | "boolean" | "integer" | "null" | "number" | "object" | "string";

/** A value of JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json };

/** A schema (JSON Schema 2020-12), with the keywords used here. */
export type Schema = {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: SchemaType | readonly SchemaType[];
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly default?: Json;
  readonly examples?: readonly Json[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly propertyNames?: Schema;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly if?: Schema;
  readonly else?: Schema;
};

/** A named example, with what it shows. */
export type Example = { readonly summary: string; readonly value: Json };

/** Form of a body of one media type. */
export type MediaType = { readonly schema: Schema; readonly examples?: Readonly<Record<string, Example>> };

/** A reference to a component. */
export type Reference = { readonly $ref: string };

/** A header of an answer. */
export type Header = {
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly example?: Json;
};

/** A parameter of the path, the query or the headers. */
export type Parameter = {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly example?: Json;
};

/** One answer of an operation. */
export type Response = {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: Readonly<Record<string, MediaType>>;
  /** Error codes of the answer. Not an `enum`, because client generators would make a class of each answer. */
  readonly "x-error-codes"?: readonly string[];
};

/** Body that an operation expects. */
export type RequestBody = {
  readonly description: string;
  readonly required: boolean;
  readonly content: Readonly<Record<string, MediaType>>;
};

/** Everything in one requirement is needed; one requirement of a list is enough. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** A server that answers an operation. */
export type Server = { readonly url: string; readonly description: string };

/** One operation. */
export type Operation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly servers: readonly Server[];
  readonly security: readonly SecurityRequirement[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, Response | Reference>>;
};

/** A method as OpenAPI writes it. */
export type OperationMethod = "get" | "post" | "put" | "delete";

/** Operations at one path. */
export type PathItem = Readonly<Partial<Record<OperationMethod, Operation>>>;

/** A heading over operations. */
export type Tag = { readonly name: string; readonly description: string };

/** A way in which a caller proves its identity. */
export type SecurityScheme = { readonly type: string; readonly description: string } & Readonly<
  Record<string, Json>
>;

/** A whole document (OpenAPI 3.1). */
export type OpenApiDocument = {
  readonly openapi: "3.1.0";
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
  };
  readonly servers: readonly Server[];
  readonly tags: readonly Tag[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  };
};
