// Holds an answer against the OpenAPI document alone, as a client would that knows nothing else: the status, the headers,
// the media type and the body that the document declares for the path and the method.

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { OpenApi, Operation } from "../../src/platform/http/openapi.ts";
import { type Answers, type Header, headersOfStatus } from "../../src/platform/http/openapi-answers.ts";

export type AnswerSeen = { readonly status: number; readonly headers: Headers; readonly text: string };

export type Contract = {
  /** Throws a sentence where the answer is not as declared. */
  readonly hold: (method: string, path: string, answer: AnswerSeen) => void;
  /** Whether the schema at this place of the document takes the value; if not, why. */
  readonly complaint: (pointer: readonly (string | number)[], value: unknown) => string | null;
};

type Place = { readonly template: string; readonly pattern: RegExp };

export function createContract(document: OpenApi): Contract {
  const places = Object.keys(document.paths).map(toPlace).sort(byWildcards);
  const complaint = createComplaints(document);

  function checkBody(pointer: readonly (string | number)[], declared: Answers[string], seen: AnswerSeen) {
    if (declared.content === undefined) {
      checkNoBody(seen);
      return;
    }
    const mediaType = (seen.headers.get("content-type") ?? "").split(";")[0]?.trim() ?? "";
    const known = [mediaType, "*/*"].find((type) => declared.content !== undefined && type in declared.content);
    if (known === undefined) throw new Error(`is ${mediaType || "of no type"}, which is not declared`);
    // Of a stream of events it is of each alone: event-client.ts holds them against it.
    if (declared.content[known]?.schema === undefined || known === "text/event-stream") return;
    const problem = complaint([...pointer, "content", known, "schema"], JSON.parse(seen.text));
    if (problem !== null) throw new Error(`has a body that is not as declared: ${problem}`);
  }

  function holdDeclared(operation: Operation, pointer: readonly string[], seen: AnswerSeen, isHead: boolean) {
    const declared = operation.responses[String(seen.status)];
    if (declared === undefined) throw new Error("is not declared");
    checkHeaders(declared.headers ?? {}, seen.headers);
    const body = isHead ? { ...declared, content: undefined } : declared;
    checkBody([...pointer, "responses", String(seen.status)], body as Answers[string], seen);
  }

  function hold(method: string, path: string, seen: AnswerSeen): void {
    const { template = "" } = places.find(({ pattern }) => pattern.test(path)) ?? {};
    const methods = document.paths[template] ?? {};
    const asked = method === "HEAD" ? "get" : method.toLowerCase();
    const operation = methods[asked];
    // An escape in a path names nothing, whatever the method.
    if (path.includes("%") && seen.status === 404 && method !== "HEAD") checkNowhere(seen, path, [], complaint);
    else if (seen.status === 308) checkRedirect(path, seen);
    else if (operation) holdDeclared(operation, ["paths", template, asked], seen, method === "HEAD");
    else if (method === "HEAD") checkNoBody(seen);
    else checkNowhere(seen, path, Object.keys(methods), complaint);
  }

  return {
    complaint,
    hold: (method, path, seen) => {
      try {
        hold(method, path.split("?")[0] ?? "", seen);
      } catch (cause) {
        const about = seen.text.slice(0, 300);
        throw new Error(
          `The answer ${seen.status} of ${method} ${path.slice(0, 200)} ${(cause as Error).message}. ${about}`,
        );
      }
    },
  };
}

function createComplaints(document: OpenApi): Contract["complaint"] {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: false });
  addFormats.default(ajv);
  ajv.addVocabulary(["x-error-when-missing", "x-error-when-invalid"]);
  // Of the document only parts are schemas.
  ajv.addVocabulary(Object.keys(document));
  ajv.addSchema(document, "openapi", undefined, false);
  const compiled = new Map<string, ValidateFunction>();
  return (pointer, value) => {
    const place = pointer.map((part) => encodeURIComponent(String(part).replaceAll("~", "~0").replaceAll("/", "~1")));
    const $ref = `openapi#/${place.join("/")}`;
    const validate = compiled.get($ref) ?? ajv.compile({ $ref });
    compiled.set($ref, validate);
    return validate(value) ? null : ajv.errorsText(validate.errors, { dataVar: "value" });
  };
}

function toPlace(template: string): Place {
  const literal = template.split(/\{\w+\}/).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return { template, pattern: new RegExp(`^${literal.join("[^/]+")}$`) };
}

/** A path that is written out names one thing before a template does. */
function byWildcards(a: Place, b: Place): number {
  return a.template.split("{").length - b.template.split("{").length;
}

function checkHeaders(declared: Readonly<Record<string, Header>>, headers: Headers): void {
  for (const [name, { required, schema }] of Object.entries(declared)) {
    const value = headers.get(name);
    if (value === null && required) throw new Error(`lacks the header ${name}`);
    if (value !== null && schema.type === "integer" && !/^\d+$/.test(value))
      throw new Error(`has a header ${name} that is no number`);
  }
}

/** A path that is not listed, or a method that its path does not take; too often asked, where whatever is asked counts. */
function checkNowhere(
  seen: AnswerSeen,
  path: string,
  methods: readonly string[],
  complaint: Contract["complaint"],
): void {
  const body = JSON.parse(seen.text) as { error: string };
  const problem = complaint(["components", "schemas", "Error"], body);
  if (problem !== null) throw new Error(`is no error as declared: ${problem}`);
  const statuses: Readonly<Record<string, number>> = {
    invalid_request: 400,
    ...(methods.length === 0 ? { not_found: 404 } : { method_not_allowed: 405 }),
    ...(path.startsWith("/api/auth/") ? { rate_limited: 429 } : {}),
  };
  if (statuses[body.error] !== seen.status) throw new Error(`is ${body.error}, where nothing is declared`);
  if (seen.status === 405) checkAllowed(seen, methods);
  if (seen.status === 429) checkHeaders(headersOfStatus[429] ?? {}, seen.headers);
}

function checkRedirect(path: string, seen: AnswerSeen): void {
  checkNoBody(seen);
  const place = seen.headers.get("location") ?? "";
  if (!path.endsWith("/") || place.split("?")[0] !== path.replace(/\/+$/, "")) throw new Error(`leads to ${place}`);
}

function checkNoBody({ text }: AnswerSeen): void {
  if (text !== "") throw new Error("has a body, and none is declared");
}

function checkAllowed({ headers }: AnswerSeen, methods: readonly string[]): void {
  const taken = methods
    .map((method) => method.toUpperCase())
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  const told = headers.get("allow");
  if (told !== taken.join(", ")) throw new Error(`allows ${told}, and ${taken.join(", ")} is declared`);
}
