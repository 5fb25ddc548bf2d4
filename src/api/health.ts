import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";

export const readHealth = defineEndpoint({
  method: "GET",
  path: "/healthz",
  access: "public",
  summary: "Says that the process is alive.",
  answer: z.strictObject({ status: z.literal("ok") }),
});

export const readReadiness = defineEndpoint({
  method: "GET",
  path: "/readyz",
  access: "public",
  summary: "Says that the database can be written and mail is listened for.",
  answer: z.strictObject({ status: z.literal("ready") }),
  errors: ["overloaded"],
});

export const readMetrics = defineEndpoint({
  method: "GET",
  path: "/metrics",
  access: "metrics",
  summary: "Figures for Prometheus: on loopback, or with the token in ASSAY_METRICS_TOKEN.",
  answer: { mediaType: "text/plain" },
});
