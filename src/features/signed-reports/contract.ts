// A report as a file that proves itself: signed by this installation (src/decisions.md, "Signed reports").

import { z } from "zod";
import type { CheckCatalog } from "../../analyzer/checks/catalog.ts";
import type { DnsAnswer } from "../../analyzer/dns/answer.ts";
import type { Circumstances } from "../../analyzer/reports/known-facts.ts";
import { hidden, type Mask } from "../../analyzer/reports/mask.ts";
import type { Report } from "../../analyzer/reports/report.ts";
import { defineEndpoint } from "../../platform/contract/endpoint.ts";
import { toSharedTest } from "../tests/contract/report-page.ts";
import type { TestReport } from "../tests/contract/tests.ts";
import type { Section } from "./rules/signed-file.ts";
import { copies, type SectionName } from "./rules/statement.ts";

const query = z.strictObject({
  redact: z
    .enum(copies)
    .default("none")
    .describe(
      "`none`: everything. `recipients`: without recipients, the SMTP session, headers, and the source, as in a share. `body`: also without the message and what quotes it.",
    ),
  message: z
    .enum(["0", "1"])
    .default("0")
    .describe(
      "`1`: with the original message, so that the file alone can be analyzed again. Only with `redact=none`, and for messages up to 4 MB.",
    ),
});

const shared = {
  method: "GET",
  access: "member",
  token: "read",
  labelToken: "path",
  query,
  errors: ["conflict", "invalid_request"],
} as const;

export const readReportFile = defineEndpoint({
  ...shared,
  path: "/api/tests/:id/report.html",
  summary:
    "Downloads the report as a single signed HTML file. It works offline, runs no scripts, and loads nothing. Unlike a share page, it includes recipients, the SMTP session, headers, and DNS responses, unless `redact` leaves them out. `assay verify` checks the signature.",
  answer: { mediaType: "text/html", download: true },
});

export const readSignedReport = defineEndpoint({
  ...shared,
  path: "/api/tests/:id/report.json",
  summary:
    "Downloads the report as a signed JSON file, with the message’s SHA-256, the recorded DNS responses, and the version of the rules. `assay verify` checks the signature.",
  answer: { mediaType: "application/json", download: true },
});

const jwkSet = z
  .strictObject({
    keys: z.array(
      z.strictObject({
        kty: z.literal("OKP"),
        crv: z.literal("Ed25519"),
        x: z.string(),
        kid: z.string().describe("Thumbprint of RFC 7638."),
        use: z.literal("sig"),
        alg: z.literal("EdDSA"),
      }),
    ),
  })
  .meta({ id: "SigningKeySet" });

export const readReportKey = defineEndpoint({
  method: "GET",
  path: "/.well-known/assay-signing-key",
  access: "public",
  summary: "Returns the public key that signs this installation’s reports, as a JWK set (RFC 7517, RFC 8037).",
  answer: jwkSet,
});

export const readReportKeyPem = defineEndpoint({
  method: "GET",
  path: "/.well-known/assay-signing-key.pem",
  access: "public",
  summary: "Returns the same public key in PEM, for openssl.",
  answer: { mediaType: "application/x-pem-file" },
});

type Material = {
  readonly test: TestReport;
  readonly report: Report;
  readonly session: string;
  readonly receivedAt: number;
  readonly receiver: string;
  readonly circumstances: Omit<Circumstances, "history" | "own">;
  readonly mask: Mask;
  readonly catalog: CheckCatalog;
};

/** Sections with their content, in the order of the file, without the page and the message. */
export function toSectionContents(material: Material): readonly Omit<Section, "salt">[] {
  const { test, report, mask, catalog, session, receivedAt, receiver, circumstances } = material;
  const { dns, unasked, lists, scanners, malware, history, own, outgoing, learned } = report.analysis;
  return [
    { name: "summary", content: toSharedTest(test, { catalog, mask, redactsBody: true }) },
    { name: "findings", content: toSharedTest(test, { catalog, mask, redactsBody: false }) },
    { name: "dns", content: { dns: dns.map(withoutServer), unasked, lists, scanners } },
    { name: "report", content: test },
    { name: "session", content: { session, received_at: receivedAt, receiver } },
    // With hashes of attachments, so not with the DNS responses, which a copy without recipients has.
    {
      name: "workspace",
      content: {
        ...circumstances,
        history,
        own,
        ...(malware && { malware }),
        ...(outgoing && { outgoing }),
        ...(learned && { learned }),
      },
    },
  ];
}

/** A DNS response may name what a share hides, such as a seed domain. Then a copy without recipients has no responses. */
export function toCopies({ report, mask }: Pick<Material, "report" | "mask">): {
  readonly recipients: SectionName[];
  readonly body: SectionName[];
} {
  const { dns, unasked, lists, scanners } = report.analysis;
  const text = JSON.stringify([dns.map(withoutServer), unasked, lists, scanners]);
  return {
    recipients: ["page", "summary", "findings", ...(mask(text).includes(hidden) ? [] : (["dns"] as const))],
    body: ["page", "summary"],
  };
}

/** The resolver's address is about the operator's network, and no result depends on it. */
function withoutServer(answer: DnsAnswer): DnsAnswer {
  return { ...answer, server: null };
}
