// Checks signed reports. Needs no server and no database.

import { stat } from "node:fs/promises";
import { isLoopback } from "../../../analyzer/addresses.ts";
import { readMessageSource } from "../../../analyzer/mail/mime/message-source.ts";
import { doors } from "../../../analyzer/mail/session/doors.ts";
import { toVisibleCut } from "../../../analyzer/visible-text.ts";
import {
  type Arguments,
  answer,
  type Command,
  CommandFailure,
  type ExitCode,
  exitCodes,
  type Terminal,
  toExitCodeHelp,
} from "../../../platform/cli/command.ts";
import { readInputFile, toFileReason } from "../../../platform/cli/input-files.ts";
import { loadConfig } from "../../../platform/cli/settings.ts";
import { Refusal } from "../../../platform/errors.ts";
import { toTable } from "../../../platform/table.ts";
import {
  maxSignedBytes,
  readSignedFile,
  type SignedReading,
  type SignedReport,
  sha256Of,
} from "../rules/signed-file.ts";
import { createReportSigning, type PublicKey, readPublicKeys } from "../rules/signing-key.ts";
import type { Statement } from "../rules/statement.ts";
import type { Replay } from "../work/replay-signed.ts";

export const verify: Command = {
  group: "test",
  name: "verify",
  summary: "Check that a signed report is unchanged, and who signed it.",
  usage: "verify <report.html|report.json> [options]",
  example: "assay verify report.html --url https://assay.example.com",
  positionals: { min: 1, max: 1 },
  options: {
    key: { value: "file", doc: "Public key that must have signed it, in PEM or as a JWK set." },
    url: { value: "url", doc: "Assay server whose key must have signed it. Gets the key from there." },
    message: { value: "file.eml", doc: "Message file that the report must be about." },
    replay: {
      doc: "Analyze the message again with the recorded DNS responses, and compare the results. Needs the message, in the file or as --message.",
    },
  },
  details: () =>
    "Without --key and --url, the key of this server counts, if there is one (data directory or ASSAY_SECRET_KEY).\n\n" +
    toExitCodeHelp({
      0: "unchanged, and signed by the expected key",
      1: "changed, not signed, about another message, or with other results (--replay)",
      2: "usage error, or a file cannot be read",
      3: "unchanged, but signed by a key that is unknown here",
      6: "the key cannot be fetched",
    }),
  run: verifyFile,
};

type Trusted = { readonly keys: readonly PublicKey[]; readonly whose: string };

async function verifyFile(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const [file = ""] = args.positionals;
  const bytes = await readBounded(file, terminal);
  const message = args.option("message");
  const raw = message === undefined ? null : await readInputFile(message);
  const trusted = await readTrusted(args, terminal);
  const reading = readSignedFile(bytes);
  if (!reading.ok) return tellChanged(file, reading, { args, terminal });
  const { report } = reading;
  const isKnown = trusted.keys.some(({ x }) => x === report.statement.key.x);
  const about = raw === null ? null : isAbout(report, raw);
  const replay = args.flag("replay") ? await replayFile(report, raw) : null;
  const found = { file, isKnown, whose: trusted.whose, about, replay };
  answer(args, terminal, toJson(report, found), () => toText(report, found, terminal));
  if (about === false || (replay !== null && (!replay.ok || replay.differences.length > 0))) return exitCodes.failed;
  return isKnown ? exitCodes.fine : exitCodes.notWhollyChecked;
}

/** A file of any size may be given. */
export async function readBounded(file: string, terminal: Terminal): Promise<Uint8Array> {
  if (file === "-") return await terminal.readInput();
  const { size } = await stat(file).catch((error: unknown) => {
    throw new Refusal("invalid_request", `Cannot read ${JSON.stringify(file)}: ${toFileReason(error)}.`);
  });
  if (size > maxSignedBytes)
    throw new Refusal("invalid_request", `${JSON.stringify(file)} is larger than any signed report.`);
  return await readInputFile(file);
}

