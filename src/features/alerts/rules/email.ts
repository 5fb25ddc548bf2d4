// An alert as an email: text and HTML that say the same, without images. Everything that strangers wrote is escaped and
// bounded, and URLs in it are broken up.

import type { KeptEvent } from "./alert-event.ts";
import type { ChatNotice } from "./chat-notice.ts";
import {
  type EmailPage,
  type EmailSection,
  toEmail,
  toSubject,
  type WrittenEmail,
  withoutDomains,
  withoutLinks,
} from "./email-page.ts";
import { alertEvents, toChatNotice } from "./events.ts";
import { toName } from "./notice-text.ts";

type EmailContent = {
  /** Oldest first. */
  readonly events: readonly KeptEvent[];
  /** How many more events there were. */
  readonly more: number;
  /** Our own sentence, in place of the events. */
  readonly notice?: string;
};

type EmailFrame = {
  /** URL of the web app, without a trailing slash. */
  readonly baseUrl: string;
  readonly alert: { readonly id: string; readonly label: string };
  readonly workspace: string;
  readonly unsubscribeUrl: string;
};

/** Further events are counted. */
export const shownInEmail = 30;

export function renderAlertEmail(content: EmailContent, frame: EmailFrame): WrittenEmail {
  return toEmail({ ...toContent(content, frame), footer: toFooter(frame) });
}

export function renderPingEmail(frame: EmailFrame): WrittenEmail {
  const notice = "Alerts from Assay will arrive at this address. This is only a test, so nothing has happened.";
  const subject = `Test alert: ${withoutDomains(toName(frame.alert.label))}`;
  return { ...renderAlertEmail({ events: [], more: 0, notice }, frame), subject: toSubject(subject) };
}

type Confirmation = {
  readonly workspace: string;
  readonly address: string;
  readonly confirmUrl: string;
  /** Our server's web address. */
  readonly baseUrl: string;
  readonly hours: number;
};

/** Asks the recipient. It has no unsubscribe link, because an address that does not answer gets nothing. */
export function renderConfirmation({ workspace, address, confirmUrl, baseUrl, hours }: Confirmation): WrittenEmail {
  // The recipient does not know yet who named it.
  const name = withoutDomains(toName(workspace));
  return toEmail({
    subject: toSubject(`Confirm email alerts from “${name}”`),
    title: "Confirm your email address",
    intro: [
      `Someone in the Assay workspace “${name}” wants to send alerts about email delivery to ${address}. You get them only if you confirm.`,
    ],
    sections: [],
    action: { url: confirmUrl, words: "Review and confirm" },
    footer: [
      `The link works once, for ${hours} hours. If you don’t want these alerts, ignore this message, and you won’t get any.`,
      `Sent by the Assay server at ${baseUrl}.`,
    ],
  });
}

function toContent({ events, more, notice }: EmailContent, { baseUrl }: EmailFrame): Omit<EmailPage, "footer"> {
  const alerts = { url: `${baseUrl}/alerts`, words: "Open your alerts" };
  if (notice !== undefined)
    return { subject: "Assay alerts", title: "Assay alerts", intro: [notice], sections: [], action: alerts };
  const notices = events.slice(0, shownInEmail).map((kept) => ({ kept, words: toChatNotice(kept) }));
  const left = more + events.length - notices.length;
  const count = notices.length + left;
  const [first] = notices;
  const sections = notices.map(({ kept, words }) => toSection(kept, words, baseUrl, count === 1));
  if (count === 1 && first) {
    const { title } = first.words;
    return { subject: toSubject(toHeadline(first.kept, title)), title, intro: [], sections, action: null };
  }
  const what = `${count} ${count === 1 ? "alert" : "alerts"}`;
  const rest = left > 0 ? [`The first ${notices.length} of ${count}.`] : [];
  const lead = first && count > 1 ? `${what}: ${first.words.title}, and ${count - 1} more` : what;
  return { subject: toSubject(lead), title: what, intro: rest, sections, action: left > 0 ? alerts : null };
}

/** Two low scores look alike in a list without the tested subject. */
function toHeadline({ event }: KeptEvent, title: string): string {
  if (event.type !== "test.low_score" || event.data.test.subject === null) return title;
  return `${title}: ${withoutLinks(toName(event.data.test.subject))}`;
}

function toSection(
  { event, createdAt }: KeptEvent,
  words: ChatNotice,
  baseUrl: string,
  isWhole: boolean,
): EmailSection {
  const { title, tone, says, quotes, advice, path } = words;
  const when = `${new Date(createdAt).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  // A record must be shown exactly, so that it can be restored. It is from the workspace's own domain.
  const isOwn = event.type === "domain.drift";
  const shown = quotes.map(({ label, text }) => ({ label, text: isOwn ? text : withoutLinks(text) }));
  const link = { url: `${baseUrl}${path}`, words: alertEvents[event.type].opens };
  const all = [...(isOwn ? says : says.map(withoutLinks)), ...(advice === "" ? [] : [advice])];
  return {
    title,
    tone,
    when,
    link,
    says: all.slice(0, isWhole ? undefined : 3),
    quotes: isWhole ? shown : shown.slice(0, 2),
  };
}

function toFooter({ baseUrl, alert, workspace, unsubscribeUrl }: EmailFrame): EmailPage["footer"] {
  return [
    `You get this email because your address confirmed alerts from the Assay workspace “${withoutDomains(toName(workspace))}” (alert “${withoutDomains(toName(alert.label))}”).`,
    { url: `${baseUrl}/alerts/${encodeURIComponent(alert.id)}`, words: "Change this alert" },
    { url: unsubscribeUrl, words: "Unsubscribe from all alerts of this workspace" },
  ];
}
