// The web app: one page for all its paths, and the files that it loads. They aren't in the API document, because API
// clients don't use them.

import { z } from "zod";
import { defineEndpoint, type Endpoint } from "./endpoint.ts";

const page = {
  method: "GET",
  access: "public",
  summary: "Returns a page of the web app.",
  headers: z.strictObject({ "if-none-match": z.string().optional(), "accept-encoding": z.string().optional() }),
  answer: { mediaType: "text/html" },
} as const;

/** The page ignores query parameters that it doesn't know. */
const query = z.looseObject({});

/** `/streams/:id`: with any ID. All paths answer the same page, which shows what is there. */
export function toWebPage(path: Endpoint["path"]) {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => [name, z.string()]);
  return defineEndpoint({ ...page, path, params: z.strictObject(Object.fromEntries(names)), query });
}

/** Browsers ask for it on pages that name no icon. */
export const readIcon = defineEndpoint({
  ...page,
  path: "/favicon.ico",
  summary: "Returns the icon of the app.",
  answer: { mediaType: "image/svg+xml" },
});

export const readWebFile = defineEndpoint({
  ...page,
  path: "/assets/:name",
  summary: "Returns a file of the web app. The file name contains a hash.",
  params: z.strictObject({ name: z.string() }),
  answer: { mediaType: "*/*" },
});
