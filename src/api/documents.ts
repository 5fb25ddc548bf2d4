import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";

export const readOpenApi = defineEndpoint({
  method: "GET",
  path: "/api/openapi.json",
  access: "public",
  summary: "This interface as an OpenAPI 3.1 document.",
  answer: z.looseObject({ openapi: z.string() }),
});

export const readDocs = defineEndpoint({
  method: "GET",
  path: "/docs",
  access: "public",
  summary: "This interface as a page for people.",
  answer: { mediaType: "text/html" },
});
