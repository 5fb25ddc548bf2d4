// A delivery status notification (RFC 3464). It raises email.bounce_complaint, whatever DNS says.

import type { Mail } from "./smtp-client.ts";

/** `original` is the Message-ID of the bounced message, without brackets. */
export function toBounceMail(original: string, to: string): Mail {
  const body = `From: MAILER-DAEMON@mx.receiver.example
To: ${to}
Subject: Undelivered Mail Returned to Sender
Message-ID: <bounce-of-${original}>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

Your message could not be delivered.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.receiver.example

Final-Recipient: rfc822; gone@receiver.example
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 No such user

--b
Content-Type: text/rfc822-headers

From: ann@sender.example
Message-ID: <${original}>
Subject: Hello

--b--
`;
  return { from: "", to: [to], body };
}
