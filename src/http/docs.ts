// The readable page at /docs: the OpenAPI document told to people.

import { readDocs, readOpenApi } from "../api/account-pages.ts";
import { listChecks, readChecksPage, toCatalogue } from "../api/checks.ts";
import { type Endpoint, errorMeanings } from "../api/endpoint.ts";
import { checkCatalog } from "../checks/catalog.ts";
import { refusalCodes } from "../errors.ts";
import { renderChecks } from "./checks-page.ts";
import { docsContentSecurityPolicy, html, renderPage, renderTable } from "./docs-page.ts";
import { statusOf } from "./errors.ts";
import { createOpenApi, type OpenApi, type Operation } from "./openapi.ts";
import type { Schema } from "./openapi-answers.ts";
import { type Route, route } from "./route.ts";

function renderDocs(document: OpenApi): string {
  const subjects = document.tags.map(({ name }) => renderSubject(name, document));
  const records = Object.entries(document.components.schemas).map(([name, schema]) =>
    renderRecord(name, schema),
  );
  return renderPage({
    title: "Assay: REST interface",
    heading: `REST interface, version ${html(document.info.version)}`,
    intro: `For programs: <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1). What is judged, and how the score
is made: <a href="${readChecksPage.path}">all checks</a>. Where mail would land:
<a href="${readChecksPage.path}#predictions">how sure a prediction is</a>.<br>
${renderContents(document)}`,
    main: `${howToCall}
${subjects.join("\n")}
<section><h2 id="records">Records</h2>
${records.join("\n")}
</section>
<section><h2 id="errors">Errors</h2>
${errorTable()}
</section>`,
  });
}

const howToCall = `<section><h2 id="calling">How to call</h2>
<p>Requests and answers are JSON in UTF-8; times are RFC 3339 in UTC. Send an API token as
<code>Authorization: Bearer asy_…</code>, and with everything that belongs to a workspace its id as
<code>X-Workspace-Id: wsp_…</code>. A browser that is logged in sends its session's cookie instead of a token. A field that is not listed is refused by name.</p>
<p>An error has the form <code>{"error": "…", "message": "…"}</code>, with <code>field</code> where one field is at
fault. The code is the contract; the message may change.
What is under <code>/api/auth/</code> takes 30 requests within 60 seconds from one address.</p></section>`;

function renderContents({ tags }: OpenApi): string {
  const subjects = tags.map(({ name }) => [subjectAnchor(name), html(name)]);
  const links = [["calling", "How to call"], ...subjects, ["records", "Records"], ["errors", "Errors"]];
  return links.map(([anchor, words]) => `<a href="#${anchor}">${words}</a>`).join(", ");
}

function subjectAnchor(name: string): string {
  return `subject-${name.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`;
}

function renderSubject(name: string, { paths }: OpenApi): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(name))
      .map(([method, operation]) => renderOperation(method, path, operation)),
  );
  return `<section><h2 id="${subjectAnchor(name)}">${html(name)}</h2>
${operations.join("\n")}
</section>`;
}

function renderOperation(method: string, path: string, operation: Operation): string {
  const parameters = (operation.parameters ?? []).map(
    ({ name, in: place, required, description, schema }) => ({
      name,
      type: `${typeWords(schema)}, in the ${place}`,
      notes: notesOn({ ...schema, description }, required),
    }),
  );
  const [bodyType = "", { schema: body = null } = {}] =
    Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const errors = Object.entries(operation.responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, { description }]) => `${status} ${html(description)}`);
  return `<article id="${html(operation.operationId)}">
<h3><span class="method">${method.toUpperCase()}</span> <code>${html(path)}</code></h3>
<p>${html(operation.summary)}${operation.security.length === 0 ? " Open to anyone." : ""}</p>
${fieldTable("Parameter", parameters)}
${body ? fieldTable("Body field", fieldsOf(body)) + renderExample(body) : ""}${bodyType !== "" && !body ? `<p>The body is <code>${html(bodyType)}</code>.</p>` : ""}
<p>Answers ${renderAnswer(operation)}.</p>
<details><summary>Errors</summary><p>${errors.join("<br>")}</p></details>
</article>`;
}

function renderExample({ examples: [example] = [] }: Schema): string {
  return example === undefined ? "" : `<p>Such as <code>${html(JSON.stringify(example))}</code></p>`;
}

