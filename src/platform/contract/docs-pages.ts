// The pages below /docs: the handbook, the reference of the API, and the files that pages show.

import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { ifNoneMatch } from "./primitives.ts";

const page = { method: "GET", access: "public", answer: { mediaType: "text/html" } } as const;

export const readHandbook = defineEndpoint({
  ...page,
  path: "/docs",
  summary: "Returns the handbook home page, or search results.",
  query: z.strictObject({ q: z.string().max(200).optional().describe("Words to search for.") }),
  headers: ifNoneMatch,
});

export const readApiReference = defineEndpoint({
  ...page,
  path: "/docs/api",
  summary: "Returns the API reference: making requests, resources, and errors.",
  headers: ifNoneMatch,
});

export const readApiNoun = defineEndpoint({
  ...page,
  path: "/docs/api/:noun",
  summary: "Returns the API reference for one resource.",
  params: z.strictObject({ noun: z.string().describe("For example, tests or domains.") }),
  headers: ifNoneMatch,
});

export const readHandbookPage = defineEndpoint({
  ...page,
  path: "/docs/:page",
  summary: "Returns a handbook page.",
  params: z.strictObject({ page: z.string().describe("For example, getting-started.") }),
  headers: ifNoneMatch,
});

export const readHelpOfFinding = defineEndpoint({
  ...page,
  path: "/docs/findings/:id",
  summary: "Redirects to the handbook page that explains how to fix a finding.",
  params: z.strictObject({ id: z.string().describe("For example, ptr-record.missing.") }),
  status: 302,
});

export const readHelpOfCode = defineEndpoint({
  ...page,
  path: "/docs/codes/:code",
  summary: "Redirects to what the handbook says about a reply code of a mail server.",
  params: z.strictObject({ code: z.string().max(200).describe("For example, 550+5.7.26.") }),
  status: 302,
});

export const readHandbookFile = defineEndpoint({
  ...page,
  path: "/docs/files/:name",
  summary: "Returns a file of the handbook: an image, the Grafana dashboard, or the alert rules.",
  params: z.strictObject({ name: z.string().describe("File name.") }),
  headers: ifNoneMatch,
  answer: { mediaType: "*/*" },
});

export const readChecksPage = defineEndpoint({
  ...page,
  path: "/docs/checks",
  summary: "Lists every check and finding. The ID of each finding is its anchor.",
  headers: ifNoneMatch,
});

/** Not in the OpenAPI document, because they are for people. */
export const handbookPages = [
  readHandbook,
  readApiReference,
  readApiNoun,
  readChecksPage,
  readHandbookFile,
  readHelpOfFinding,
  readHelpOfCode,
  readHandbookPage,
] as const;