async function readTrusted(args: Arguments, terminal: Terminal): Promise<Trusted> {
  const [file, url] = [args.option("key"), args.option("url")];
  if (file !== undefined && url !== undefined) throw new Refusal("invalid_request", "Use only one of --key and --url.");
  if (file !== undefined) {
    const keys = readPublicKeys(Buffer.from(await readInputFile(file)).toString("utf8"));
    if (keys.length === 0)
      throw new Refusal("invalid_request", `${JSON.stringify(file)} contains no Ed25519 public key.`);
    return { keys, whose: `the key in ${file}` };
  }
  if (url !== undefined) return { keys: await fetchKeys(url, terminal), whose: `the key of ${url}` };
  return { keys: await readOwnKeys(args, terminal), whose: "this server’s key" };
}

async function fetchKeys(written: string, terminal: Terminal): Promise<PublicKey[]> {
  const url = /^https?:\/\//i.test(written) ? URL.parse(written) : null;
  if (url === null || url.username !== "" || url.password !== "")
    throw new Refusal(
      "invalid_url",
      "--url must be the address of the web app, like https://assay.example.com, without a username or password.",
    );
  if (url.protocol === "http:" && !isLoopback(url.hostname.replace(/^\[|\]$/g, "")))
    terminal.err(`Warning: ${url.origin} is not encrypted, so others on the network can replace the key. Use https.\n`);
  const { createFetchOperator } = await import("../../../platform/system/fetch-doors.ts");
  const path = url.pathname.endsWith("/") ? url.pathname : `${url.pathname}/`;
  const address = new URL(`${path}.well-known/assay-signing-key`, url.origin).href;
  const outcome = await createFetchOperator()(address, { timeoutMs: 15_000, maxBytes: 100_000 });
  const keys = outcome.ok && outcome.status === 200 ? readPublicKeys(Buffer.from(outcome.body).toString("utf8")) : [];
  if (keys.length > 0) return keys;
  const why = outcome.ok ? `It responded with ${outcome.status}, and without a key.` : outcome.problem;
  throw new CommandFailure(exitCodes.serverFailed, `Cannot get the key from ${address}. ${why}`);
}

/** None if this machine has no server. Creates nothing. */
async function readOwnKeys(args: Arguments, terminal: Terminal): Promise<PublicKey[]> {
  const { secretKey, dataDir } = await loadConfig(args, terminal);
  const { inspectKeyFile, loadSecretKey, secretKeyPath } = await import("../../../platform/system/secret-key.ts");
  if (secretKey === null && (await inspectKeyFile(secretKeyPath(dataDir))) !== "private") return [];
  const loaded = await loadSecretKey(secretKey, dataDir, () => new Uint8Array(), "");
  return loaded.ok ? [createReportSigning(loaded.secretKey.derive, "").signer] : [];
}

function isAbout({ statement }: SignedReport, raw: Uint8Array): boolean {
  return toMessages(raw).some((bytes) => sha256Of(bytes) === statement.message.sha256);
}

/** As it is, and with the line ends that it had on the wire. */
function toMessages(raw: Uint8Array): readonly Uint8Array[] {
  const source = readMessageSource(raw);
  return source.ok ? [raw, source.raw] : [raw];
}

async function replayFile(report: SignedReport, given: Uint8Array | null): Promise<Replay> {
  const kept = report.read("message");
  const written = kept === undefined ? null : parseText(kept);
  const raws = given === null ? (written === null ? [] : [Buffer.from(written, "base64")]) : toMessages(given);
  const raw = raws.find((bytes) => sha256Of(bytes) === report.statement.message.sha256);
  if (raws.length === 0) return { ok: false, why: "The file does not contain the message. Pass it with --message." };
  if (raw === undefined) return { ok: false, why: "The message is not the one that the report is about." };
  const [dns, session, workspace, whole] = (["dns", "session", "workspace", "report"] as const).map(report.read);
  if (dns === undefined || session === undefined || workspace === undefined || whole === undefined)
    return { ok: false, why: "This is a redacted copy. Only the complete file can be analyzed again." };
  const { replaySigned } = await import("../work/replay-signed.ts");
  return await replaySigned(raw, { dns, session, workspace, report: whole });
}

