import { describe, expect, test } from "vitest";
import { routes } from "../../src/http/app.ts";
import { createOpenApi } from "../../src/http/openapi.ts";
import { startHttpWorld } from "./http-world.ts";

const endpoints = routes.map(({ endpoint }) => endpoint);
const document = createOpenApi(endpoints, "1.2.3");
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

describe("the OpenAPI document", () => {
  test("is answered to anyone", async () => {
    const { ask } = await startHttpWorld();
    const { json } = await ask("GET", "/api/openapi.json");
    expect(json).toEqual(JSON.parse(JSON.stringify(document)));
    expect(json.openapi).toBe("3.1.0");
  });

  test("has every route once, each with a name of its own", () => {
    expect(operations).toHaveLength(endpoints.length);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(endpoints.length);
  });

  test("refers to nothing that it does not have", () => {
    const names = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    expect(names.length).toBeGreaterThan(0);
    for (const [, name = ""] of names) expect(document.components.schemas).toHaveProperty(name);
  });

  test("describes each value of a path", () => {
    for (const { path, params } of endpoints) {
      const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      expect(Object.keys(params.shape)).toEqual(inPath);
    }
  });

  test("asks for the workspace where one is needed, and tells the refusals of each route", () => {
    const { parameters, responses } = document.paths["/api/tokens"]?.post ?? {};
    expect(parameters?.map(({ name }) => name)).toEqual(["X-Workspace-Id"]);
    expect(responses?.[201]?.content?.["application/json"]?.schema?.$ref).toBe(
      "#/components/schemas/IssuedApiToken",
    );
    expect(responses?.[400]?.description).toBe("invalid_request, missing_name");
    expect(responses?.[403]?.description).toBe("forbidden");
  });

  test("tells the media type of a body that is not JSON, and what may be claimed beside it", () => {
    const { requestBody, parameters, responses } = document.paths["/api/tests/upload"]?.post ?? {};
    expect(requestBody).toEqual({ required: true, content: { "message/rfc822": {} } });
    expect(parameters?.map(({ name }) => name)).toEqual([
      "X-Workspace-Id",
      "ip",
      "helo",
      "mail_from",
      "label",
    ]);
    expect(responses?.[400]?.description).toBe("invalid_email, invalid_request");
    expect(responses?.[503]?.description).toBe("overloaded");
  });
});

describe("GET /docs", () => {
  test("is one page that tells of every route and loads nothing from anywhere", async () => {
    const { ask } = await startHttpWorld();
    const { text, headers } = await ask("GET", "/docs");
    for (const { path } of endpoints) expect(text).toContain(path.replace(/:(\w+)/g, "{$1}"));
    expect(text).not.toMatch(/<script|src=|url\(|@import|<link/i);
    expect(headers.get("content-security-policy")).toMatch(/style-src 'sha256-[\w+/=]{44}'/);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  });
});
