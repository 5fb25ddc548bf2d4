import type { Image } from "../../mail/links/images.ts";
import { defineCheck } from "../check.ts";
import { maxRaised, shown } from "./shown.ts";

export const tracking = defineCheck({
  id: "tracking",
  helpPage: "fix-images",
  label: "Tracking pixels",
  owner: "email-service",
  asks: "whether the message has tracking pixels",
  why: "Tracking pixels are not a sign of spam. Email clients that preload images make open rates unreliable, and pixels loaded over HTTP can trigger warnings.",
  refs: ["no standard", "Google sender guidelines on open rates"],
  needs: ["images"],
  passes: "No tracking pixels found.",
  findings: {
    found: {
      severity: "info",
      title: "Tracking pixels found",
      says: "The message has tracking pixels: {count} ({services}).",
      fix: null,
    },
    insecure: {
      severity: "minor",
      cost: 3,
      title: "Insecure tracking pixel",
      says: "The tracking pixel at {host} uses HTTP.",
      fix: "Turn on HTTPS for tracking[[ in {service}]].",
    },
  },
  run({ images: { list } }) {
    const pixels = list.filter(isCounter);
    if (pixels.length === 0) return [];
    const services = [...new Set(pixels.map(({ tracking }) => tracking?.service ?? "unknown service"))];
    const insecure = Map.groupBy(
      pixels.filter(({ scheme }) => scheme === "http"),
      ({ host }) => host ?? "",
    );
    const evidence = { pixels: pixels.slice(0, maxRaised).map(toEvidence) };
    return [
      { finding: "found", data: { count: pixels.length, services }, evidence },
      ...[...insecure]
        .slice(0, maxRaised)
        .map(([host, [pixel]]) => ({
          finding: "insecure" as const,
          subject: host,
          data: { host: shown(host), service: pixel?.tracking?.service ?? null },
          evidence: { pixel: pixel && toEvidence(pixel) },
        })),
    ];
  },
});

/** Images that only might be tracking pixels are listed with the images, but don't count here. */
function isCounter({ tracking }: Image): boolean {
  return tracking !== null && tracking.confidence !== "low";
}

function toEvidence({ src, tracking }: Image): Readonly<Record<string, unknown>> {
  return { src, service: tracking?.service ?? null, reasons: tracking?.reasons ?? [] };
}
