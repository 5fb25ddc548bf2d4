import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { version } from "../../../src/analyzer/version.ts";
import { createDocuments } from "../../../src/features/handbook/routes/docs.ts";
import { createOpenApi } from "../../../src/platform/http/openapi.ts";
import type { Route } from "../../../src/platform/route.ts";
import { routes } from "../../../src/server.ts";
import { createContract } from "../../http/contract.ts";
import { type HttpWorld, openHttpWorld, startHttpWorld } from "../../http/http-world.ts";

const endpoints = routes.map(({ endpoint }) => endpoint);
const document = createOpenApi(endpoints, version);
const contract = createContract(document);
const everyOperation = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    operation,
    pointer: ["paths", path, method],
  })),
);
const operations = everyOperation.map(({ operation }) => operation);

describe("the OpenAPI document", () => {
  test("the OpenAPI document is public, and names the server for a client that stores it in a file", async () => {
    const { ask, base } = await startHttpWorld();
    const { json } = await ask("GET", "/api/openapi.json");
    expect(json).toEqual(JSON.parse(JSON.stringify({ ...document, servers: [{ url: base }] })));
    expect(json.openapi).toBe("3.1.0");
  });

  test("the OpenAPI document is built once for any number of requests", async () => {
    let timesMade = 0;
    const own = createDocuments();
    const call = { headers: {}, params: { noun: "tests" } } as unknown as Parameters<Route["handler"]>[0];
    const server = {
      version,
      webFiles: new Map(),
      baseUrl: () => "",
      get routes() {
        timesMade += 1;
        return routes;
      },
    } as unknown as Parameters<Route["handler"]>[1];
    const all = [...own.interface, ...own.pages];
    for (const { endpoint, handler } of [...all, ...all])
      if (/openapi|docs\/api/.test(endpoint.path)) await handler(call, server);
    expect(timesMade).toBe(1);
  });

  test("the OpenAPI document has every route once, each with a unique name", () => {
    expect(operations).toHaveLength(endpoints.length);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(endpoints.length);
  });

  test("the OpenAPI document refers only to existing components", () => {
    const names = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    expect(names.length).toBeGreaterThan(0);
    for (const [, name = ""] of names) expect(document.components.schemas).toHaveProperty(name);
  });

  test("the OpenAPI document describes each path parameter", () => {
    for (const { path, params } of endpoints) {
      const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      expect(Object.keys(params.shape)).toEqual(inPath);
    }
  });

  test("the OpenAPI document requires the workspace where it is needed, and lists the errors of each route", () => {
    const { parameters, responses } = document.paths["/api/tokens"]?.post ?? {};
    expect(parameters?.map(({ name }) => name)).toEqual(["X-Workspace-Id"]);
    expect(parameters?.[0]?.required).toBe(true);
    const list = document.paths["/api/tests"]?.get?.parameters?.filter(({ in: place }) => place === "header");
    expect(list).toMatchObject([{ name: "X-Workspace-Id", required: true }]);
    expect(responses?.[201]?.content?.["application/json"]?.schema?.$ref).toBe("#/components/schemas/IssuedApiToken");
    expect(responses?.[400]?.description).toBe("invalid_request, missing_name");
    expect(responses?.[403]?.description).toBe("forbidden, second_factor_required");
  });

  test("the OpenAPI document has the media type and parameters of a body that is not JSON", () => {
    const { requestBody, parameters, responses } = document.paths["/api/tests/upload"]?.post ?? {};
    const form = { schema: { type: "object", required: ["file"] } };
    expect(requestBody).toMatchObject({
      required: true,
      content: { "message/rfc822": {}, "multipart/form-data": form },
    });
    expect(parameters?.map(({ name }) => name)).toEqual([
      "X-Workspace-Id",
      "ip",
      "helo",
      "mail_from",
      "received_at",
      "trust",
      "label",
    ]);
    expect(responses?.[400]?.description).toBe("invalid_email, invalid_request");
    expect(responses?.[503]?.description).toBe("overloaded");
  });
});

describe("the OpenAPI document for other tools", () => {
  test("the OpenAPI document for other tools is valid OpenAPI 3.1 for an independent validator", async () => {
    const { ask } = await startHttpWorld();
    const { json } = await ask("GET", "/api/openapi.json");
    expect(await new Validator().validate(json)).toEqual({ valid: true });
  });

  test.each(everyOperation)(
    "the OpenAPI document for other tools describes each parameter of $name",
    ({ operation }) => {
      for (const { name, description } of operation.parameters ?? [])
        expect(description, `Describe ${name}.`).toMatch(/^\S.+/);
    },
  );

  test.each(everyOperation)(
    "the OpenAPI document for other tools has a valid example body for $name",
    ({ name, operation, pointer }) => {
      const schema = operation.requestBody?.content["application/json"]?.schema;
      if (schema === undefined) return;
      expect(schema.examples?.length, `Give the body of ${name} an example in its meta.`).toBeGreaterThan(0);
      const place = [...pointer, "requestBody", "content", "application/json", "schema"];
      for (const example of schema.examples ?? []) expect(contract.complaint(place, example)).toBeNull();
    },
  );

  test.each(everyOperation)("the OpenAPI document for other tools has $name in one listed group", ({ operation }) => {
    expect(operation.tags).toHaveLength(1);
    expect(document.tags.map(({ name }) => name)).toContain(operation.tags[0]);
  });

  test.each(everyOperation)(
    "the OpenAPI document for other tools has a described authentication scheme for $name",
    ({ operation }) => {
      const schemes = operation.security.flatMap((way) => Object.keys(way));
      for (const scheme of schemes) expect(document.components.securitySchemes).toHaveProperty(scheme);
    },
  );
});

describe("numbers in a query", () => {
  let world: HttpWorld;
  let asked: { readonly token: string; readonly workspace: string };
  beforeAll(async () => {
    world = await openHttpWorld();
    const workspace = (await world.createWorkspace("Ours")).id;
    asked = { workspace, token: (await world.issueToken(workspace)).token };
  });
  afterAll(() => world.close());
  const numbers = everyOperation.flatMap(({ name, method, path, operation }) =>
    (operation.parameters ?? [])
      .filter(({ in: place, schema }) => place === "query" && /^(integer|number)$/.test(String(schema.type)))
      .map(({ name: parameter }) => ({ name: `${name}?${parameter}`, method, path, parameter })),
  );

  test.each(numbers)("numbers in a query of $name must be written in digits", async ({ method, path, parameter }) => {
    for (const text of ["", " 5", "0x10", "1e1", "+5", "٣", "Infinity", "NaN", "5,0", "1_0", "null"]) {
      const target = `${path.replace(/\{\w+\}/g, "nothing")}?${parameter}=${encodeURIComponent(text)}`;
      const { status, json } = await world.ask(method, target, asked);
      expect(`${text}: ${status} ${json?.field}`).toBe(`${text}: 400 ${parameter}`);
    }
  });
});
