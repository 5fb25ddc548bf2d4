// Which client sends what, and what Assay must have recorded about each session.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Letter, letters, plainLetter, type RealClient } from "./letters.ts";
import { createMsmtp } from "./msmtp.ts";
import { createNodemailer } from "./nodemailer.ts";
import { startPostfix } from "./postfix.ts";
import { createSwaks, type Port } from "./swaks.ts";

/** From a test's `transport`. */
export type Facts = Readonly<Record<string, unknown>>;

export type Trial = {
  readonly client: RealClient;
  readonly letters: readonly Letter[];
  readonly from: string;
  readonly facts: Facts;
};

export const proxyAddress = "127.0.0.6";
export const xclientAddress = "127.0.0.5";

const from = "ann@sender.example";
const alabel = "ann@xn--bcher-kva.example";
const ulabel = "änne@bücher.example";

export function createTrials(server: Port): readonly Trial[] {
  return [...swaksTrials(server), ...msmtpTrials(server), ...nodemailerTrials(server)];
}

export async function createPostfixTrial(folder: string, server: Port): Promise<Trial> {
  const own = join(folder, "postfix");
  mkdirSync(own, { mode: 0o755 });
  const facts = { mail_from: from, protocol: "ESMTPS", helo: "client.example", pipelining: true };
  return { client: await startPostfix("Postfix", own, server), letters, from, facts };
}

function swaksTrials(server: Port): readonly Trial[] {
  const swaks = (name: string, options = "") =>
    createSwaks(`swaks ${name}`, server, options.split(" ").filter(Boolean));
  const plain = { letters: [plainLetter], from };
  const client_address = server.host;
  return [
    {
      client: swaks("plain"),
      letters,
      from,
      facts: { mail_from: from, helo: "client.example", protocol: "ESMTP", tls: null, client_address },
    },
    { client: swaks("STARTTLS", "--tls"), letters, from, facts: { protocol: "ESMTPS" } },
    { client: swaks("A-label"), ...plain, from: alabel, facts: { mail_from: alabel } },
    {
      client: swaks("SMTPUTF8"),
      ...plain,
      // This swaks writes no parameters itself. The bracket with which it ends the path goes to the parameter added
      // here.
      from: `${ulabel}> SMTPUTF8 ENVID=x`,
      facts: { mail_from: ulabel, smtp_utf8: true },
    },
    { client: swaks("PROXY v1", proxied(1, "TCP4")), ...plain, facts: viaProxy(1) },
    { client: swaks("PROXY v2", proxied(2, "AF_INET")), ...plain, facts: viaProxy(2) },
    {
      client: swaks(
        "XCLIENT",
        `--local-interface ${xclientAddress} --xclient-addr 192.0.2.8 --xclient-name real.example`,
      ),
      ...plain,
      facts: {
        client_address: "192.0.2.8",
        client_name: "real.example",
        via: { how: "xclient", address: xclientAddress },
      },
    },
  ];
}

function proxied(version: number, family: string): string {
  const source = "--proxy-source 192.0.2.7 --proxy-source-port 4321";
  const own = "--proxy-dest 198.51.100.7 --proxy-dest-port 25";
  return `--local-interface ${proxyAddress} --proxy-version ${version} --proxy-family ${family} ${source} ${own}`;
}

function viaProxy(version: number): Facts {
  const via = { how: `proxy-v${version}`, address: proxyAddress };
  return { client_address: "192.0.2.7", client_port: 4_321, via };
}

function msmtpTrials(server: Port): readonly Trial[] {
  const msmtp = (name: string, ...options: string[]) => createMsmtp(`msmtp ${name}`, server, options);
  return [
    { client: msmtp("plain", "--tls=off"), letters, from, facts: { protocol: "ESMTP" } },
    { client: msmtp("STARTTLS", "--tls=on", "--tls-certcheck=off"), letters, from, facts: { protocol: "ESMTPS" } },
  ];
}

function nodemailerTrials(server: Port): readonly Trial[] {
  const withTls = { requireTLS: true, tls: { rejectUnauthorized: false } };
  const nodemailer = (name: string, options: object) => createNodemailer(`nodemailer ${name}`, server, options);
  return [
    { client: nodemailer("plain", { ignoreTLS: true }), letters, from, facts: { protocol: "ESMTP" } },
    { client: nodemailer("STARTTLS", withTls), letters, from, facts: { protocol: "ESMTPS" } },
    {
      client: nodemailer("SMTPUTF8", { ignoreTLS: true }),
      letters: [plainLetter],
      // It converts the domain to an A-label.
      from: "änne@sender.example",
      facts: { mail_from: "änne@sender.example", smtp_utf8: true },
    },
  ];
}
