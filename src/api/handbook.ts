// The pages below /docs: the handbook, the reference of the API, and the files that pages show.

import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";

const page = {
  method: "GET",
  access: "public",
  answer: { mediaType: "text/html" },
} as const;

/** A page that the browser has kept is asked for by its ETag. */
const pageHeaders = z.strictObject({
  "if-none-match": z.string().optional().describe("ETag of the copy that you have; 304 if it is current."),
});

export const readHandbook = defineEndpoint({
  ...page,
  path: "/docs",
  summary: "The handbook: list of pages, or search results.",
  query: z.strictObject({ q: z.string().max(200).optional().describe("Words to search for.") }),
  headers: pageHeaders,
});

export const readApiReference = defineEndpoint({
  ...page,
  path: "/docs/api",
  summary: "API reference: how to call, errors, list of resources.",
  headers: pageHeaders,
});

export const readApiNoun = defineEndpoint({
  ...page,
  path: "/docs/api/:noun",
  summary: "API reference of one resource.",
  params: z.strictObject({ noun: z.string().describe("Such as tests or domains.") }),
  headers: pageHeaders,
});

export const readHandbookPage = defineEndpoint({
  ...page,
  path: "/docs/:page",
  summary: "A page of the handbook.",
  params: z.strictObject({ page: z.string().describe("Such as getting-started.") }),
  headers: pageHeaders,
});

export const readHelpOfFinding = defineEndpoint({
  ...page,
  path: "/docs/findings/:id",
  summary: "Redirects to the handbook page that explains how to fix a finding.",
  params: z.strictObject({ id: z.string().describe("Such as ptr-record.missing.") }),
  status: 302,
});

export const readHandbookFile = defineEndpoint({
  ...page,
  path: "/docs/files/:name",
  summary: "An image in the handbook.",
  params: z.strictObject({ name: z.string().describe("File name of the image.") }),
  headers: pageHeaders,
  answer: { mediaType: "image/*" },
});

export const readChecksPage = defineEndpoint({
  ...page,
  path: "/docs/checks",
  summary: "Every check and finding; each finding has its id as an anchor.",
  headers: pageHeaders,
});

/** Not in the OpenAPI document, because they are for people. */
export const handbookPages = [
  readHandbook,
  readApiReference,
  readApiNoun,
  readChecksPage,
  readHandbookFile,
  readHelpOfFinding,
  readHandbookPage,
] as const;
