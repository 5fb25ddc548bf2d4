import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";

export const readOpenApi = defineEndpoint({
  method: "GET",
  path: "/api/openapi.json",
  access: "public",
  summary: "This interface as an OpenAPI 3.1 document.",
  answer: z.looseObject({ openapi: z.string() }),
});

export const readRoot = defineEndpoint({
  method: "GET",
  path: "/",
  access: "public",
  summary: "Leads a person who typed the bare address to a page.",
  answer: { mediaType: "text/html" },
  status: 302,
});

export const readDocs = defineEndpoint({
  method: "GET",
  path: "/docs",
  access: "public",
  summary: "This interface as a page for people.",
  answer: { mediaType: "text/html" },
});
