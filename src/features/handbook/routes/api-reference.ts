// The API reference below /docs/api: the OpenAPI document as pages, one for each resource.

import { escapeMarkup } from "../../../analyzer/visible-text.ts";
import { readApiReference } from "../../../platform/contract/docs-pages.ts";
import { errorMeanings } from "../../../platform/contract/endpoint.ts";
import { refusalCodes, statusOf } from "../../../platform/errors.ts";
import type { NamedOperation, OpenApi, Operation } from "../../../platform/http/openapi.ts";
import type { Schema } from "../../../platform/http/openapi-answers.ts";
import { type DocsPage, renderTable } from "./docs-page.ts";

const recordsNoun = "records";

/** The path of the page that describes a resource. */
function toNounPath(noun: string): string {
  return `${readApiReference.path}/${noun}`;
}

/** Where an operation is described. */
export function toOperationPath({ tags, operationId }: Operation): string {
  return `${toNounPath(toNoun(tags[0] ?? ""))}#${operationId}`;
}

export function operationsOf({ paths }: OpenApi): NamedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** Tests are what most readers come for. */
function nounsOf({ tags }: OpenApi): { readonly name: string; readonly noun: string }[] {
  const names = tags.map(({ name }) => name).sort((a, b) => Number(b === "Tests") - Number(a === "Tests"));
  return names.map((name) => ({ name, noun: toNoun(name) }));
}

export function renderReference(document: OpenApi): DocsPage {
  const operations = operationsOf(document);
  const rows = nounsOf(document).map(({ name, noun }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    const links = own.map(
      ({ method, path, operation }) =>
        `<a href="${toOperationPath(operation)}"><code>${method} ${escapeMarkup(path)}</code></a>`,
    );
    return [`<a href="${toNounPath(noun)}">${escapeMarkup(name)}</a>`, links.join("<br>")];
  });
  return {
    title: "API reference",
    description: "Every endpoint of the REST API, with fields, examples, and errors.",
    path: readApiReference.path,
    contents: [
      { anchor: "calling", text: "Making requests" },
      { anchor: "nouns", text: "Resources" },
      { anchor: "errors", text: "Errors" },
    ],
    main: `<h1>API reference</h1>
<p class="lead">Every endpoint of the REST API, version ${escapeMarkup(document.info.version)}. For code generators: <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1).
New to the API? Read the <a href="/docs/api-guide">API guide</a>.</p>
${howToCall}
<section><h2 id="nouns">Resources</h2>
${renderTable(["Resource", "Endpoints"], rows)}
<p>Objects that several endpoints return are listed under <a href="${toNounPath(recordsNoun)}">Records</a>.</p></section>
<section><h2 id="errors">Errors</h2>
${errorTable()}</section>`,
  };
}

const howToCall = `<section><h2 id="calling">Making requests</h2>
<p>Requests and responses are JSON in UTF-8. Times are RFC 3339 in UTC. Send an API token as
<code>Authorization: Bearer asy_…</code>. For everything that belongs to a workspace, also send its ID as
<code>X-Workspace-Id: wsp_…</code>. Each endpoint names the scope that a token needs: <code>read</code>, <code>write</code>, or
<code>admin</code>, where each includes the ones before it. A logged-in browser uses its session cookie instead of a token. Requests with unknown fields are
rejected with an error that names the field.</p>
<p>An error has the form <code>{"error": "…", "message": "…"}</code>, with <code>field</code> if one field is wrong.
The code is stable, but the message may change. Endpoints under <code>/api/auth/</code> accept up to 30 requests per
60 seconds from each IP address.</p></section>`;

/** Null if there is no such resource. */
export function renderNoun(document: OpenApi, noun: string): DocsPage | null {
  if (noun === recordsNoun) return renderRecords(document);
  const name = nounsOf(document).find((known) => known.noun === noun)?.name;
  if (name === undefined) return null;
  const own = operationsOf(document).filter(({ operation }) => operation.tags.includes(name));
  const path = toNounPath(noun);
  return {
    title: `${name} API`,
    description: `API endpoints for ${name.toLowerCase()}.`,
    path,
    contents: own.map(({ method, path, operation }) => ({
      anchor: operation.operationId,
      text: `${method} ${path.replace(/^\/api\//, "")}`,
    })),
    main: `<p class="note"><a href="${readApiReference.path}">API reference</a></p>
<h1>${escapeMarkup(name)}</h1>
${own.map(renderOperation).join("\n")}`,
  };
}

function renderRecords({ components }: OpenApi): DocsPage {
  const records = Object.entries(components.schemas);
  return {
    title: "API records",
    description: "Objects that several API endpoints return, field by field.",
    path: toNounPath(recordsNoun),
    contents: records.map(([name]) => ({ anchor: `record-${name}`, text: name })),
    main: `<p class="note"><a href="${readApiReference.path}">API reference</a></p>
<h1>Records</h1>
${records.map(([name, schema]) => renderRecord(name, schema)).join("\n")}`,
  };
}

function toNoun(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]+/g, "-");
}

