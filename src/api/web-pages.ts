// The web app: one page for every path that a person can be at, and the files that it loads. They stand beside the
// interface and not in its document, because no program asks for them.

import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { idParams } from "./primitives.ts";

const page = {
  method: "GET",
  access: "public",
  summary: "A page of the web app.",
  headers: z.strictObject({
    "if-none-match": z.string().optional(),
    "accept-encoding": z.string().optional(),
  }),
  answer: { mediaType: "text/html" },
} as const;

/** What the page does not understand of its query it passes over, as every page does. */
const query = z.looseObject({});

export const readHome = defineEndpoint({ ...page, path: "/", query });
export const readStartPage = defineEndpoint({ ...page, path: "/start", query });

const plainPaths = [
  "/login",
  "/laboratory",
  "/tests",
  "/domains",
  "/alerts",
  "/integrations",
  "/predictions",
  "/settings",
] as const;

export const webPages = [
  readHome,
  readStartPage,
  ...plainPaths.map((path) => defineEndpoint({ ...page, path, query })),
  ...(["/tests/:id", "/domains/:id", "/alerts/:id"] as const).map((path) =>
    defineEndpoint({ ...page, path, params: idParams, query }),
  ),
  defineEndpoint({
    ...page,
    path: "/tests/:id/compare/:other",
    params: z.strictObject({ id: z.string(), other: z.string() }),
    query,
  }),
  defineEndpoint({
    ...page,
    path: "/settings/:section",
    params: z.strictObject({ section: z.string() }),
    query,
  }),
] as const;

export const readWebFile = defineEndpoint({
  ...page,
  path: "/assets/:name",
  summary: "A file of the web app, under a name that holds its hash.",
  params: z.strictObject({ name: z.string() }),
  answer: { mediaType: "*/*" },
});
