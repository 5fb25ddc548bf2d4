// Messages that aren't bounces, although many mention bounces, quote them, or are sent automatically.

import { gzipSync } from "node:zlib";
import { noticeForms } from "./bounces/notice-forms.ts";

export type OrdinaryMessage = { readonly kind: string; readonly message: string; readonly mailFrom: string };

/** The same numbers in every run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Pick = <Choice>(choices: readonly Choice[]) => Choice;
type Letter = { from?: string; subject: string; text: string; head?: Readonly<Record<string, string>>; type?: string };

const people = [
  "Cleo <cleo@friends.example>",
  "Dr. Ede <ede@clinic.example>",
  "fay@work.example",
  "Günther <guenther@firma.example>",
  "José <jose@correo.example>",
];
const shops = [
  "News <news@shop.example>",
  "Shop <no-reply@shop.example>",
  "Bank <service@bank.example>",
  "Team <hello@startup.example>",
  "Notifications <notifications@forge.example>",
];
const greetings = ["Hi,", "Hello Ann,", "Dear all,", "Hallo,", "Bonjour,", "Hola Ann,", "Ciao,", "Ann -"];
const replies = [
  "550 5.1.1 <bob@dest.example>: Recipient address rejected: User unknown",
  "552 5.2.2 mailbox full",
  "554 5.7.1 blocked using zen.spamhaus.example",
  "421 4.7.0 try again later",
];

const bounces = noticeForms.filter(({ kind }) => kind === "bounce");
const reports = noticeForms.filter(({ kind }) => kind === "complaint" || kind === "auto-reply");

function bodyOf(message: string): string {
  return message.slice(message.indexOf("\r\n\r\n") + 4).replaceAll("\r\n", "\n");
}

function subjectOf(message: string): string {
  return /^Subject: (.*)$/m.exec(message)?.[1]?.trim() ?? "";
}

function attached(intro: string, message: string, more = ""): { text: string; type: string } {
  return {
    type: 'multipart/mixed; boundary="=_o"',
    text: `--=_o\nContent-Type: text/plain; charset=utf-8\n\n${intro}\n--=_o\nContent-Type: message/rfc822\nContent-Disposition: attachment; filename="mail.eml"\n\n${message.replaceAll("\r\n", "\n")}\n${more}--=_o--\n`,
  };
}

function file(intro: string, type: string, name: string, content: Uint8Array): { text: string; type: string } {
  return {
    type: 'multipart/mixed; boundary="=_o"',
    text: `--=_o\nContent-Type: text/plain\n\n${intro}\n--=_o\nContent-Type: ${type}; name="${name}"\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename="${name}"\n\n${Buffer.from(content).toString("base64")}\n--=_o--\n`,
  };
}

const dmarcXml = `<?xml version="1.0"?><feedback><report_metadata><org_name>p</org_name><report_id>1</report_id><date_range><begin>1</begin><end>2</end></date_range></report_metadata><policy_published><domain>shop.example</domain></policy_published></feedback>`;

const kinds: Readonly<Record<string, (pick: Pick, number: number) => Letter>> = {
  newsletter: (pick) => ({
    from: pick(shops),
    subject: pick([
      "Autumn sale",
      "Delivery on us!",
      "Out of Office: ten places to be",
      "Failure is an option",
      "Returned to sender? Our return policy",
    ]),
    text: "<html><body><p>Buy now.</p><a href=https://shop.example/u>unsubscribe</a></body></html>",
    type: "text/html",
    head: { "List-Unsubscribe": "<https://shop.example/u>", Precedence: "bulk" },
  }),
  "newsletter about bounces": (pick) => ({
    from: "Deliverability Weekly <weekly@esp.example>",
    subject: pick([
      "Undelivered Mail Returned to Sender: what it means",
      "Mail delivery failed? Five fixes",
      "Bounced: why 550 5.1.1 hurts you",
      "Delivery Status Notification explained",
    ]),
    text: `Bounces hurt.\n\nThe most common one is:\n\n${pick(replies)}\n\nYour message could not be delivered, says the server. Read on at https://esp.example.`,
    head: { "List-Unsubscribe": "<https://esp.example/u>", "List-Id": "weekly.esp.example" },
  }),
  receipt: (pick, number) => ({
    from: pick(shops),
    subject: `Your order ${number}`,
    text: `Thank you. Total: ${number}.50 EUR. It will be delivered to 550 Main Street.`,
    head: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
  }),
  "parcel not delivered": (pick) => ({
    from: "Parcel Service <noreply@parcel.example>",
    subject: pick([
      "Delivery failed",
      "Your parcel could not be delivered",
      "Delivery failure notification",
      "Zustellung fehlgeschlagen",
      "Échec de la livraison de votre colis",
    ]),
    text: pick([
      "We were unable to deliver your parcel 550 123. It could not be delivered because nobody was at home.",
      "Ihre Sendung konnte nicht zugestellt werden.",
      "Votre colis n'a pas pu être livré.",
    ]),
    head: { "Auto-Submitted": "auto-generated" },
  }),
  "payment failed": (pick) => ({
    from: pick(shops),
    subject: "Payment failed: action needed",
    text: "Your payment could not be processed. Your account will be suspended.",
    head: { "Auto-Submitted": "auto-generated" },
  }),
  personal: (pick) => ({
    from: pick(people),
    subject: pick(["Lunch?", "Re: Lunch?", "Fotos", "Mail", "Delivery on Friday"]),
    text: `${pick(greetings)}\n\nare you free on Friday?\n\nBest`,
  }),
  "asks about a bounce": (pick) => ({
    from: pick(people),
    subject: pick([
      "Undelivered Mail Returned to Sender",
      "Mail delivery failed?",
      "failure notice",
      "your mail bounced",
      "Delivery Status Notification (Failure)",
    ]),
    text: `${pick(greetings)}\n\nI wrote to bob@dest.example and this came back. What does it mean?\n\n${bodyOf(pick(bounces).message)}`,
  }),
  "pastes a bounce alone": (pick) => ({
    from: pick(people),
    subject: pick(["what is this", "Re: Your order", "bounce", "mail problem"]),
    text: bodyOf(
      pick(bounces.filter(({ message }) => message.includes("Content-Type: text/plain; charset=utf-8\r\n\r\n")))
        .message,
    ),
    head: { "User-Agent": "Mozilla Thunderbird" },
  }),
  "forwards a bounce inline": (pick) => {
    const { message } = pick(bounces);
    return {
      from: pick(people),
      subject: `${pick(["Fwd", "FW", "WG", "TR", "RV"])}: ${subjectOf(message)}`,
      text: `${pick(greetings)} see below.\n\n---------- Forwarded message ---------\nFrom: Mail Delivery System <mailer-daemon@mx.example>\nSubject: ${subjectOf(message)}\nTo: <ann@shop.example>\n\n${bodyOf(message)}`,
    };
  },
  "forwards without a word": (pick) => {
    const { message } = pick(bounces);
    return {
      from: pick(people),
      subject: `Fwd: ${subjectOf(message)}`,
      text: `-------- Forwarded Message --------\nSubject: ${subjectOf(message)}\nFrom: Mail Delivery System <MAILER-DAEMON@mx.example>\n\n${bodyOf(message)}`,
    };
  },
  "answers a bounce": (pick) => {
    const { message } = pick(bounces);
    return {
      from: pick(people),
      subject: `Re: ${subjectOf(message)}`,
      text: `Please fix this.\n\n${bodyOf(message)
        .split("\n")
        .map((line) => `> ${line}`)
        .join("\n")}`,
      head: { "In-Reply-To": "<n1@mx.relay.example>" },
    };
  },
  "forwards a bounce as attachment": (pick) => {
    const { message } = pick(bounces);
    return {
      from: pick(people),
      subject: pick([`Fwd: ${subjectOf(message)}`, "the bounce that I spoke of", subjectOf(message)]),
      ...attached(pick(greetings), message),
    };
  },
  "forwards a complaint or receipt as attachment": (pick) => ({
    from: pick(people),
    subject: "Fwd: complaint",
    ...attached("What do we do with this?", pick(reports).message),
  }),
  "attaches a bounce as text": (pick) => ({
    from: pick(people),
    subject: "bounce log",
    ...file("Attached.", "text/plain", "bounce.txt", Buffer.from(pick(bounces).message)),
  }),
  "mailing list thread": (pick) => ({
    from: pick(people),
    subject: `${pick(["[postfix-users] ", ""])}Undelivered Mail Returned to Sender`,
    text: `Since yesterday my Postfix says\n\nThis is the mail system at host mx.relay.example.\n\n<bob@dest.example>: host mx.dest.example said: ${pick(replies)}\n\nIs my configuration wrong?`,
    head: { "List-Id": "<users.postfix.example>", "List-Post": "<mailto:users@postfix.example>", Precedence: "list" },
  }),
  "list digest": (pick) => ({
    from: "users-request@postfix.example",
    subject: "users Digest, Vol 12, Issue 3",
    text: `Today's Topics:\n\n   1. Undelivered Mail Returned to Sender (Cleo)\n\n----------\n\n${pick(replies)}\n\n${bodyOf(pick(bounces).message)}`,
    head: { "List-Id": "<users.postfix.example>", Precedence: "list" },
  }),
  "helpdesk ticket": (pick, number) => ({
    from: "Support <support@desk.example>",
    subject: `[#${number}] ${pick(["Undelivered Mail Returned to Sender", "Mail delivery failed: returning message to sender", "Cannot send mail"])}`,
    text: `A new ticket was opened.\n\nCleo wrote:\n\n${bodyOf(pick(bounces).message)}`,
    head: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
  }),
  "issue tracker": (pick, number) => ({
    from: "Cleo <notifications@forge.example>",
    subject: `[org/mail] Bounce parser misses "${pick(replies)}" (Issue #${number})`,
    text: `The parser does not see\n\n    <bob@dest.example>: ${pick(replies)}\n\nYour message could not be delivered.\n`,
    head: { "List-Id": "org/mail <mail.org.forge.example>", Precedence: "list", "X-Auto-Response-Suppress": "All" },
  }),
  "log digest of a server": (pick, number) => ({
    from: pick([
      "root <root@host.example>",
      "postmaster@host.example",
      "Cron Daemon <root@host.example>",
      "Logwatch <logwatch@host.example>",
    ]),
    subject: pick([
      "Postfix log summaries for Nov 1",
      "Logwatch for host.example",
      "Cron <root@host> /usr/local/bin/report",
      "Mail queue report",
    ]),
    text: `Grand Totals\n------------\nmessages\n  ${number} received\n  12 bounced\n\nmessage bounce detail (by relay)\n--------------------------------\n  dest.example (total: 12)\n    12   said: ${pick(replies)}\n`,
    head: { "Auto-Submitted": "auto-generated" },
  }),
  "postmaster is a person": (pick) => ({
    from: "Postmaster <postmaster@corp.example>",
    subject: pick([
      "Mail server maintenance on Sunday",
      "Re: Undelivered Mail Returned to Sender",
      "Your question about bounces",
      "Delivery problems yesterday are solved",
    ]),
    text: `${pick(greetings)}\n\nyesterday some messages could not be delivered, and senders saw "${pick(replies)}". This is solved.\n\nYour postmaster`,
  }),
  "quarantine digest": (pick) => ({
    from: pick(["postmaster@gate.example", "Quarantine <quarantine@gate.example>"]),
    subject: pick(["Spam quarantine summary", "End user digest: 3 new messages"]),
    text: "You have 3 messages in quarantine.\n\nFrom: spam@bad.example  Subject: Undeliverable: win\n\nRelease: https://gate.example/r",
    head: { "Auto-Submitted": "auto-generated" },
  }),
  phish: (pick) => ({
    from: pick(["Mail Administrator <admin@phish.example>", "Mail Delivery System <info@phish.example>"]),
    subject: pick([
      "Undelivered messages",
      "Your mailbox is full",
      "Mail delivery failed: 7 pending messages",
      "(7) Undelivered Mails",
    ]),
    text: "Your messages could not be delivered because your mailbox storage is full.\n\nRelease them: https://phish.example/login",
    type: "text/plain",
  }),
  "away, says a person": (pick) => ({
    from: pick(people),
    subject: pick([
      "Out of office next week",
      "Abwesenheit ab Montag",
      "Automatic reply texts for the team",
      "Autoreply - how do I set it?",
      "Vacation plans",
    ]),
    text: `${pick(greetings)}\n\nI shall be out of the office next week.`,
  }),
  "program's notification": (pick, number) => ({
    from: "Monitor <monitor@ops.example>",
    subject: `[ALERT] mail queue above ${number}`,
    text: `deferred: ${number}\nlast error: ${pick(replies)}\nhost mx.dest.example[192.0.2.1] said so`,
    head: { "Auto-Submitted": "auto-generated", Precedence: "bulk" },
  }),
  invitation: (pick) => ({
    from: pick(people),
    subject: "Invitation: planning",
    text: "BEGIN:VCALENDAR\nMETHOD:REQUEST\nEND:VCALENDAR",
    type: "text/calendar; method=REQUEST",
  }),
  "forwards a damaged DMARC report": (pick) => ({
    from: pick(people),
    subject: pick(["Fwd: Report Domain: shop.example Submitter: p Report-ID: 1", "WG: Report domain: shop.example"]),
    ...file("Can you read this?", "application/gzip", "p!shop.example!1!2.xml.gz", gzipSync(dmarcXml).subarray(0, 60)),
  }),
  "sends files": (pick, number) => ({
    from: pick(people),
    subject: pick(["Invoice", "Backup", "Log files", "XML export"]),
    ...file(
      "Here.",
      pick(["application/gzip", "application/octet-stream", "text/xml", "application/zip", "application/json"]),
      pick([`invoice-${number}.xml`, "log.gz", "export.zip", "data.json"]),
      gzipSync(`<invoice><total>${number}</total></invoice>`),
    ),
  }),
  "moderation notice": (_, number) => ({
    from: "users-owner@postfix.example",
    subject: `${number} users moderator request(s) waiting`,
    text: `The users@postfix.example mailing list has ${number} request(s) waiting for your consideration.\n\nFrom: x@y.example\nCause: Post by non-member to a members-only list`,
    head: { Precedence: "bulk", "Auto-Submitted": "auto-generated" },
  }),
  "welcome to a list": (pick) => ({
    from: "users-request@postfix.example",
    subject: 'Welcome to the "users" mailing list',
    text: `Welcome! To post to this list, send your message to: users@postfix.example.\n${pick(greetings)}`,
    head: { Precedence: "bulk" },
  }),
  "a login code": (pick, number) => ({
    from: pick(shops),
    subject: `${number} is your code`,
    text: `Your code is ${number}. This is an automatically generated message, please do not reply.`,
    head: { "Auto-Submitted": "auto-generated" },
  }),
  "address verification": (pick) => ({
    from: pick(shops),
    subject: "Please verify your address",
    text: "We could not verify ann@shop.example. If the address does not exist, ignore this message.",
  }),
};

export function ordinaryMessages(count: number, seed = 1): OrdinaryMessage[] {
  const random = seeded(seed);
  const pick: Pick = (choices) => {
    const chosen = choices[Math.floor(random() * choices.length)];
    if (chosen === undefined) throw new Error("nothing to choose from");
    return chosen;
  };
  const names = Object.keys(kinds);
  return Array.from({ length: count }, (_, index) => {
    const kind = names[index % names.length] ?? "";
    const letter = kinds[kind]?.(pick, 100 + Math.floor(random() * 900));
    if (!letter) throw new Error(kind);
    return { kind, message: write(letter), mailFrom: pick(["", "sender@somewhere.example"]) };
  });
}

function write({
  from = "cleo@friends.example",
  subject,
  text,
  head = {},
  type = "text/plain; charset=utf-8",
}: Letter): string {
  const fields = {
    From: from,
    To: "Ann <ann@shop.example>",
    Subject: subject,
    Date: "Mon, 2 Nov 2026 09:00:00 +0100",
    "Message-ID": "<m@somewhere.example>",
    "MIME-Version": "1.0",
    "Content-Type": type,
    ...head,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return `${lines.join("\n")}\n\n${text}\n`.replaceAll("\n", "\r\n");
}
