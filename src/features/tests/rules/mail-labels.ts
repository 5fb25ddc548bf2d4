// Whether a saved message is spam, according to the mailbox that it was saved from: its folder, Gmail's labels in a Takeout
// file, or the verdict that Microsoft wrote into it.

import { decodedText, unfoldedText } from "../../../analyzer/mail/headers/encoded-words.ts";
import { fieldsNamed, type HeaderSection } from "../../../analyzer/mail/headers/fields.ts";
import { besideInboxNames, inboxNames, spamNames } from "../../../analyzer/reports/folder-names-table.ts";

export type MailLabel = {
  readonly says: Said;
  /** The folder and the message disagree. The folder counts, because a person may have moved the message. */
  readonly isDisputed: boolean;
};

/** `beside`: sent, deleted, or a draft, so it is neither. Undefined: nothing says it. */
type Said = "spam" | "wanted" | "beside" | undefined;

/** `folders`: the outermost first. */
export function readMailLabel(section: HeaderSection, folders: readonly string[]): MailLabel {
  const inFolder = folders
    .toReversed()
    .map((name) => toSaid(toFolderName(name)))
    .find((said) => said !== undefined);
  const inMessage = readGmailLabels(section) ?? readMicrosoftVerdict(section);
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

/** In Takeout files, mail without the label is wanted: it may be archived. */
function readGmailLabels(section: HeaderSection): Said {
  const [field] = fieldsNamed(section, "x-gmail-labels");
  if (field === undefined) return undefined;
  const labels = decodedText({ value: field.value.slice(0, longestLabels) }).split(",");
  const said = new Set(labels.map((label) => toSaid(label.replaceAll('"', "").normalize("NFC").trim().toLowerCase())));
  return said.has("spam") ? "spam" : said.has("beside") ? "beside" : "wanted";
}

/**
 * Exchange's spam confidence level: from 5 it goes to Junk, up to 1 it isn't spam (-1: not filtered). What is between isn't
 * used today. The sender can't write these fields, because Microsoft removes them from what arrives.
 */
function readMicrosoftVerdict(section: HeaderSection): Said {
  const [own] = fieldsNamed(section, "x-ms-exchange-organization-scl");
  const [report] = fieldsNamed(section, "x-forefront-antispam-report");
  const written = own ? unfoldedText(own) : report && /(?:^|;)\s?SCL:(-?\d)/.exec(unfoldedText(report))?.[1];
  const level = written === undefined || written.trim() === "" ? Number.NaN : Number(written);
  if (level >= 5) return "spam";
  return level <= 1 ? "wanted" : undefined;
}
