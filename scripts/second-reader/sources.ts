// Messages for scripts/second-reader.ts: from folders, from the public SPF and ARC suites, and our own fixtures.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { parseAllDocuments } from "yaml";
import type { Zone } from "../../src/analyzer/dns/zone.ts";
import { claimedSession, type SmtpSession } from "../../src/analyzer/mail/session/session.ts";
import { readSpfSuite } from "../../test/analyzer/facts/spf-suite.ts";
import { ambiguousMessages } from "../../test/analyzer/second-reader/ambiguous-messages.ts";
import { fixtures, letterOf } from "../../test/fixtures/messages/fixture.ts";
import { toBytes } from "../../test/fixtures/messages/letter.ts";
import { receivedAt, toSession } from "../../test/fixtures/messages/sender.ts";

export type Source = {
  readonly source: string;
  readonly name: string;
  readonly raw: Uint8Array;
  readonly session: SmtpSession;
  readonly receivedAt: number;
  readonly zone: Zone;
};

const noSession = claimedSession({ clientAddress: null, helo: null, mailFrom: null, rcptTo: [] });

/** Files of messages below a folder. Their DNS is empty. */
export function* inFolder(folder: string): Generator<Source> {
  for (const path of filesBelow(folder)) {
    if (!/\.(eml|txt|mbox|msg)$/i.test(path)) continue;
    const raw = withoutMboxLine(readFileSync(path));
    if (!/^[!-9;-~]+[ \t]*:/.test(raw.toString("latin1", 0, 200))) continue;
    yield { source: basename(folder), name: path, raw, session: noSession, receivedAt, zone: {} };
  }
}

function* filesBelow(path: string): Generator<string> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) {
    if (found) yield path;
    return;
  }
  for (const name of readdirSync(path).sort()) yield* filesBelow(join(path, name));
}

function withoutMboxLine(raw: Buffer): Buffer {
  return raw.toString("latin1", 0, 5) === "From " ? raw.subarray(raw.indexOf(10) + 1) : raw;
}

export function* ownFixtures(): Generator<Source> {
  for (const fixture of fixtures) {
    const letter = letterOf(fixture);
    const { zone, heard } = letter;
    const name = `${fixture.number} ${fixture.broken}`;
    yield { source: "fixtures", name, raw: toBytes(letter), session: toSession(heard), receivedAt, zone };
  }
  for (const [name, raw] of Object.entries(ambiguousMessages))
    yield { source: "ambiguous", name, raw: Buffer.from(raw, "latin1"), session: noSession, receivedAt, zone: {} };
}

/** The RFC 7208 suite next to the repository, one message for each case. */
export function* spfSuite(): Generator<Source> {
  for (const { zone, cases } of readSpfSuite())
    for (const { name, client } of cases) {
      const raw = Buffer.from(`From: a@${client.mailFrom.split("@").at(-1)}\r\nSubject: SPF\r\n\r\nText.\r\n`);
      const { address: clientAddress, helo, mailFrom } = client;
      const session = claimedSession({ clientAddress, helo, mailFrom, rcptTo: [] });
      yield { source: "SPF suite", name, raw, session, receivedAt, zone };
    }
}

type ArcScenario = {
  readonly tests: Readonly<Record<string, { readonly message: string }>>;
  readonly "txt-records"?: Readonly<Record<string, string>>;
};

export function* arcSuite(path: string): Generator<Source> {
  for (const document of parseAllDocuments(readFileSync(path, "utf8"), { uniqueKeys: false })) {
    const scenario = document.toJS() as ArcScenario;
    const texts = Object.entries(scenario["txt-records"] ?? {});
    const zone = Object.fromEntries(texts.map(([name, text]) => [name, { TXT: [text] }]));
    for (const [name, { message }] of Object.entries(scenario.tests)) {
      const raw = Buffer.from(message.replaceAll("\n", "\r\n"), "latin1");
      yield { source: "ARC suite", name, raw, session: noSession, receivedAt: Date.UTC(2017, 0, 4), zone };
    }
  }
}
