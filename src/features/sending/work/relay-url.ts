// Parses ASSAY_SEND_SMTP_URL, such as smtp://user:password@relay.example:587.

import { decodeEscapes } from "../../../analyzer/mail/urls/percent.ts";

export type Relay = {
  readonly host: string;
  readonly port: number;
  /** smtps: TLS from the first byte. */
  readonly isImplicitTls: boolean;
  readonly login: { readonly user: string; readonly pass: string } | null;
};

/** RFC 6409 §3.1, RFC 8314 §7.3. */
const ports = { submission: 587, submissions: 465 };

/** `text`: the validated setting. */
export function readRelay(text: string): Relay {
  const url = new URL(text);
  const isImplicitTls = url.protocol === "smtps:";
  const user = decodeEscapes(url.username);
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? ports[isImplicitTls ? "submissions" : "submission"] : Number(url.port),
    isImplicitTls,
    login: user === "" ? null : { user, pass: decodeEscapes(url.password) },
  };
}
