// The web app: one page for all its paths, and the files that it loads. They aren't in the API document, because API
// clients don't use them.

import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { idParams } from "./primitives.ts";

const page = {
  method: "GET",
  access: "public",
  summary: "Returns a page of the web app.",
  headers: z.strictObject({ "if-none-match": z.string().optional(), "accept-encoding": z.string().optional() }),
  answer: { mediaType: "text/html" },
} as const;

/** The page ignores query parameters that it doesn't know. */
const query = z.looseObject({});

export const readHome = defineEndpoint({ ...page, path: "/", query });
export const readStartPage = defineEndpoint({ ...page, path: "/start", query });

const plainPaths = [
  "/login",
  "/forgot-password",
  "/laboratory",
  "/tests",
  "/streams",
  "/canaries/new",
  "/monitors",
  "/domains",
  "/alerts",
  "/integrations",
  "/predictions",
  "/doctor",
  "/settings",
] as const;

export const webPages = [
  readHome,
  readStartPage,
  ...plainPaths.map((path) => defineEndpoint({ ...page, path, query })),
  ...(
    ["/tests/:id", "/streams/:id", "/monitors/:id", "/domains/:id", "/domains/:id/policy", "/alerts/:id"] as const
  ).map((path) => defineEndpoint({ ...page, path, params: idParams, query })),
  defineEndpoint({
    ...page,
    path: "/tests/:id/compare/:other",
    params: z.strictObject({ id: z.string(), other: z.string() }),
    query,
  }),
  defineEndpoint({ ...page, path: "/settings/:section", params: z.strictObject({ section: z.string() }), query }),
] as const;

export const readWebFile = defineEndpoint({
  ...page,
  path: "/assets/:name",
  summary: "Returns a file of the web app. The file name contains a hash.",
  params: z.strictObject({ name: z.string() }),
  answer: { mediaType: "*/*" },
});
