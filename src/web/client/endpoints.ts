// The input and answer of each call, derived from the endpoints: renaming a path, parameter or field in src/api breaks
// the build where src/web uses it. Types only, so it adds nothing to the bundle.

import type { AnswerOf, Endpoint, InputOf, Media } from "../../platform/contract/endpoint.ts";

/** Add a module when the app calls one of its endpoints. */
type Modules = [
  typeof import("../../features/people/contract/accounts.ts"),
  typeof import("../../features/alerts/contract/alert-options.ts"),
  typeof import("../../features/alerts/contract/alerts.ts"),
  typeof import("../../features/audit-log/contract.ts"),
  typeof import("../../features/billing/contract.ts"),
  typeof import("../../features/feedback/contract/bounces.ts"),
  typeof import("../../features/mailboxes/contract/calibration.ts"),
  typeof import("../../features/monitors/contract/canaries.ts"),
  typeof import("../../features/compare/contract.ts"),
  typeof import("../../features/dashboard/contract.ts"),
  typeof import("../../features/server/contract/doctor.ts"),
  typeof import("../../features/feedback/contract/domain-sources.ts"),
  typeof import("../../features/domains/contract/domains.ts"),
  typeof import("../../features/domains/contract/standing.ts"),
  typeof import("../../features/intake/contract/eml.ts"),
  typeof import("../../features/events/contract.ts"),
  typeof import("../../features/monitors/contract/expected.ts"),
  typeof import("../../features/tests/contract/export.ts"),
  typeof import("../../features/hooks/contract.ts"),
  typeof import("../../features/feedback/contract/feedback.ts"),
  typeof import("../../features/feedback/contract/policy-coach.ts"),
  typeof import("../../features/mailboxes/contract/integrations.ts"),
  typeof import("../../features/tests/contract/kind-detail.ts"),
  typeof import("../../features/samples/contract.ts"),
  typeof import("../../features/feedback/contract/mail-reports.ts"),
  typeof import("../../features/mailboxes/contract/mailboxes.ts"),
  typeof import("../../features/mailboxes/contract/seed-list.ts"),
  typeof import("../../features/monitors/contract/monitor-list.ts"),
  typeof import("../../features/oidc/contract.ts"),
  typeof import("../../features/own-addresses/contract.ts"),
  typeof import("../../features/public-tests/contract/operator.ts"),
  typeof import("../../features/tests/contract/reanalysis.ts"),
  typeof import("../../features/tests/contract/report-formats.ts"),
  typeof import("../../features/forwarding/contract.ts"),
  typeof import("../../features/people/contract/second-factors.ts"),
  typeof import("../../features/second-reader/contract.ts"),
  typeof import("../../features/intake/contract/receiving.ts"),
  typeof import("../../features/rehearsal/contract.ts"),
  typeof import("../../features/monitors/contract/relays.ts"),
  typeof import("../../features/intake/contract/seed-inboxes.ts"),
  typeof import("../../features/sending/contract.ts"),
  typeof import("../../features/server/contract/server-settings.ts"),
  typeof import("../../features/tests/contract/shares.ts"),
  typeof import("../../features/streams/contract.ts"),
  typeof import("../../features/tests/contract/tests.ts"),
  typeof import("../../features/people/contract/tokens.ts"),
  typeof import("../../features/unsubscribe/contract.ts"),
  typeof import("../../features/people/contract/workspaces.ts"),
];

type AnyEndpoint = Pick<Endpoint, "method" | "path" | "params" | "query" | "body" | "answer">;

type EndpointsIn<Module> = Module extends unknown ? Extract<Module[keyof Module], AnyEndpoint> : never;

type Table = {
  [E in EndpointsIn<Modules[number]> as `${E["method"]} ${E["path"]}`]: E;
};

type KeyOfFile = { [K in keyof Table]: Table[K]["answer"] extends Media ? K : never }[keyof Table];

/** "GET /api/tests/:id": an endpoint that answers JSON or nothing. */
export type Call = Exclude<keyof Table, KeyOfFile>;
/** "/api/tests/:id/raw": what a browser reads itself, as a download, a frame or a stream. */
export type FilePath = KeyOfFile extends infer K ? (K extends `GET ${infer Path}` ? Path : never) : never;

export type AnswerTo<C extends Call> = AnswerOf<Table[C]>;
export type BodyOf<C extends Call> = BodyIn<Table[C]["body"]>;
export type QueryOf<C extends keyof Table> = QueryIn<InputOf<Table[C]["query"]>>;

/** Everything the endpoint needs. Parts that it doesn't take are left out. */
export type CallInput<C extends keyof Table> = Part<"params", Readonly<InputOf<Table[C]["params"]>>> &
  Part<"query", QueryOf<C>> &
  BodyPart<Table[C]["body"]> & { readonly signal?: AbortSignal | undefined };

export type FileInput<Path extends FilePath> = Omit<CallInput<`GET ${Path}` & keyof Table>, "signal">;

/** Calls that need no input. */
export type CallNeedingNothing = {
  [C in Call]: Partial<CallInput<C>> extends CallInput<C> ? C : never;
}[Call];
export type PathNeedingNothing = {
  [P in FilePath]: Partial<FileInput<P>> extends FileInput<P> ? P : never;
}[FilePath];

type Part<Name extends string, Value> =
  IsEmpty<Value> extends true
    ? unknown
    : Partial<Value> extends Value
      ? { readonly [N in Name]?: Value }
      : { readonly [N in Name]: Value };

/** A body is always required, even if all its fields are optional. */
type BodyPart<Body> =
  IsEmpty<BodyIn<Body>> extends true
    ? unknown
    : { readonly body: BodyIn<Body> } & (Body extends Media ? { readonly mediaType: Body["mediaType"] } : unknown);

type BodyIn<Body> = Body extends Media ? BodyInit : JsonOf<InputOf<Body>>;

/** An endpoint without a query has the schema of an empty object. Its type is Record<string, never>. */
type IsEmpty<Value> = string extends keyof Value
  ? [Value[string & keyof Value]] extends [never]
    ? true
    : false
  : false;

type QueryIn<Query> = {
  readonly [K in keyof Query]:
    | (unknown extends Query[K] ? Digits : Query[K])
    | (Partial<Pick<Query, K>> extends Pick<Query, K> ? undefined : never);
};

/** A number in a query is `unknown` to its schema until the digits are parsed (platform/contract/primitives.ts). */
type Digits = number | string;

/** The app's values are read-only. */
type JsonOf<Value> = Value extends readonly (infer Item)[]
  ? readonly JsonOf<Item>[]
  : Value extends object
    ? { readonly [K in keyof Value]: JsonOf<Value[K]> }
    : Value;

/**
 * `Value` without any field that `Wanted` doesn't have. TypeScript only checks the fields of a literal in the call: in a
 * body built earlier, a misnamed optional field would go unnoticed.
 */
export type Exactly<Value, Wanted> = Value extends readonly (infer Item)[]
  ? readonly Exactly<Item, ItemOf<Wanted>>[]
  : Value extends AbortSignal | ArrayBuffer | Blob
    ? Value
    : Value extends object
      ? {
          readonly [K in keyof Value]: K extends KeyOf<Wanted> ? Exactly<Value[K], FieldOf<Wanted, K>> : never;
        }
      : Value;

type KeyOf<Value> = Value extends unknown ? keyof Value : never;
type FieldOf<Value, K> = Value extends unknown ? (K extends keyof Value ? Value[K] : never) : never;
type ItemOf<Value> = Value extends readonly (infer Item)[] ? Item : never;
