// Reads the start of a message in a seed mailbox. Anyone may have written it, so everything is limited. Whether it
// belongs to a test is not decided here.

import { findBodyTokens, markHeader, mostMarks } from "../mail/mime/assay-marks.ts";
import type { Message, MessageHeader } from "../mail/mime/message.ts";
import { parseMessage } from "../mail/mime/parse.ts";
import { toStorableCut } from "../mail/text/bounds.ts";
import type { ObservedFolder, Sighting, SightingEvidence } from "./sighting.ts";

type SeenAt = { readonly folder: ObservedFolder; readonly folderName: string; readonly arrivedAt: number };

const maxResults = 3;
const maxVerdicts = 20;
const longestVerdict = 2_000;
const longestText = 1_000;
const longestName = 200;

/** `source`: the headers and the part of the body that was read. */
export function readSighting(source: Uint8Array, { folder, folderName, arrivedAt }: SeenAt): Sighting {
  const message = parseMessage(source);
  const named = (key: string) => message.headers.filter((header) => header.key === key);
  const bodies = [message.text?.text ?? "", message.html?.text ?? ""];
  return {
    folder,
    folderName: toStorableCut(folderName, longestName),
    arrivedAt,
    assayIds: distinct(named(markHeader).map(({ value }) => toStorableCut(value.trim(), longestName))),
    bodyTokens: distinct(bodies.flatMap(findBodyTokens)),
    messageId: textOrNull(message.messageId?.trim().replace(/^<([^<>]*)>$/, "$1"), longestText),
    from: textOrNull(message.from.list[0]?.address.toLowerCase(), longestText),
    subject: textOrNull(message.subject, longestText),
    evidence: readEvidence(message),
  };
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => text !== "").slice(0, mostMarks);
}

function textOrNull(text: string | null | undefined, maxLength: number): string | null {
  return text ? toStorableCut(text, maxLength) : null;
}

/** The author's header fields. Fields that receivers add come above them. */
const authorFields = new Set(["from", "subject", "message-id", "date", "mime-version"]);

function readEvidence({ headers }: Message): SightingEvidence {
  const begin = headers.findIndex(({ key }) => authorFields.has(key));
  const above = headers.slice(0, begin < 0 ? headers.length : begin);
  const results = above.filter(({ key }) => key === "authentication-results").slice(0, maxResults);
  const seen = new Set<string>();
  const verdicts = headers.filter(({ key }) => {
    if (!verdictHeaders.has(key) || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return {
    authenticationResults: results.map(toVerdict),
    headers: verdicts
      .slice(0, maxVerdicts)
      .map((header) => ({ name: toStorableCut(header.name, longestName), value: toVerdict(header) })),
  };
}

function toVerdict({ value }: MessageHeader): string {
  return toStorableCut(value.replace(/\s+/g, " ").trim(), longestVerdict);
}

// Header fields in which receivers record their verdict, in lowercase. Exchange adds them below those of the author, so
// their position proves nothing, and a sender may have written any of them.

const verdictHeaders: ReadonlySet<string> = new Set([
  "arc-authentication-results",
  "received-spf",
  "x-microsoft-antispam",
  "x-microsoft-antispam-mailbox-delivery",
  "x-forefront-antispam-report",
  "x-ms-exchange-organization-scl",
  "x-ms-exchange-organization-pcl",
  "x-yahoofilteredbulk",
  "x-apparently-to",
  "x-apple-movetofolder",
  "x-apple-action",
  "x-icl-score",
  "x-suspected-spam",
  "x-clx-spam",
  "x-clx-score",
  "x-proofpoint-spam-details",
  "x-proofpoint-spam-reason",
  "x-cmae-score",
  "x-cmae-analysis",
  "x-gmx-antispam",
  "x-gmx-antivirus",
  "x-ui-filterresults",
  "x-spam",
  "x-spam-flag",
  "x-spam-status",
  "x-spam-score",
  "x-spam-level",
  "x-spam-bar",
  "x-spam-report",
  "x-spam-known-sender",
  "x-spam-hits",
  "x-spamd-result",
  "x-spamd-bar",
  "x-rspamd-server",
  "x-rspamd-queue-id",
  "x-rspamd-action",
  "x-rspamd-score",
  "x-barracuda-spam-score",
  "x-barracuda-spam-status",
  "x-pm-spam",
  "x-pm-spam-action",
  "x-yandex-spam",
  "x-mailru-msgtype",
  "x-zohomail-spf",
  "x-zoho-virus-status",
  "x-mdaemon-deliver-to",
  "x-antiabuse",
  "x-ovh-spamstate",
  "x-ovh-spamscore",
  "x-vr-spamstate",
  "x-vr-spamscore",
]);
