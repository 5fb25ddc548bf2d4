// Commands and code that send one message to a seed address. Host, port and addresses contain no character that a shell or
// a language would treat specially: a seed address has only letters, digits, dots, hyphens and underscores.

import type { Receiving, SendingSnippet } from "../contract/receiving.ts";

type Terms = {
  readonly to: string;
  readonly host: string;
  readonly port: number;
  /** An app that verifies certificates would not connect. */
  readonly isSelfSigned: boolean;
  /** Another server can find the seed domain. */
  readonly isReachable: boolean;
};

const from = "you@example.com";
const useYourAddress = `Replace ${from} with the address that you send from.`;

/** For a URL or Postfix. */
const toUrlHost = (host: string) => (host.includes(":") ? `[${host}]` : host);

const swaks = ({ to, host, port }: Terms) =>
  `swaks --server ${host} --port ${port} \\
  --from ${from} --to ${to} \\
  --header "Subject: Test with swaks" --body "Hello from swaks."`;

const curl = ({ to, host, port }: Terms) =>
  `printf 'From: ${from}\\nTo: ${to}\\nSubject: Test with curl\\n\\nHello from curl.\\n' |
  curl --crlf --url smtp://${toUrlHost(host)}:${port} --mail-from ${from} --mail-rcpt ${to} --upload-file -`;

const python = ({ to, host, port }: Terms) => `import smtplib
from email.message import EmailMessage
from email.utils import formatdate, make_msgid

message = EmailMessage()
message["From"] = "${from}"
message["To"] = "${to}"
message["Subject"] = "Test with Python"
message["Date"] = formatdate()
message["Message-ID"] = make_msgid()
message.set_content("Hello from Python.")

with smtplib.SMTP("${host}", ${port}) as server:
    server.send_message(message)
`;

const node = ({ to, host, port, isSelfSigned }: Terms) => `import { createTransport } from "nodemailer";

const server = createTransport({
  host: "${host}",
  port: ${port},
${isSelfSigned ? "  tls: { rejectUnauthorized: false }, // Assay's certificate is self-signed.\n" : ""}});

await server.sendMail({
  from: "${from}",
  to: "${to}",
  subject: "Test with Node",
  text: "Hello from Node.",
});
`;

const php = ({ to, host, port, isSelfSigned }: Terms) => `<?php
require "vendor/autoload.php";

$mail = new PHPMailer\\PHPMailer\\PHPMailer(true);
$mail->isSMTP();
$mail->Host = "${host}";
$mail->Port = ${port};
${isSelfSigned ? "$mail->SMTPAutoTLS = false; // Assay's certificate is self-signed.\n" : ""}$mail->setFrom("${from}");
$mail->addAddress("${to}");
$mail->Subject = "Test with PHP";
$mail->Body = "Hello from PHP.";
$mail->send();
`;

const laravel = ({ host, port, isSelfSigned }: Terms) => `MAIL_MAILER=smtp
MAIL_URL=smtp://${toUrlHost(host)}:${port}${isSelfSigned ? "?verify_peer=0" : ""}
MAIL_FROM_ADDRESS=${from}
`;

const wordpress = ({ host, port, isSelfSigned }: Terms) => `<?php
add_action( 'phpmailer_init', function ( $mail ) {
    $mail->isSMTP();
    $mail->Host = '${host}';
    $mail->Port = ${port};
    $mail->SMTPAuth = false;
${isSelfSigned ? "    $mail->SMTPAutoTLS = false; // Assay's certificate is self-signed.\n" : ""}} );
`;

const postfix = ({
  to,
  host,
  port,
}: Terms) => `postconf -e 'transport_maps = inline:{ ${to.split("@")[1]}=smtp:[${host}]:${port} }'
postfix reload
printf 'From: ${from}\\nTo: ${to}\\nSubject: Test with Postfix\\n\\nHello from Postfix.\\n' |
  sendmail -f ${from} ${to}
`;

type Row = Pick<SendingSnippet, "id" | "label" | "language"> & {
  readonly toText: ((terms: Terms) => string) | null;
  readonly toNote: (terms: Terms) => string;
};

const rows: readonly Row[] = [
  { id: "swaks", label: "swaks", language: "sh", toText: swaks, toNote: () => useYourAddress },
  { id: "curl", label: "curl", language: "sh", toText: curl, toNote: () => useYourAddress },
  {
    id: "python",
    label: "Python",
    language: "py",
    toText: python,
    toNote: () => `Needs no package. ${useYourAddress}`,
  },
  {
    id: "node",
    label: "Node",
    language: "mjs",
    toText: node,
    toNote: () => `Install the package first: npm install nodemailer. ${useYourAddress}`,
  },
  {
    id: "php",
    label: "PHP",
    language: "php",
    toText: php,
    toNote: () => `Install the package first: composer require phpmailer/phpmailer. ${useYourAddress}`,
  },
  {
    id: "laravel",
    label: "Laravel",
    language: "env",
    toText: laravel,
    toNote: ({ to }) => `Put this in .env. Then send any of your app's messages to ${to}.`,
  },
  {
    id: "wordpress",
    label: "WordPress",
    language: "php",
    toText: wordpress,
    toNote: ({ to }) =>
      `Save this as wp-content/mu-plugins/assay.php. Then let WordPress send a message to ${to}: for example, invite a user with this address.`,
  },
  {
    id: "postfix",
    label: "Postfix",
    language: "sh",
    toText: postfix,
    toNote: () =>
      "Run this as root. It sends mail for your seed address to Assay, and all other mail as before. If you already use transport_maps, add this map to them instead.",
  },
  {
    id: "gmail",
    label: "From Gmail",
    language: "txt",
    toText: null,
    toNote: ({ to, isReachable }) =>
      isReachable
        ? `In Gmail, click Compose, enter ${to}, and send the message. Don't forward an old message, because that creates new headers.`
        : "Gmail can't deliver to this address. Set up your own domain first, as described below.",
  },
];

export function toSnippets({
  address,
  listeners,
  certificate,
  isReserved,
}: Omit<Receiving, "snippets">): SendingSnippet[] {
  const [first] = listeners;
  if (address === null || first === undefined) return [];
  const terms: Terms = {
    to: address,
    host: first.host,
    port: first.port,
    isSelfSigned: certificate === "self-signed",
    isReachable: !isReserved && first.reach === "all",
  };
  return rows.map(({ toText, toNote, ...row }) => ({
    ...row,
    text: toText === null ? null : toText(terms),
    note: toNote(terms),
  }));
}
