// Notices in the formats of many mail systems, written for these tests, each with the correct classification.

import type { BounceClass } from "../../../../src/analyzer/mail/reports/mail-class.ts";

export type NoticeForm = {
  readonly name: string;
  readonly message: string;
  readonly kind: "bounce" | "complaint" | "report" | "auto-reply";
  readonly recipients: readonly string[];
  /** One for all recipients, or one for each. */
  readonly class: BounceClass | readonly BounceClass[];
  readonly hard: boolean | readonly boolean[];
};

type Want = Partial<Omit<NoticeForm, "name" | "message">>;
type Head = Readonly<Record<string, string>>;

const ann = "ann@shop.example";
const bob = "bob@dest.example";

const original = `Received: from shop.example (shop.example [192.0.2.1]) by mx.relay.example; Mon, 2 Nov 2026 08:00:00 +0000
From: Ann <${ann}>
To: ${bob}
Subject: Your order
Message-ID: <order-17@shop.example>
X-Assay-Id: asy-17
MIME-Version: 1.0

Thank you for your order.
`;

function head(from: string, subject: string, more: Head): string {
  const fields = {
    From: from,
    To: ann,
    Subject: subject,
    Date: "Mon, 2 Nov 2026 08:01:00 +0000",
    "Message-ID": "<n1@mx.relay.example>",
    "MIME-Version": "1.0",
    ...more,
  };
  return Object.entries(fields)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

const bounced: Omit<NoticeForm, "name" | "message"> = {
  kind: "bounce",
  recipients: [bob],
  class: "user_unknown",
  hard: true,
};

function form(name: string, message: string, want: Want): NoticeForm {
  const merged = { ...bounced, ...want };
  const isHard = want.hard ?? (merged.class === "user_unknown" || merged.class === "host_unknown");
  return {
    name,
    ...merged,
    hard: merged.kind === "bounce" ? isHard : false,
    message: message.replaceAll("\n", "\r\n"),
  };
}

/** A single text part, with or without the returned message after it. */
function plain(
  name: string,
  from: string,
  subject: string,
  text: string,
  want: Want = {},
  more: Head = {},
): NoticeForm {
  return form(
    name,
    `${head(from, subject, { "Content-Type": "text/plain; charset=utf-8", ...more })}\n\n${text}\n`,
    want,
  );
}

type PartText = readonly [type: string, body: string];

function multipart(
  name: string,
  from: string,
  subject: string,
  type: string,
  parts: readonly PartText[],
  want: Want,
  more: Head = {},
): NoticeForm {
  const body = parts.map(([partType, text]) => `--=_b1\nContent-Type: ${partType}\n\n${text}\n`).join("");
  return form(
    name,
    `${head(from, subject, { "Content-Type": `${type}; boundary="=_b1"`, ...more })}\n\n${body}--=_b1--\n`,
    want,
  );
}

function dsn(
  name: string,
  from: string,
  subject: string,
  text: string,
  status: string,
  want: Want = {},
  last: PartText = ["message/rfc822", original],
): NoticeForm {
  const parts: PartText[] = [["text/plain; charset=utf-8", text], ["message/delivery-status", status], last];
  return multipart(name, from, subject, "multipart/report; report-type=delivery-status", parts, want, {
    "Auto-Submitted": "auto-replied",
  });
}

function mixed(name: string, from: string, subject: string, text: string, want: Want = {}): NoticeForm {
  return multipart(
    name,
    from,
    subject,
    "multipart/mixed",
    [
      ["text/plain; charset=utf-8", text],
      ["message/rfc822", original],
    ],
    want,
  );
}

const daemon = "Mail Delivery System <MAILER-DAEMON@mx.relay.example>";

const qmailKin: readonly NoticeForm[] = [
  plain(
    "qmail, unknown user",
    "MAILER-DAEMON@mx.relay.example",
    "failure notice",
    `Hi. This is the qmail-send program at mx.relay.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<${bob}>:
192.0.2.25 does not like recipient.
Remote host said: 550 5.1.1 <${bob}>: Recipient address rejected: User unknown
Giving up on 192.0.2.25.

--- Below this line is a copy of the message.

Return-Path: <${ann}>
${original}`,
  ),
  plain(
    "qmail, no host",
    "MAILER-DAEMON@mx.relay.example",
    "failure notice",
    `Hi. This is the qmail-send program at mx.relay.example.
I'm afraid I wasn't able to deliver your message to the following addresses.

<${bob}>:
Sorry, I couldn't find any host named dest.example. (#5.1.2)

--- Below this line is a copy of the message.

Return-Path: <${ann}>
${original}`,
    { class: "host_unknown" },
  ),
  plain(
    "qmail, two of them, one full",
    "MAILER-DAEMON@mx.relay.example",
    "failure notice",
    `Hi. This is the qmail-send program at mx.relay.example.
I'm afraid I wasn't able to deliver your message to the following addresses.

<${bob}>:
This message is looping: it already has my Delivered-To line. (#5.4.6)

<cat@dest.example>:
user is over quota

--- Enclosed is a copy of the message.

Return-Path: <${ann}>
${original}`,
    { recipients: [bob, "cat@dest.example"], class: ["system", "mailbox_full"], hard: false },
  ),
  plain(
    "Yahoo's old text",
    "MAILER-DAEMON@yahoo.example",
    "Failure Notice",
    `Sorry, we were unable to deliver your message to the following address.

<${bob}>:
Remote host said:
554 delivery error: dd This user doesn't have a dest.example account (${bob}) [0] - mta1001.mail.example [BODY]

--- Below this line is a copy of the message.

${original}`,
  ),
  plain(
    "qmail relative with other words",
    "MAILER-DAEMON@web.example",
    "Mail delivery failed",
    `Message from web.example.
Unable to deliver message to the following address(es).

<${bob}>:
192.0.2.9 failed after I sent the message.
Remote host said: 552 5.3.4 Message size exceeds fixed limit

--- Original message follows.

${original}`,
    { class: "too_big" },
  ),
  plain(
    "Magic Mail",
    "postmaster@isp.example",
    "Mail System Error - Returned Mail",
    `This is the machine generated message from mail service.

We were unable to deliver your message to the following recipient:

${bob}: mailbox is full

${original}`,
    { class: "mailbox_full" },
  ),
];

const eximKin: readonly NoticeForm[] = [
  plain(
    "Exim, old text",
    "Mail Delivery System <Mailer-Daemon@mx.relay.example>",
    "Mail delivery failed: returning message to sender",
    `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ${bob}
    SMTP error from remote mail server after RCPT TO:<${bob}>:
    host mx.dest.example [192.0.2.25]: 550 No such user here

------ This is a copy of the message, including all the headers. ------

${original}`,
    {},
    { "X-Failed-Recipients": bob, "Auto-Submitted": "auto-replied" },
  ),
  plain(
    "Exim, delay",
    "Mail Delivery System <Mailer-Daemon@mx.relay.example>",
    "Warning: message 1abcDE-000fgh-IJ delayed 24 hours",
    `This message was created automatically by mail delivery software.
A message that you sent has not yet been delivered to one or more of its
recipients after more than 24 hours on the queue on mx.relay.example.

The message identifier is:     1abcDE-000fgh-IJ
The subject of the message is: Your order

The address to which the message has not yet been delivered is:

  ${bob}
    Delay reason: Connection timed out

No action is required on your part. Delivery attempts will continue for
some time, and this warning may be repeated at intervals if the message
remains undelivered.`,
    { class: "expired" },
    { "Auto-Submitted": "auto-replied" },
  ),
  plain(
    "Exim, gave up after days",
    "Mail Delivery System <Mailer-Daemon@mx.relay.example>",
    "Mail delivery failed: returning message to sender",
    `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ${bob}
    retry timeout exceeded

------ This is a copy of the message, including all the headers. ------

${original}`,
    { class: "expired" },
    { "X-Failed-Recipients": bob },
  ),
  plain(
    "1&1",
    "Mail Delivery System <mailer-daemon@kundenserver.example>",
    "Mail delivery failed: returning message to sender",
    `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of
its recipients. The following addresses failed:

<${bob}>

Reason:
SMTP error from remote server for RCPT TO command, host: mx.dest.example (192.0.2.25) reason: 550 5.7.1 Rejected: sender IP listed at bl.example

--- The header of the original message is following. ---

${original}`,
    { class: "reputation" },
  ),
  plain(
    "GMX",
    "GMX Mailer Daemon <mailer-daemon@gmx.example>",
    "Mail delivery failed: returning message to sender",
    `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of
its recipients. This is a permanent error. The following address(es) failed:

"${bob}":
SMTP error from remote server after RCPT command:
host: mx.dest.example
5.2.2 mailbox full

--- The header of the original message is following. ---

${original}`,
    { class: "mailbox_full" },
  ),
];

const sendmailKin: readonly NoticeForm[] = [
  plain(
    "sendmail without MIME",
    "Mail Delivery Subsystem <MAILER-DAEMON@mx.relay.example>",
    "Returned mail: see transcript for details",
    `The original message was received at Mon, 2 Nov 2026 08:00:00 GMT
from shop.example [192.0.2.1]

   ----- The following addresses had permanent fatal errors -----
<${bob}>
    (reason: 550 5.1.1 <${bob}>... User unknown)

   ----- Transcript of session follows -----
... while talking to mx.dest.example.:
>>> DATA
<<< 550 5.1.1 <${bob}>... User unknown
550 5.1.1 <${bob}>... User unknown
<<< 503 5.0.0 Need RCPT (recipient)

   ----- Original message follows -----

${original}`,
  ),
  plain(
    "sendmail 5",
    "Mail Delivery Subsystem <MAILER-DAEMON@old.example>",
    "Returned mail: Host unknown",
    `   ----- Transcript of session follows -----
550 ${bob}... Host unknown (Name server: dest.example: host not found)

   ----- Unsent message follows -----
${original}`,
    { class: "host_unknown" },
  ),
  plain(
    "sendmail warning",
    "Mail Delivery Subsystem <MAILER-DAEMON@mx.relay.example>",
    "Warning: could not send message for past 4 hours",
    `    **********************************************
    **      THIS IS A WARNING MESSAGE ONLY      **
    **  YOU DO NOT NEED TO RESEND YOUR MESSAGE  **
    **********************************************

The original message was received at Mon, 2 Nov 2026 08:00:00 GMT
from shop.example [192.0.2.1]

   ----- Transcript of session follows -----
<${bob}>... Deferred: Connection refused by mx.dest.example.
Warning: message still undelivered after 4 hours
Will keep trying until message is 5 days old`,
    { class: "expired" },
  ),
  mixed(
    "an appliance like sendmail",
    "Mail Delivery Subsystem <MAILER-DAEMON@gate.example>",
    "Returned mail: Service unavailable",
    `The original message was received at Mon Nov  2 08:00:00 2026
from shop.example [192.0.2.1]

----- The following addresses had delivery problems -----
<${bob}>

----- Transcript of session follows -----
... while talking to mx.dest.example.:
<<< 554 5.7.1 Message rejected: this message looks like spam
554 <${bob}>... Service unavailable`,
    { class: "content" },
  ),
  mixed(
    "activehunter",
    "MAILER-DAEMON@gate.example",
    "Mail could not be delivered",
    `  ----- The following addresses had permanent fatal errors -----

>>> ${bob} <<<

  ----- Transcript of session follows -----
550 sorry, no mailbox here by that name (#5.1.1 - chkusr)`,
  ),
];

const microsoft: readonly NoticeForm[] = [
  mixed(
    "Exchange 2003",
    "System Administrator <postmaster@corp.example>",
    "Undeliverable: Your order",
    `Your message

  To:      ${bob}
  Subject: Your order
  Sent:    Mon, 2 Nov 2026 09:00:00 +0100

did not reach the following recipient(s):

${bob} on Mon, 2 Nov 2026 09:00:05 +0100
    The recipient name is not recognized
        The MTS-ID of the original message is: c=US;a= ;p=Corp
    MSEXCH:IMS:Corp:SITE:EX1 0 (000C05A6) Unknown Recipient`,
  ),
  dsn(
    "Exchange 2003 with codes only",
    "postmaster@corp.example",
    "Delivery Status Notification (Failure)",
    `This is an automatically generated Delivery Status Notification.

Delivery to the following recipients failed.

       ${bob}
`,
    `Reporting-MTA: dns;ex1.corp.example
Received-From-MTA: dns;shop.example
Arrival-Date: Mon, 2 Nov 2026 09:00:00 +0100

Final-Recipient: rfc822;${bob}
Action: failed
Status: 5.1.1
`,
  ),
  dsn(
    "Exchange 2010",
    "Microsoft Outlook <postmaster@corp.example>",
    "Undeliverable: Your order",
    `Delivery has failed to these recipients or distribution lists:

${bob}
The recipient's mailbox is full and can't accept messages now. Please try resending this message later, or contact the recipient directly.

Diagnostic information for administrators:

Generating server: ex1.corp.example

${bob}
#554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException.MapiExceptionShutoffQuotaExceeded ##
`,
    `Reporting-MTA: dns;ex1.corp.example

Final-recipient: RFC822;${bob}
Action: failed
Status: 5.2.2
Diagnostic-Code: smtp;554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException
X-Display-Name: Bob
`,
    { class: "mailbox_full" },
  ),
  dsn(
    "Microsoft 365, not found",
    "Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@corp.example>",
    "Undeliverable: Your order",
    `Your message to ${bob} couldn't be delivered.

bob wasn't found at dest.example.

Diagnostic information for administrators:
Generating server: AM0PR01.eurprd01.prod.example
${bob}
Remote Server returned '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ${bob} not found by SMTP address lookup'
`,
    `Reporting-MTA: dns;AM0PR01.eurprd01.prod.example

Final-Recipient: rfc822;${bob}
Action: failed
Status: 5.1.10
Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ${bob} not found by SMTP address lookup
`,
  ),
  plain(
    "Microsoft 365, HTML alone",
    "postmaster@corp.onmicrosoft.example",
    "Undeliverable: Your order",
    `<html><head><style>p {color: red}</style></head><body><p>Your message to <a href="mailto:${bob}">${bob}</a> couldn&#8217;t be delivered.</p><p>Remote Server returned '550 5.7.705 Access denied, tenant has exceeded threshold'</p><p>Original Message Headers</p><pre>Message-ID: &lt;order-17@shop.example&gt;</pre></body></html>`,
    { class: "reputation" },
    { "Content-Type": "text/html; charset=utf-8" },
  ),
  dsn(
    "Exchange in German",
    "Postmaster <postmaster@firma.example>",
    "Unzustellbar: Ihre Bestellung",
    `Fehler bei der Nachrichtenzustellung an folgende Empfänger oder Gruppen:

${bob}
Die eingegebene E-Mail-Adresse konnte nicht gefunden werden.
`,
    `Reporting-MTA: dns;ex.firma.example

Final-Recipient: rfc822;${bob}
Action: failed
Status: 5.0.0
`,
  ),
  mixed(
    "Exchange in French, words alone",
    "Administrateur système <postmaster@societe.example>",
    "Non remis : Votre commande",
    `Votre message n'a pas été remis à certains ou à tous les destinataires.

      Objet :  Votre commande
      Envoyé : lun. 2 nov. 2026 09:00

Impossible de joindre le(s) destinataire(s) suivant(s) :

      ${bob} le 2 nov. 2026 09:01
            L'adresse du destinataire est inconnue. <ex.societe.example #5.1.1>`,
  ),
];

const providers: readonly NoticeForm[] = [
  plain(
    "Gmail's old text",
    "Mail Delivery Subsystem <mailer-daemon@googlemail.example>",
    "Delivery Status Notification (Failure)",
    `Delivery to the following recipient failed permanently:

     ${bob}

Technical details of permanent failure:
Google tried to deliver your message, but it was rejected by the server for the recipient domain dest.example by mx.dest.example. [192.0.2.25].

The error that the other server returned was:
550 5.1.1 <${bob}> User doesn't exist

----- Original message -----

${original}`,
    {},
    { "X-Failed-Recipients": bob },
  ),
  plain(
    "Gmail's old delay",
    "Mail Delivery Subsystem <mailer-daemon@googlemail.example>",
    "Delivery Status Notification (Delay)",
    `This is an automatically generated Delivery Status Notification

THIS IS A WARNING MESSAGE ONLY.

YOU DO NOT NEED TO RESEND YOUR MESSAGE.

Delivery to the following recipient has been delayed:

     ${bob}

Message will be retried for 2 more day(s)

Technical details of temporary failure:
The recipient server did not accept our requests to connect. Learn more at https://support.example/?p=1
[mx.dest.example. (10): Connection timed out]

----- Original message -----

${original}`,
    { class: "expired" },
    { "X-Failed-Recipients": bob },
  ),
  dsn(
    "Google, domain not found",
    "Mail Delivery Subsystem <mailer-daemon@googlemail.example>",
    "Delivery Status Notification (Failure)",
    `** Address not found **

Your message wasn't delivered to ${bob} because the domain dest.example couldn't be found. Check for typos or unnecessary spaces and try again.
`,
    `Reporting-MTA: dns; googlemail.example
Arrival-Date: Mon, 02 Nov 2026 00:00:00 -0800 (PST)
X-Original-Message-ID: <order-17@shop.example>

Final-Recipient: rfc822; ${bob}
Action: failed
Status: 4.0.0
Diagnostic-Code: smtp; DNS Error: 1234 DNS type 'mx' lookup of dest.example responded with code NXDOMAIN Domain name not found: dest.example
Last-Attempt-Date: Mon, 02 Nov 2026 00:00:01 -0800 (PST)
`,
    { class: "host_unknown" },
  ),
  dsn(
    "Google, DMARC",
    "Mail Delivery Subsystem <mailer-daemon@googlemail.example>",
    "Delivery Status Notification (Failure)",
    `** Message blocked **

Your message to ${bob} has been blocked. See technical details below for more information.
`,
    `Reporting-MTA: dns; googlemail.example

Final-Recipient: rfc822; ${bob}
Action: failed
Status: 5.7.26
Remote-MTA: dns; mx.dest.example. (192.0.2.25, the server for the domain dest.example.)
Diagnostic-Code: smtp; 550-5.7.26 This mail has been blocked because the sender is unauthenticated. 550-5.7.26 Gmail requires all senders to authenticate with either SPF or DKIM.
`,
    { class: "authentication" },
  ),
  dsn(
    "Amazon SES",
    "MAILER-DAEMON@eu-west-1.amazonses.example",
    "Delivery Status Notification (Failure)",
    `An error occurred while trying to deliver the mail to the following recipients:
${bob}
`,
    `Reporting-MTA: dns; a1.smtp-out.eu-west-1.amazonses.example

Action: failed
Final-Recipient: rfc822; ${bob}
Diagnostic-Code: smtp; 550 5.1.1 user unknown
Status: 5.1.1
`,
  ),
  dsn(
    "Amazon SES, suppressed",
    "MAILER-DAEMON@amazonses.example",
    "Delivery Status Notification (Failure)",
    `An error occurred while trying to deliver the mail to the following recipients:
${bob}
`,
    `Reporting-MTA: dns; amazonses.example

Action: failed
Final-Recipient: rfc822; ${bob}
Diagnostic-Code: smtp; 554 4.4.7 Message expired: unable to deliver in 840 minutes.<421 4.4.0 Unable to lookup DNS for dest.example>
Status: 4.4.7
`,
    { class: "expired" },
  ),
  dsn(
    "Facebook",
    "Facebook <mailer-daemon@mx.facebook.example>",
    "Sorry, your message could not be delivered",
    `This message was created automatically by Facebook.

Sorry, your message couldn't be delivered to the following recipient:

  ${bob}
`,
    `Reporting-MTA: dns; 192.0.2.77

Final-Recipient: rfc822; ${bob}
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 RCP-P2 http://postmaster.facebook.example/response_codes?ip=192.0.2.1#rcp Refused due to recipient preferences
`,
    { class: "policy" },
  ),
  plain(
    "a group that is not there",
    "Mail Delivery Subsystem <mailer-daemon@googlegroups.example>",
    "Delivery Status Notification (Failure)",
    `Hello ${ann},

We're writing to let you know that the group you tried to contact (cats) may not exist, or you may not have permission to post messages to the group. A few more details on why you weren't able to post:

 * You might have spelled or formatted the group name incorrectly.

----- Original message -----

${original}`,
    { class: "policy", recipients: ["cats@googlegroups.example"] },
    { "X-Failed-Recipients": "cats@googlegroups.example" },
  ),
  multipart(
    "Zoho",
    "mailer-daemon@mail.zoho.example",
    "Undelivered Mail Returned to Sender",
    "multipart/mixed",
    [
      [
        "text/plain; charset=utf-8",
        `This message was created automatically by mail delivery software.
A message that you sent could not be delivered to one or more of its recipients. This is a permanent error.

${bob} Invalid Address, ERROR_CODE :550, ERROR_CODE :spamcheck - mail rejected because of poor reputation of your IP`,
      ],
    ],
    { class: "reputation" },
  ),
];

const groupware: readonly NoticeForm[] = [
  dsn(
    "Domino, words in the status part",
    "Postmaster@corp.example",
    "DELIVERY FAILURE: User bob (bob@dest.example) not listed in Domino Directory",
    `Your message

  Subject: Your order

was not delivered to:

  ${bob}

because:

  User bob (${bob}) not listed in Domino Directory
`,
    `Reporting-MTA: dns;notes.corp.example

Final-Recipient: rfc822;${bob}
Action: failed
Status: 5.0.0
Diagnostic-Code: X-Notes; User bob (${bob}) not listed in Domino Directory
`,
  ),
  mixed(
    "Lotus Notes, old",
    "notes-mailer@corp.example",
    "Delivery failure",
    `------- Failure Reasons  --------

User not listed in public Name & Address Book
${bob}

------- Returned Message --------
`,
  ),
  mixed(
    "GroupWise",
    "Mailer-Daemon@gw.corp.example",
    "Message status - undeliverable",
    `The message that you sent was undeliverable to the following:
	${bob} (550 No such recipient)

Possibly truncated original message follows:
`,
  ),
  plain(
    "MDaemon",
    "MDaemon at gate.example <MDaemon@gate.example>",
    "Permanent Delivery Failure",
    `The attached message had PERMANENT fatal delivery errors.

After one or more unsuccessful delivery attempts the attached message has
been removed from the mail queue on this server.

YOUR MESSAGE WAS NOT DELIVERED TO ONE OR MORE RECIPIENTS!

Failed address: ${bob}

--- Session Transcript ---
 Attempting SMTP connection to [192.0.2.25:25]
 <-- 550 <${bob}>, Recipient unknown
--- End Transcript ---

${original}`,
  ),
  plain(
    "IMail",
    "Postmaster <postmaster@imail.example>",
    "Undeliverable Mail",
    `User mailbox exceeds allowed size: ${bob}

Original message follows.

${original}`,
    { class: "mailbox_full" },
    { "X-Mailer": "<SMTP32 v8.22>" },
  ),
  plain(
    "IMail, gone",
    "Postmaster <postmaster@imail.example>",
    "Undeliverable Mail",
    `Unknown user: ${bob}

Original message follows.

${original}`,
    {},
    { "X-Mailer": "<SMTP32 v8.22>" },
  ),
  plain(
    "Apache James",
    "postmaster@james.example",
    "[BOUNCE]",
    `Hi. This is the James mail server at james.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.  Below
I include the list of recipients and the reason why I was unable to deliver
your message.

Error message below:
550 - Requested action not taken: no such user here

Failed recipient(s):
${bob}

${original}`,
  ),
  plain(
    "CommuniGate",
    "MAILER-DAEMON@cgp.example",
    "Undeliverable mail",
    `Failed to deliver to '${bob}'
SMTP module(domain dest.example) reports:
 host mx.dest.example says:
 550 5.1.1 unknown or illegal alias: ${bob}
`,
  ),
  plain(
    "MailEnable",
    "Postmaster <postmaster@me.example>",
    "Message Delivery Failure",
    `MailEnable: Message could not be delivered to some recipients.
The following recipient(s) could not be reached:

	Recipient: [SMTP:${bob}]
	Reason: The message could not be delivered because the domain name (dest.example) does not appear to be registered.

Message headers follow:

${original}`,
    { class: "host_unknown" },
  ),
  plain(
    "hMailServer",
    "mailer-daemon@hm.example",
    "Message undeliverable: Your order",
    `Your message did not reach some or all of the intended recipients.

   Sent: Mon, 2 Nov 2026 08:00:00 +0000
   Subject: Your order

The following recipient(s) could not be reached:

${bob}
   Error Type: SMTP
   Remote server (192.0.2.25) issued an error.
   hMailServer sent: RCPT TO:<${bob}>
   Remote server replied: 550 5.7.1 Unable to relay for ${bob}

hMailServer`,
    { class: "policy" },
  ),
  plain(
    "SmarterMail",
    "System Administrator <system@sm.example>",
    "Delivery Failure",
    `Could not deliver message to the following recipient(s):

Failed Recipient: ${bob}
Reason: Remote host said: 550 5.2.1 This mailbox has been blocked due to inactivity: account is disabled

   -- The header and top 20 lines of the message follows --

${original}`,
    { class: "disabled", hard: true },
  ),
  plain(
    "Courier",
    "<postmaster@courier.example>",
    "NOTICE: mail delivery status.",
    `This is a delivery status notification from courier.example,
running the Courier mail server, version 1.0.

The original message was received on Mon, 2 Nov 2026 08:00:00 +0000
from shop.example (shop.example [192.0.2.1])

---------------------------------------------------------------------------

                           UNDELIVERABLE MAIL

Your message to the following recipients cannot be delivered:

<${bob}>:
    mx.dest.example [192.0.2.25]:
 >>> RCPT TO:<${bob}>
 <<< 550 User unknown.

---------------------------------------------------------------------------
${original}`,
  ),
  plain(
    "OpenSMTPD",
    "Mailer Daemon <MAILER-DAEMON@bsd.example>",
    "Delivery status notification: error",
    `    Hi!

    This is the MAILER-DAEMON, please DO NOT REPLY to this email.

    An error has occurred while attempting to deliver a message for
    the following list of recipients:

${bob}: 550 5.7.23 SPF validation failed

    Below is a copy of the original message:

${original}`,
    { class: "authentication" },
  ),
  plain(
    "DragonFly Mail Agent",
    "MAILER-DAEMON <>",
    "Mail delivery failed",
    `This is the DragonFly Mail Agent v0.13 at bsd.example.

There was an error delivering your mail to <${bob}>.

mx.dest.example [192.0.2.25] did not like our RCPT TO:
450 4.2.0 <${bob}>: Recipient address rejected: Greylisted

Message headers follow.

${original}`,
    { class: "rate" },
    { "X-Original-To": "<ann>" },
  ),
  plain(
    "XMail",
    "postmaster@xm.example",
    "Error sending message [1162454400000.1.xm.example] from [shop.example]",
    `[<00>] XMail bounce: Rcpt=[${bob}];Error=[550 unknown user <${bob}>]

[<01>] Error sending message [1162454400000.1.xm.example] from [shop.example].

ID:        <S1>
Mail From: <${ann}>
Rcpt To:   <${bob}>
Server:    <mx.dest.example>

[<02>] The reason of the delivery failure was:

550 unknown user <${bob}>

[<05>] Here is listed the initial part of the message:

${original}`,
  ),
  dsn(
    "Sun's messaging server",
    "Internet Mail Delivery <postmaster@ims.example>",
    "Delivery Notification: Delivery has failed",
    `This report relates to a message you sent with the following header fields:

  Message-id: <order-17@shop.example>
  Date: Mon, 2 Nov 2026 08:00:00 +0000
  From: Ann <${ann}>
  To: ${bob}
  Subject: Your order

Your message cannot be delivered to the following recipients:

  Recipient address: ${bob}
  Reason: Remote SMTP server has rejected address
  Diagnostic code: smtp;550 5.1.1 unknown or illegal alias: ${bob}
`,
    `Reporting-MTA: dns;ims.example (tcp-daemon)

Original-recipient: rfc822;${bob}
Final-recipient: rfc822;${bob}
Action: failed
Status: 5.1.1 (Remote SMTP server has rejected address)
Remote-MTA: dns;mx.dest.example (TCP|192.0.2.1|33|192.0.2.25|25)
Diagnostic-code: smtp;550 5.1.1 unknown or illegal alias: ${bob}
`,
  ),
  plain(
    "Mercury",
    "Electronic Postmaster <postmaster@merc.example>",
    "Postmaster Notify: Delivery Failure.",
    `With reference to your message with the subject:
   "Your order"

The local mail transport system has reported the following problems
it encountered while trying to deliver your message:

-------------------------------------------------------------------
*** ${bob}
Error accessing 'dest.example': host not found.

-------------------------------------------------------------------
Your mail message is being returned to you in the next part of this
message.

${original}`,
    { class: "host_unknown" },
  ),
];

const gateways: readonly NoticeForm[] = [
  plain(
    "IronPort",
    "Mail Delivery System <postmaster@ip.example>",
    "Undeliverable Message",
    `The following message to <${bob}> was undeliverable.
The reason for the problem:
5.1.0 - Unknown address error 550-'#5.1.0 Address rejected.'
`,
  ),
  mixed(
    "IronPort, quota of connections",
    "Mail Delivery System <MAILER-DAEMON@ip.example>",
    "Delivery Status Notification (Failure)",
    `The following message to <${bob}> was undeliverable.
The reason for the problem:
4.7.1 - Delivery not possible 421-'Too many connections from your host.'
`,
    { class: "rate" },
  ),
  plain(
    "MailFoundry",
    "Mail Delivery System <postmaster@mf.example>",
    "Message delivery has failed",
    `Unable to deliver message to: <${bob}>
Delivery failed for the following reason:
Server mx.dest.example[192.0.2.25] failed with: 550 <${bob}> No such user here

This has been a permanent failure.  No further delivery attempts will be made.

------------------------------------------------------------------------
------------------------------------------------------------------------
${original}`,
  ),
  mixed(
    "InterScan",
    "InterScan MSS <postmaster@is.example>",
    "Mail could not be delivered",
    `****** Message from InterScan Messaging Security Suite ******

Sent <<< RCPT TO:<${bob}>
Received >>> 550 5.1.1 <${bob}>... User unknown

Unable to deliver message to <${bob}>.

************************     End of message     **********************
`,
  ),
  plain(
    "MessageLabs",
    "Mail Delivery Service <mail-delivery@messagelabs.example>",
    "Mail Delivery Failure",
    `Your mail could not be delivered. This is the mail delivery agent at messagelabs.example.
I was unable to deliver your message to the following addresses:

${bob}

Reason: 550 Invalid recipient <${bob}> (#5.1.1)

The message subject was: Your order
The message date was: Mon, 2 Nov 2026 08:00:00 +0000
`,
  ),
  plain(
    "MXLogic",
    "Mail Delivery Subsystem <MAILER-DAEMON@mxl.example>",
    "Mail delivery failed: returning message to sender",
    `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  <${bob}>:  (${bob}): 550 <${bob}>... No such user here

------ This is a copy of the message, including all the headers. ------

${original}`,
  ),
  mixed(
    "Barracuda",
    "Barracuda <postmaster@bar.example>",
    "Message you sent blocked by our bulk email filter",
    `Your message to: ${bob}
was blocked by our Spam Firewall. The email you sent with the following subject has NOT BEEN DELIVERED:

Subject: Your order

An explanation of why your message was blocked is available here: considered unsolicited bulk e-mail`,
    { class: "content" },
  ),
  mixed(
    "MailMarshal",
    "MailMarshal <postmaster@mm.example>",
    "Undeliverable Mail: Your order",
    `Your message:
   From:    ${ann}
   Subject: Your order
Could not be delivered because of

550 5.1.1 User unknown

The following recipients were affected:
   ${bob}

Additional Information
======================
`,
  ),
  dsn(
    "SendGrid",
    "MAILER-DAEMON@sendgrid.example",
    "Undelivered Mail Returned to Sender",
    `Hello, this is the mail server on smtp1.sendgrid.example.

I am sending you this message to inform you on the delivery status of a message you previously sent. Immediately below you will find a list of the affected recipients.

<${bob}>    delivery failed; will not continue trying
`,
    `Reporting-MTA: dns; smtp1.sendgrid.example
X-SendGrid-QueueID: 1

Final-Recipient: rfc822; ${bob}
Action: failed
Status: 5.1.1
Diagnostic-Code: 550 5.1.1 The email account that you tried to reach does not exist.
`,
    {},
    ["message/rfc822", original],
  ),
  plain(
    "a gateway that is sorry",
    "postmaster@x6.example",
    "There was an error sending your mail",
    `We had trouble delivering your message. Full details follow:

Subject: 'Your order'
Date: 'Mon, 2 Nov 2026 08:00:00 +0000'

1 error(s):

SMTP Server <mx.dest.example> rejected recipient <${bob}> (Error following RCPT command). It responded as follows: [550 5.1.1 <${bob}>: Recipient address rejected: User unknown in virtual mailbox table]
`,
  ),
  plain(
    "a smail of the nineties",
    "MAILER-DAEMON@nine.example",
    "mail failed, returning to sender",
    `|------------------------- Message log follows: -------------------------|
 no valid recipients were found for this message
|------------------------- Failed addresses follow: ---------------------|
 <${bob}> ... unknown user
|------------------------- Message text follows: ------------------------|
${original}`,
  ),
  plain(
    "MMDF",
    "Mail Delivery System <mmdf@mmdf.example>",
    "Failed mail (msg.aa01)",
    `    Your message could not be delivered to
'${bob} (host: dest.example) (queue: smtp)' for the following
reason:  ' (USER) Unknown user name in "${bob}"'


    Your message begins as follows:

${original}`,
  ),
];

const carriers: readonly NoticeForm[] = [
  plain(
    "a carrier's gateway",
    "sysadmin@mms.example",
    "Undeliverable Message",
    `Message could not be delivered to mobile.

Error: No valid recipients for this MM

To: ${bob}
`,
  ),
  plain(
    "an old mail transfer agent",
    "Mail Deliver System <mta@old.example>",
    "Returned Mail: User unknown",
    `The original message was received at Mon, 2 Nov 2026 08:00:00 +0000
from ann@shop.example

---The following addresses had delivery errors---

${bob} [User unknown]
`,
  ),
  plain(
    "a gateway with envelope lines",
    "Mail Delivery System <postmaster@gw.example>",
    "Delivery failure",
    `*** Your message was not delivered.
*** Envelope: from <${ann}> to <${bob}>
*** Reason: 554 5.4.6 Too many hops

${original}`,
    { class: "system" },
  ),
  plain(
    "a carrier's full mailbox",
    "no-reply@app.carrier.example",
    "Mail System Error - Returned Mail",
    `Your mail sent on: Mon, 2 Nov 2026 17:00:00 +0900
Could not be delivered to: <${bob}>
As their mailbox is full.

${original}`,
    { class: "mailbox_full" },
  ),
  plain(
    "a carrier's unknown mobile",
    "post_master@mobile.example",
    "Undeliverable: Your order",
    `Message could not be delivered to mobile.

Error: No valid recipients for this MM

RCPT TO: ${bob}

${original}`,
  ),
  plain(
    "biglobe",
    "postmaster@biglobe.example",
    "Returned mail",
    `   ----- The following addresses had delivery problems -----
 <${bob}>
   ----- Transcript of session follows -----
 <${bob}>... Deferred: The number of messages in recipient's mailbox exceeded the local limit: mailbox is full.
   ----- Original message follows -----

${original}`,
    { class: "mailbox_full" },
  ),
];

const standards: readonly NoticeForm[] = [
  dsn(
    "Postfix",
    daemon,
    "Undelivered Mail Returned to Sender",
    `This is the mail system at host mx.relay.example.

<${bob}>: host mx.dest.example[192.0.2.25] said: 452 4.2.2 The email account that
    you tried to reach is over quota (in reply to RCPT TO command)
`,
    `Reporting-MTA: dns; mx.relay.example
X-Postfix-Queue-ID: 4ABC
X-Postfix-Sender: rfc822; ${ann}

Final-Recipient: rfc822; ${bob}
Original-Recipient: rfc822;${bob}
Action: failed
Status: 4.2.2
Diagnostic-Code: smtp; 452 4.2.2 The email account that you tried to reach is
    over quota
`,
    { class: "mailbox_full" },
  ),
  dsn(
    "Postfix, several",
    daemon,
    "Undelivered Mail Returned to Sender",
    `<${bob}>: x\n\n<cat@none.example>: y`,
    `Reporting-MTA: dns; mx.relay.example

Final-Recipient: rfc822; ${bob}
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 Unknown user

Final-Recipient: rfc822; cat@none.example
Action: failed
Status: 5.4.4
Diagnostic-Code: X-Postfix; Host or domain name not found. Name service error for name=none.example type=AAAA: Host not found

Final-Recipient: rfc822; dog@dest.example
Action: failed
Status: 5.7.1
Diagnostic-Code: smtp; 554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.example
`,
    {
      recipients: [bob, "cat@none.example", "dog@dest.example"],
      class: ["user_unknown", "host_unknown", "reputation"],
      hard: [true, true, false],
    },
    ["text/rfc822-headers", original],
  ),
  dsn(
    "no Final-Recipient, action alone",
    daemon,
    "Delivery Failure",
    "Not delivered.",
    `Reporting-MTA: dns; mx.relay.example

Original-Recipient: rfc822; <${bob}>
Action: failure
`,
    { class: "unknown", hard: false },
  ),
  dsn(
    "a local recipient in brackets",
    daemon,
    "Delivery Failure",
    "Not delivered: mailbox unavailable",
    `Reporting-MTA: dns; mx.relay.example

Final-Recipient: LOCAL;<${bob}>
Action: failed
Status: 5.2.1
Diagnostic-Code: X-LOCAL; 550 mailbox is disabled
`,
    { class: "disabled", hard: true },
  ),
  dsn(
    "null MX",
    daemon,
    "Undelivered Mail Returned to Sender",
    "x",
    `Reporting-MTA: dns; mx.relay.example

Final-Recipient: rfc822; ${bob}
Action: failed
Status: 5.1.10
Diagnostic-Code: X-Postfix; Domain dest.example does not accept mail (nullMX)
`,
    { class: "host_unknown" },
  ),
  dsn(
    "a local program",
    daemon,
    "Undelivered Mail Returned to Sender",
    "x",
    `Reporting-MTA: dns; mx.relay.example

Final-Recipient: rfc822; ${bob}
Action: failed
Status: 5.3.0
Diagnostic-Code: x-unix; /usr/bin/vacation: cannot open database
`,
    { class: "system" },
  ),
  dsn(
    "fields without blank lines",
    daemon,
    "Undelivered Mail Returned to Sender",
    "x",
    `Reporting-MTA: dns; mx.relay.example
Final-Recipient: rfc822; ${bob}
Action: failed
Status: 5.3.4
Final-Recipient: rfc822; cat@dest.example
Action: failed
Status: 5.1.1
`,
    { recipients: [bob, "cat@dest.example"], class: ["too_big", "user_unknown"], hard: [false, true] },
  ),
  dsn(
    "delay",
    daemon,
    "Delayed Mail (still being retried)",
    "x",
    `Reporting-MTA: dns; mx.relay.example

Final-Recipient: rfc822; ${bob}
Action: delayed
Status: 4.4.1
Diagnostic-Code: X-Postfix; connect to mx.dest.example[192.0.2.25]:25: Connection timed out
Will-Retry-Until: Sat, 7 Nov 2026 08:00:00 +0000
`,
    { class: "expired" },
  ),
  dsn(
    "success",
    daemon,
    "Successful Mail Delivery Report",
    "Your message was successfully delivered",
    `Reporting-MTA: dns; mx.relay.example

Final-Recipient: rfc822; ${bob}
Action: relayed
Status: 2.0.0
`,
    { class: "unknown", hard: false },
  ),
  multipart(
    "internationalised addresses",
    daemon,
    "Undelivered Mail Returned to Sender",
    "multipart/report; report-type=delivery-status",
    [
      ["text/plain", "x"],
      [
        "message/global-delivery-status",
        `Reporting-MTA: dns; mx.relay.example

Final-Recipient: utf-8; žofie@dest.example
Action: failed
Status: 5.1.1
`,
      ],
      ["message/global-headers", original],
    ],
    { recipients: ["žofie@dest.example"] },
  ),
  multipart(
    "under a list's footer",
    daemon,
    "Undelivered Mail Returned to Sender",
    "multipart/mixed",
    [
      [
        `multipart/report; report-type=delivery-status; boundary="in"`,
        `--in\nContent-Type: text/plain\n\nx\n--in\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; a\n\nFinal-Recipient: rfc822; ${bob}\nAction: failed\nStatus: 5.7.1\nDiagnostic-Code: smtp; 550 5.7.1 Relaying denied\n\n--in--\n`,
      ],
      ["text/plain", "-- \nOne mailing list"],
    ],
    { class: "policy" },
  ),
  plain(
    "the fields in plain words",
    daemon,
    "Undelivered Mail Returned to Sender",
    `This is the mail system at host mx.relay.example.

Reporting-MTA: dns; mx.relay.example

Final-Recipient: rfc822; ${bob}
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 User unknown

${original}`,
  ),
];

const languages: readonly NoticeForm[] = [
  plain(
    "Spanish",
    "Administrador <postmaster@correo.example>",
    "No se pudo entregar: Su pedido",
    `No se pudo entregar el mensaje a los siguientes destinatarios:

${bob}
   El usuario no existe (550 5.1.1)

${original}`,
  ),
  plain(
    "Italian",
    "Sistema di posta <postmaster@posta.example>",
    "Mancata consegna del messaggio",
    `Non è stato possibile consegnare il messaggio al seguente destinatario:

<${bob}>: casella di posta piena (552 5.2.2)

${original}`,
    { class: "mailbox_full" },
  ),
  plain(
    "Portuguese",
    "MAILER-DAEMON@correio.example",
    "Mensagem não entregue",
    `Não foi possível entregar sua mensagem para:

<${bob}>: destinatário desconhecido

${original}`,
  ),
  plain(
    "Dutch",
    "postmaster@post.example",
    "Onbestelbaar: uw bestelling",
    `Uw bericht kon niet worden afgeleverd bij:

${bob}: gebruiker onbekend (550)

${original}`,
  ),
  plain(
    "Russian",
    "mailer-daemon@pochta.example",
    "Сообщение не доставлено",
    `Ваше сообщение не может быть доставлено следующему получателю:

${bob}: такой пользователь не найден (550 5.1.1)

${original}`,
  ),
  plain(
    "Polish",
    "Mailer-Daemon@poczta.example",
    "Niedoręczona wiadomość",
    `Wiadomość nie mogła zostać dostarczona do:

${bob}: użytkownik nieznany (550)

${original}`,
  ),
  plain(
    "Japanese",
    "postmaster@denshi.example",
    "配信不能通知",
    `次の宛先へのメールは配信できませんでした。

<${bob}>: 宛先のメールアドレスが見つかりません

${original}`,
  ),
  plain(
    "Chinese",
    "PostMaster@youjian.example",
    "系统退信/System Return",
    `抱歉，您的邮件被退回来了。
无法发送到 ${bob}
退信原因：收件人邮件地址（${bob}）不存在，邮件无法送达。
host mx.dest.example said: 550 User not found

${original}`,
  ),
  plain(
    "German",
    "Mailer-Daemon@post.example",
    "Unzustellbare Nachricht",
    `Ihre Nachricht konnte nicht zugestellt werden an:

<${bob}>: Postfach ist voll (552)

${original}`,
    { class: "mailbox_full" },
  ),
];

function feedback(name: string, from: string, fields: string, last: PartText, want: Want = {}): NoticeForm {
  const parts: PartText[] = [
    ["text/plain", "This is an email abuse report."],
    ["message/feedback-report", fields],
    last,
  ];
  return multipart(name, from, "FW: Your order", "multipart/report; report-type=feedback-report", parts, {
    kind: "complaint",
    class: "unknown",
    hard: false,
    ...want,
  });
}

const complaints: readonly NoticeForm[] = [
  feedback(
    "ARF with the whole message",
    "staff@provider.example",
    `Feedback-Type: abuse\nUser-Agent: SomeGenerator/1.0\nVersion: 1\nSource-IP: 192.0.2.1\n`,
    ["message/rfc822", original],
  ),
  feedback(
    "ARF with its header section",
    "feedback@provider.example",
    `Feedback-Type: opt-out\nVersion: 1\nOriginal-Rcpt-To: <${bob}>\nUser-Agent: X\n`,
    ["text/rfc822-headers", original],
  ),
  feedback(
    "Yahoo, hidden",
    "Yahoo! Mail AntiSpam Feedback <feedback@arf.mail.example>",
    `Feedback-Type: abuse\nUser-Agent: Yahoo!-Mail-Feedback/2.0\nVersion: 0.1\nOriginal-Mail-From: <${ann}>\n`,
    ["message/rfc822", original.replace(`To: ${bob}\n`, "")],
    { recipients: [] },
  ),
  feedback(
    "Amazon SES",
    "complaints@email-abuse.amazonses.example",
    `Feedback-Type: abuse\nUser-Agent: Amazon SES/1.0\nVersion: 0.1\nOriginal-Rcpt-To: ${bob}\nSource-IP: 192.0.2.1\n`,
    ["message/rfc822", original],
  ),
  feedback(
    "authentication failure",
    "dmarc@provider.example",
    `Feedback-Type: auth-failure\nAuth-Failure: dmarc\nUser-Agent: X\nVersion: 1\nOriginal-Rcpt-To: ${bob}\nSource-IP: 2001:db8::1\n`,
    ["text/rfc822-headers", original],
    { class: "authentication" },
  ),
  multipart(
    "Hotmail's junk reports",
    "staff@hotmail.com",
    "complaint about message from 192.0.2.1",
    "multipart/mixed",
    [["message/rfc822", `X-HmXmrOriginalRecipient: <${bob}>\n${original}`]],
    { kind: "complaint", class: "unknown", hard: false },
  ),
];

const answered: Want = { kind: "auto-reply", recipients: [], class: "unknown", hard: false };

const autoReplies: readonly NoticeForm[] = [
  plain("vacation by RFC 3834", "Bob <bob@dest.example>", "Re: Your order", "I am away until Monday.", answered, {
    "Auto-Submitted": "auto-replied (vacation)",
  }),
  plain(
    "Exchange out of office",
    "Bob <bob@dest.example>",
    "Automatic reply: Your order",
    "I am out of the office.",
    answered,
    { "X-Auto-Response-Suppress": "All", "Auto-Submitted": "auto-generated" },
  ),
  plain(
    "German absence",
    "Bob <bob@dest.example>",
    "Abwesenheitsnotiz: Ihre Bestellung",
    "Ich bin bis Montag nicht im Büro.",
    answered,
    { Precedence: "bulk" },
  ),
  plain("cPanel's responder", "bob@dest.example", "Autoreply: Your order", "Got it.", answered, {
    "X-Autorespond": "Your order",
    Precedence: "auto_reply",
  }),
  plain(
    "he has left, says the responder",
    "Bob <bob@dest.example>",
    "Automatic reply: Your order",
    `Bob no longer works here. Your message was not delivered to anybody. Please write to cat@dest.example.`,
    answered,
    { "Auto-Submitted": "auto-replied" },
  ),
  plain(
    "French absence",
    "Bob <bob@dest.example>",
    "Réponse automatique : Votre commande",
    "Je suis absent.",
    answered,
    { "X-Auto-Response-Suppress": "OOF" },
  ),
  multipart(
    "read receipt",
    "Bob <bob@dest.example>",
    "Read: Your order",
    "multipart/report; report-type=disposition-notification",
    [
      ["text/plain", "Your message was read."],
      [
        "message/disposition-notification",
        `Final-Recipient: rfc822;${bob}\nDisposition: manual-action/MDN-sent-manually; displayed`,
      ],
    ],
    answered,
  ),
];

/** Terse notices of carriers, OpenSMTPD and old MTAs. */
const fewWords: readonly NoticeForm[] = [
  plain(
    "OpenSMTPD, no MX",
    "Mailer Daemon <MAILER-DAEMON@bsd.example>",
    "Delivery status notification: error",
    `    Hi!

    This is the MAILER-DAEMON, please DO NOT REPLY to this email.

    An error has occurred while attempting to deliver a message for
    the following list of recipients:

${bob}: No MX found for destination

    Below is a copy of the original message:

${original}`,
    { class: "host_unknown" },
  ),
  plain(
    "OpenSMTPD, delay",
    "Mailer Daemon <MAILER-DAEMON@bsd.example>",
    "Delivery status notification: warning",
    `    Hi!

    This is the MAILER-DAEMON, please DO NOT REPLY to this email.

    A message is delayed for more than 4 hours for the following
    list of recipients:

${bob}: Network error on destination MXs

    Below is a copy of the original message:

${original}`,
    { class: "expired" },
  ),
  plain(
    "a Japanese carrier, over quota",
    "Postmaster@carrier.example",
    "Mail System Error - Returned Mail",
    `The user(s) account is temporarily over quota.\n\n<${bob}>\n`,
    { class: "mailbox_full" },
  ),
  plain(
    "a Japanese carrier, unknown",
    "Postmaster@carrier.example",
    "Mail System Error - Returned Mail",
    `The following recipients did not receive this message:\n\n    <${bob}>\n    Recipient: Unknown user\n`,
  ),
  plain(
    "a carrier's gateway for pictures",
    "post_master@carrier.example",
    "Undeliverable Message",
    `Error:\n     No valid recipients for this MM\n\nMessage:\n     To: ${bob}\n     Subject: Your order\n`,
  ),
  plain("one line of an old MTA", "MAILER-DAEMON@old.example", "Returned mail", `${bob}... User unknown`),
  plain(
    "a mailbox disabled for good",
    "MAILER-DAEMON@mx.relay.example",
    "Undelivered Mail Returned to Sender",
    `<${bob}>: host mx.dest.example[192.0.2.25] said: 550 5.2.1 <${bob}>: Mailbox disabled, not accepting messages (in reply to RCPT TO command)\n\n${original}`,
    { class: "disabled", hard: true },
  ),
  plain(
    "a DMARC failure report in words",
    "DMARC reports <noreply@gate.example>",
    "DMARC failure report for shop.example",
    `A message claiming to be from you has failed the published DMARC policy for your domain.

  Sender Domain: shop.example
  Sender IP Address: 192.0.2.99
  Received Date: Mon, 2 Nov 2026 08:00:00 +0000
  SPF Alignment: no
  DKIM Alignment: no
  DMARC Results: Reject

------ This is a copy of the headers that were received before the error was detected.

${original}`,
    { kind: "complaint", class: "authentication" },
  ),
];

export const noticeForms: readonly NoticeForm[] = [
  ...fewWords,
  ...qmailKin,
  ...eximKin,
  ...sendmailKin,
  ...microsoft,
  ...providers,
  ...groupware,
  ...gateways,
  ...carriers,
  ...standards,
  ...languages,
  ...complaints,
  ...autoReplies,
];