function renderAnswer({ responses }: Operation): string {
  return Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, { content }]) => {
      const [mediaType, { schema = null } = {}] = Object.entries(content ?? {})[0] ?? [];
      if (mediaType === undefined) return `${status} without a body`;
      const media = `<code>${html(mediaType)}</code>`;
      if (!schema) return `${status} with ${media}`;
      return `${status} with ${mediaType === "application/json" ? "" : `${media} of `}${typeWords(schema)}`;
    })
    .join(" or ");
}

function renderRecord(name: string, schema: Schema): string {
  return `<article id="record-${html(name)}"><h3>${html(name)}</h3>
${schema.description === undefined ? "" : `<p>${html(schema.description)}</p>`}
${fieldTable("Field", fieldsOf(schema)) || `<p>${typeWords(schema)}</p>`}</article>`;
}

/** `type` and `notes` are HTML. */
type Field = { readonly name: string; readonly type: string; readonly notes: string };

function fieldsOf({ properties, required }: Schema): Field[] {
  return Object.entries(properties ?? {}).map(([name, property]) => ({
    name,
    type: typeWords(property),
    notes: notesOn(property, required?.includes(name) ?? false),
  }));
}

function fieldTable(heading: string, fields: readonly Field[]): string {
  if (fields.length === 0) return "";
  const rows = fields.map(({ name, type, notes }) => [`<code>${html(name)}</code>`, type, notes]);
  return renderTable([heading, "Type", ""], rows);
}

function notesOn(schema: Schema, required: boolean): string {
  const notes = [
    required ? "" : "Optional.",
    schema.default === undefined ? "" : `Default ${JSON.stringify(schema.default)}.`,
    schema.description ?? "",
  ];
  return html(notes.filter((note) => note !== "").join(" "));
}

/** HTML: a record is a link to its table. */
function typeWords(schema: Schema): string {
  if (schema.$ref) {
    const name = html(schema.$ref.split("/").at(-1) ?? "");
    return `<a href="#record-${name}">${name}</a>`;
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeWords).join(" or ");
  if (schema.const !== undefined) return `<code>${html(JSON.stringify(schema.const))}</code>`;
  if (schema.enum) return schema.enum.map((value) => `<code>${html(String(value))}</code>`).join(" ");
  if (schema.type === "array") return `list of ${schema.items ? typeWords(schema.items) : "anything"}`;
  if (schema.type === "object" && schema.properties)
    return `{ ${fieldsOf(schema)
      .map(({ name, type }) => `<code>${html(name)}</code>: ${type}`)
      .join(", ")} }`;
  const { minimum, maximum } = schema;
  const range = minimum === undefined || maximum === undefined ? "" : ` ${minimum} to ${maximum}`;
  return html((schema.format ?? [schema.type ?? "anything"].flat().join(" or ")) + range);
}

function errorTable(): string {
  const rows = refusalCodes.map((code) => [
    `<code>${code}</code>`,
    `${statusOf[code]}`,
    html(errorMeanings[code]),
  ]);
  return renderTable(["Code", "Status", "When"], rows);
}

/** `endpoints` is asked when first needed: these routes stand in the list that they describe. */
export function documentRoutes(endpoints: () => readonly Endpoint[]): readonly Route[] {
  // The same at every call, and too much to make anew for anyone who asks.
  const openApi = once((version: string) => createOpenApi(endpoints(), version));
  const docsPage = once((version: string) => renderDocs(openApi(version)));
  const catalogue = once(() => toCatalogue(checkCatalog));
  const checksPage = once(() => renderChecks(catalogue()));
  return [
    route(readOpenApi, (_call, { version }) => openApi(version)),
    route(readDocs, (_call, { version }) => answerPage(docsPage(version))),
    route(listChecks, () => catalogue()),
    route(readChecksPage, () => answerPage(checksPage())),
  ];
}

function answerPage(page: string): Response {
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": docsContentSecurityPolicy,
  };
  return new Response(page, { headers });
}

/** A process has one version. */
function once<A extends readonly unknown[], T>(make: (...given: A) => T): (...given: A) => T {
  let made: { readonly value: T } | undefined;
  return (...given) => {
    made ??= { value: make(...given) };
    return made.value;
  };
}
