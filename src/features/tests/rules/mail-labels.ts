// Whether a saved message is spam, according to the mailbox that it was saved from: its folder, Gmail's labels in a Takeout
// file, or the verdict that Microsoft wrote into it.

import { decodedText, unfoldedText } from "../../../analyzer/mail/headers/encoded-words.ts";
import { fieldsNamed, type HeaderSection } from "../../../analyzer/mail/headers/fields.ts";
import { parseReceived } from "../../../analyzer/mail/headers/received.ts";
import { besideInboxNames, inboxNames, spamNames } from "../../../analyzer/reports/folder-names-table.ts";

export type MailLabel = {
  readonly says: Said;
  /** The folder and the message disagree. The folder counts, because a person may have moved the message. */
  readonly isDisputed: boolean;
};

/** `beside`: sent, deleted, or a draft, so it is neither. Undefined: nothing says it. */
type Said = "spam" | "wanted" | "beside" | undefined;

/** `folders`: the outermost first. `servers`: domains of the mailbox's own servers, besides Microsoft's. */
export function readMailLabel(
  section: HeaderSection,
  folders: readonly string[],
  servers: readonly string[] = [],
): MailLabel {
  const inFolder = folders
    .toReversed()
    .map((name) => toSaid(toFolderName(name)))
    .find((said) => said !== undefined);
  const inMessage = readGmailLabels(section) ?? readMicrosoftVerdict(section, ["outlook.com", ...servers]);
  const isDisputed = inFolder !== undefined && inMessage !== undefined && inFolder !== inMessage;
  return { says: inFolder ?? inMessage, isDisputed };
}

/** `.INBOX.Junk` of Maildir, `Junk.mbox` of Takeout and Apple Mail. */
function toFolderName(name: string): string {
  const own = name.startsWith(".") ? name.slice(name.lastIndexOf(".") + 1) : name.replace(/\.mbox$/i, "");
  return own.normalize("NFC").trim().toLowerCase();
}

function toSaid(name: string): Said {
  if (spamNames.has(name)) return "spam";
  if (besideInboxNames.has(name)) return "beside";
  return inboxNames.has(name) ? "wanted" : undefined;
}

const longestLabels = 4_000;

/**
 * In Takeout files, mail without the label is wanted: it may be archived. Takeout writes the field above all others; below
 * the first server's line it may be the sender's.
 */
function readGmailLabels({ fields }: HeaderSection): Said {
  const field = fields.find(({ key }) => key === "x-gmail-labels" || key === "received");
  if (field?.key !== "x-gmail-labels") return undefined;
  const labels = decodedText({ value: field.value.slice(0, longestLabels) }).split(",");
  const said = new Set(labels.map((label) => toSaid(label.replaceAll('"', "").normalize("NFC").trim().toLowerCase())));
  return said.has("spam") ? "spam" : said.has("beside") ? "beside" : "wanted";
}

/**
 * Exchange's spam confidence level: from 5 it goes to Junk, up to 1 it isn't spam (-1: not filtered). What is between isn't
 * used today. Microsoft removes these fields from what arrives, so they are read only if its server was the last.
 */
function readMicrosoftVerdict(section: HeaderSection, servers: readonly string[]): Said {
  const [newest] = fieldsNamed(section, "received");
  const by = newest ? (parseReceived(newest.value).by?.toLowerCase() ?? "") : "";
  if (!servers.some((name) => by === name || by.endsWith(`.${name}`))) return undefined;
  const [own] = fieldsNamed(section, "x-ms-exchange-organization-scl");
  const [report] = fieldsNamed(section, "x-forefront-antispam-report");
  const written = own ? unfoldedText(own) : report && /(?:^|;)\s?SCL:(-?\d)/.exec(unfoldedText(report))?.[1];
  const level = written === undefined || written.trim() === "" ? Number.NaN : Number(written);
  if (level >= 5) return "spam";
  return level <= 1 ? "wanted" : undefined;
}
