import { defineEndpoint } from "./endpoint.ts";
import { idParams } from "./primitives.ts";

export const readReportFile = defineEndpoint({
  method: "GET",
  path: "/api/tests/:id/report.html",
  access: "member",
  summary:
    "The report as one file to keep: it reads offline, runs nothing and loads nothing. Unlike a share it holds recipients, session, headers and answers of DNS.",
  params: idParams,
  answer: { mediaType: "text/html", download: true },
  errors: ["conflict"],
});