function renderOperation(named: NamedOperation): string {
  const { method, path, operation } = named;
  const parameters = (operation.parameters ?? []).map(({ name, in: place, required, description, schema }) => ({
    name,
    type: `${typeWords(schema)}, in the ${place}`,
    notes: notesOn({ ...schema, description }, required),
  }));
  const [bodyType = "", { schema: body = null } = {}] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const errors = Object.entries(operation.responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, { description }]) => `${status} ${escapeMarkup(description)}`);
  return `<article id="${escapeMarkup(operation.operationId)}">
<h2><span class="method">${method}</span> <code>${escapeMarkup(path)}</code></h2>
<p>${words(operation.summary)}</p>
<p class="note">${words(toNeeds(operation))}</p>
${fieldTable("Parameter", parameters)}
${body ? fieldTable("Body field", fieldsOf(body)) : ""}${bodyType !== "" && !body ? `<p>The body is <code>${escapeMarkup(bodyType)}</code>.</p>` : ""}
<pre tabindex="0"><code>${escapeMarkup(toCurl(method, path, operation, body))}</code></pre>
<p>Returns ${renderAnswer(operation)}.</p>
<details class="note"><summary>Errors</summary><p>${errors.join("<br>")}</p></details>
</article>`;
}

/** Who may call it. */
function toNeeds({ security, "x-label-tokens": takesLabels }: Operation): string {
  if (security.length === 0) return "No authentication required.";
  const scopes = security.flatMap((one) => ("token" in one ? (one.token as readonly string[]) : []));
  if ("metricsToken" in (security[0] ?? {})) return "The metrics token, or a request from loopback.";
  if (scopes.length === 0) return "API tokens can’t call this. Log in instead.";
  const label = takesLabels ? "Tokens limited to a label can call it for tests with that label." : "";
  return `Token scope: \`${scopes.join("`, `")}\`. ${label}`.trim();
}

/** A command to paste, with the placeholders that the API guide sets. */
function toCurl(method: string, path: string, { security, requestBody }: Operation, body: Schema | null): string {
  const [example] = body?.examples ?? [];
  const bodyType = Object.keys(requestBody?.content ?? {})[0];
  const takesToken = security.some((one) => "token" in one || "metricsToken" in one);
  const parts = [
    `curl${method === "GET" ? "" : ` -X ${method}`} "$BASE${path}"`,
    ...(security.length === 0
      ? []
      : takesToken
        ? [`-H "Authorization: Bearer $TOKEN"`, `-H "X-Workspace-Id: $WORKSPACE"`]
        : [`-H "Cookie: $COOKIE"`, `-H "Origin: $BASE"`, `-H "X-Workspace-Id: $WORKSPACE"`]),
    ...(bodyType === undefined ? [] : [`-H "Content-Type: ${bodyType}"`]),
    ...(example === undefined ? [] : [`-d '${JSON.stringify(example).replaceAll("'", "'\\''")}'`]),
    ...(bodyType !== undefined && body === null ? ["--data-binary @message.eml"] : []),
  ];
  return parts.join(" \\\n  ");
}

function renderAnswer({ responses }: Operation): string {
  return Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, { content }]) => {
      const [mediaType, { schema = null } = {}] = Object.entries(content ?? {})[0] ?? [];
      if (mediaType === undefined) return `${status} without a body`;
      const media = `<code>${escapeMarkup(mediaType)}</code>`;
      if (!schema) return `${status} with ${media}`;
      return `${status} with ${mediaType === "application/json" ? "" : `${media} of `}${typeWords(schema)}`;
    })
    .join(" or ");
}

function renderRecord(name: string, schema: Schema): string {
  return `<article id="record-${escapeMarkup(name)}"><h2>${escapeMarkup(name)}</h2>
${schema.description === undefined ? "" : `<p>${words(schema.description)}</p>`}
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
  const rows = fields.map(({ name, type, notes }) => [`<code>${escapeMarkup(name)}</code>`, type, notes]);
  return renderTable([heading, "Type", "Notes"], rows);
}

function notesOn(schema: Schema, required: boolean): string {
  const notes = [
    required ? "" : "Optional.",
    schema.default === undefined ? "" : `Defaults to ${JSON.stringify(schema.default)}.`,
    schema.description ?? "",
  ];
  return words(notes.filter((note) => note !== "").join(" "));
}

/** HTML: a record is a link to its table. */
function typeWords(schema: Schema): string {
  if (schema.$ref) {
    const name = escapeMarkup(schema.$ref.split("/").at(-1) ?? "");
    return `<a href="${toNounPath(recordsNoun)}#record-${name}">${name}</a>`;
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeWords).join(" or ");
  if (schema.const !== undefined) return `<code>${escapeMarkup(JSON.stringify(schema.const))}</code>`;
  if (schema.enum) return schema.enum.map((value) => `<code>${escapeMarkup(String(value))}</code>`).join(" ");
  if (schema.type === "array") return `list of ${schema.items ? typeWords(schema.items) : "anything"}`;
  if (schema.type === "object" && schema.properties)
    return `{ ${fieldsOf(schema)
      .map(({ name, type }) => `<code>${escapeMarkup(name)}</code>: ${type}`)
      .join(", ")} }`;
  const { minimum, maximum } = schema;
  const range = minimum === undefined || maximum === undefined ? "" : ` ${minimum} to ${maximum}`;
  return escapeMarkup((schema.format ?? [schema.type ?? "anything"].flat().join(" or ")) + range);
}

function errorTable(): string {
  const rows = refusalCodes.map((code) => [`<code>${code}</code>`, `${statusOf[code]}`, words(errorMeanings[code])]);
  return renderTable(["Code", "Status", "When"], rows);
}

/** HTML: what is between backticks is code. */
function words(text: string): string {
  return escapeMarkup(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}