function parseText(json: string): string | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}

type Found = {
  readonly file: string;
  readonly isKnown: boolean;
  readonly whose: string;
  readonly about: boolean | null;
  readonly replay: Replay | null;
};

function toJson({ statement, present, leftOut }: SignedReport, { isKnown, about, replay }: Found) {
  return {
    unchanged: true,
    why: null,
    signedBy: isKnown ? "known" : "foreign",
    statement,
    present,
    leftOut,
    messageMatches: about,
    replay: replay && (replay.ok ? { same: replay.differences.length === 0, ...replay } : replay),
  };
}

function toText(report: SignedReport, { file, isKnown, whose, about, replay }: Found, { columns }: Terminal): string {
  const { statement, leftOut } = report;
  const shown = (text: string) => toVisibleCut(text, 200);
  const lines = [`${shown(file)} is unchanged.`, toTable(toRows(statement, isKnown ? whose : null), columns)];
  if (leftOut.length > 0) lines.push(`Redacted copy, without: ${leftOut.join(", ")}.`);
  if (!isKnown)
    lines.push(
      `Foreign key: ${whose === "this server’s key" ? "this machine doesn’t know it" : `it is not ${shown(whose)}`}. Anyone can sign a file with a key of their own, so this proves nothing about its origin. If you trust ${shown(statement.issuer)}, compare with --url.`,
    );
  if (about !== null)
    lines.push(
      about
        ? "The message is the one that the report is about."
        : "The message is NOT the one that the report is about.",
    );
  if (replay !== null) lines.push(...toReplayLines(replay).map(shown));
  return lines.join("\n");
}

const sourceWords: ReadonlyMap<string, string> = new Map([
  ...Object.values(doors).map(({ signed }) => [signed.name, signed.says] as const),
  ["loop", "sent by that server to itself"],
  ["sample", "from the sample gallery, with a made-up sender"],
]);

function toRows(statement: Statement, whose: string | null): string[][] {
  const { key, signed_at, issuer, test, message, rules, result } = statement;
  const shown = (text: string) => toVisibleCut(text, 200);
  const source = sourceWords.get(message.source) ?? shown(message.source);
  return [
    ["Signed by", whose === null ? "a foreign key" : shown(whose)],
    ["Key", shown(key.id)],
    ["Signed at", shown(signed_at)],
    ["Says it is from", shown(issuer)],
    ["Test", shown(test)],
    ["Message", `SHA-256 ${message.sha256}, ${message.bytes} bytes, ${source}`],
    ["Rules", `Assay ${shown(rules.assay)}, placement weights ${shown(rules.placement ?? "none")}`],
    [
      "Result",
      `score ${result.composite ?? "none"}, SPF ${shown(result.spf ?? "unknown")}, DKIM ${shown(result.dkim ?? "unknown")}, DMARC ${shown(result.dmarc ?? "unknown")}`,
    ],
  ];
}

function toReplayLines(replay: Replay): string[] {
  if (!replay.ok) return [`Not analyzed again: ${replay.why}`];
  if (replay.differences.length === 0) return ["Analyzed again with the recorded DNS responses: the same results."];
  const why = replay.sameVersion ? "" : " The report was made by another version of Assay, whose rules may differ.";
  return [
    `Analyzed again with the recorded DNS responses: other results.${why}`,
    ...replay.differences.map((one) => `  ${one}`),
  ];
}

function tellChanged(
  file: string,
  { why, statement }: Extract<SignedReading, { readonly ok: false }>,
  { args, terminal }: { readonly args: Arguments; readonly terminal: Terminal },
): ExitCode {
  const json = { unchanged: false, why, signedBy: null, statement: null, present: [], leftOut: [] };
  const hint =
    statement === null
      ? ""
      : `\nOnly the signed statement is intact: the message has SHA-256 ${statement.message.sha256}, score ${statement.result.composite ?? "none"}.`;
  answer(
    args,
    terminal,
    { ...json, messageMatches: null, replay: null },
    () => `${toVisibleCut(file, 200)} is NOT as it was signed. ${why}${hint}`,
  );
  return exitCodes.failed;
}
