// assay learn, against a real server.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { toPlainName } from "../../../../src/analyzer/placement/provider.ts";
import { run } from "../../../../src/commands.ts";
import { worldWithCaller } from "../../../http/interface-world.ts";
import { testTerminal } from "../../../platform/cli/terminal.ts";
import { insertObservations } from "../../../platform/database/observations.ts";
import { makeMailbox, toMbox } from "./labeled-mailbox.ts";

const toGmail = (isSpam: boolean) =>
  `X-Gmail-Labels: ${isSpam ? "=?UTF-8?Q?Spam,Kategorie_=E2=80=9EWerbung=E2=80=9C?=" : "Archived,Opened"}`;
const toMicrosoft = (isSpam: boolean) =>
  `X-Forefront-Antispam-Report: CIP:192.0.2.1;CTRY:US;SCL:${isSpam ? 6 : 1};SRV:;`;

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "assay-learn-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function open() {
  const world = await worldWithCaller();
  world.internet.zone = Object.fromEntries(
    makeMailbox(10, () => "").flatMap(({ from: name }) => [
      [name, { A: ["192.0.2.7"], MX: [{ preference: 10, exchange: name }], TXT: ["v=spf1 ip4:192.0.2.7 -all"] }],
      [`_dmarc.${name}`, { TXT: ["v=DMARC1; p=none"] }],
    ]),
  );
  const assay = async (...argv: string[]) => {
    const terminal = testTerminal({ ASSAY_URL: world.base, ASSAY_TOKEN: world.token });
    const exitCode = await run(["learn", ...argv], terminal);
    return { exitCode, output: terminal.output(), complaints: terminal.complaints() };
  };
  const predict = async (text: string) => {
    const { id } = (await world.ask("POST", "/api/tests/upload", text, { "content-type": "message/rfc822" })).json;
    await world.analyzeAll();
    const { json } = await world.ask("GET", `/api/tests/${id}`);
    return { id, results: json.placement_results, line: json.analysis.learned };
  };
  return { ...world, assay, predict };
}

describe("assay learn", () => {
  test("assay learn fits predictions to a mailbox of 400 labeled messages, shows what changes, and is undone", async () => {
    const { assay, predict, ask } = await open();
    const made = makeMailbox(400, toGmail);
    const sent = makeMailbox(10, () => "");
    const before: Awaited<ReturnType<typeof predict>>[] = [];
    for (const { text } of sent) before.push(await predict(text));
    expect(before.every(({ line }) => line === null)).toBe(true);
    const mbox = join(newFolder(), "All mail Including Spam.mbox");
    writeFileSync(mbox, toMbox(made));

    const tried = await assay(mbox, "--dry-run", "--json");
    expect(tried).toMatchObject({ exitCode: 0, complaints: "" });
    const { counts, before: was, after, moved, isStored } = JSON.parse(tried.output);
    expect(counts).toMatchObject({ messages: 400, spam: 200, wanted: 200, unlabeled: 0, disputed: 0, unreadable: 0 });
    expect(after.brier).toBeLessThan(was.brier / 1.5);
    expect(after.spamInInbox).toBeLessThan(was.spamInInbox);
    const [first] = moved;
    const index = Number(first.subject.split(" ").at(-1));
    expect(sent[index]?.isSpam).toBe(true);
    expect(isStored).toBe(false);
    expect((await assay()).output).toMatch(/^Nothing is learned\./);

    const learned = await assay(mbox);
    expect(learned.output).toMatch(/^Read 400 messages: 200 spam, 200 not spam, 0 without a label, 0 unreadable\.\n/);
    expect(learned.output).toMatch(/\nBrier score \(0 is perfect\) +0\.\d+ +0\.\d+\n/);
    expect(learned.output).toContain(`${moved.length} of your last 10 tests would be placed elsewhere:\n`);
    expect(learned.output).toMatch(new RegExp(`\\n  ${first.subject} +inbox → spam \\(`));
    expect((await assay()).output).toMatch(/^Learned from 400 messages \(200 spam, 200 not spam\) on 2026-11-21\.\n/);

    const textOf = (one: number) => sent[one]?.text ?? "";
    const fitted = await predict(textOf(index));
    const placedElsewhere = fitted.results.filter(
      ({ folder }: { folder: string }, at: number) => folder !== before[index]?.results[at].folder,
    );
    expect(placedElsewhere.length).toBeGreaterThan(0);
    for (const { provider, folder } of placedElsewhere)
      expect([folder, first.changes]).toEqual(["spam", [expect.stringContaining(toPlainName(provider))]]);
    expect(JSON.stringify(fitted.results)).toContain("raises this figure: learned from 400 messages on 2026-11-21.");
    expect(fitted.line).toEqual({ slope: expect.any(Number), intercept: expect.any(Number) });

    expect(await assay("--forget")).toMatchObject({ exitCode: 0, complaints: "" });
    expect((await predict(textOf(index))).results).toEqual(before[index]?.results);
    expect((await predict(textOf(1))).results).toEqual(before[1]?.results);
    const again = await ask("POST", `/api/tests/${fitted.id}/reanalyze?dns=recorded`);
    expect(again.json.placement_results).toEqual(fitted.results);
    expect((await ask("GET", "/api/workspaces")).json.items[0].learned).toBeNull();
  });

  test("assay learn says which messages are missing if there are too few of a kind", async () => {
    const { assay } = await open();
    const mbox = join(newFolder(), "mail");
    writeFileSync(mbox, toMbox(makeMailbox(30, toMicrosoft)));
    expect(await assay(mbox)).toEqual({
      exitCode: 1,
      output: "",
      complaints: expect.stringContaining(
        "at least 20 messages of each kind are needed, and these are 15 spam and 15 not spam.",
      ),
    });
    expect((await assay("/nowhere/at/all")).complaints).toMatch(/^Cannot read "\/nowhere\/at\/all": no such file/);
    expect((await assay("--forget", mbox)).exitCode).toBe(2);
    expect((await assay("--forget", "--dry-run")).exitCode).toBe(2);
    expect((await assay("--observed", mbox)).exitCode).toBe(2);
  });

  test("assay learn reads hostile folders and mbox files to their end, and follows no links", async () => {
    const { assay } = await open();
    const folder = newFolder();
    const made = makeMailbox(80, () => "");
    for (const [index, { isSpam, text }] of made.entries()) {
      const place = join(folder, isSpam ? ".Courrier indésirable" : "INBOX", "cur");
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, `${index}\u001b[2J:2,S`), text);
    }
    const nested = join(folder, "Trash");
    mkdirSync(nested);
    writeFileSync(join(nested, "1.eml"), made[0]?.text ?? "");
    writeFileSync(join(folder, "index"), Buffer.alloc(3_000_000, "From "));
    writeFileSync(
      join(folder, "bomb"),
      `From a@b Sat Nov 21 05:00:00 2026\n${"X: y\n".repeat(400_000)}\n\n${"\nFrom nobody at all\n".repeat(50_000)}`,
    );
    writeFileSync(join(folder, "large.eml"), `Subject: x\n\n${"x".repeat(11_000_000)}`);
    symlinkSync(folder, join(folder, "again"));
    const { exitCode, output } = await assay(folder, "--dry-run");
    expect(exitCode).toBe(0);
    expect(output).not.toContain("\u001b");
    expect(output).toMatch(/^Read 84 messages: 40 spam, 40 not spam, 1 without a label, 3 unreadable\./);
  });

  test("assay learn says where folder and headers disagree, and how many messages it judged", async () => {
    const { assay } = await open();
    const folder = join(newFolder(), "Inbox");
    mkdirSync(folder);
    writeFileSync(join(folder, "a"), toMbox(makeMailbox(40, toMicrosoft)));
    const { exitCode, complaints } = await assay(folder);
    expect(exitCode).toBe(1);
    expect(complaints).toContain("In 20, folder and headers disagree. The folder counts.");
  });

  test("assay learn learns from what seed mailboxes showed", async () => {
    const { assay, predict, store, workspace } = await open();
    for (const { isSpam, text } of makeMailbox(44, () => "")) {
      const { id: testId } = await predict(text);
      const seen = { workspaceId: workspace, testId, folder: isSpam ? "spam" : "inbox" } as const;
      await store.write((db) => insertObservations(db, seen));
    }
    const { output } = await assay("--observed");
    expect(output).toMatch(/^Read 44 messages: 22 spam, 22 not spam, 0 without a label, 0 unreadable\.\n/);
    expect((await assay()).output).toMatch(/^Learned from 44 messages /);
  });

  test("assay learn takes folders of spam, and everything else as wanted", async () => {
    const { assay } = await open();
    const folder = newFolder();
    const made = makeMailbox(60, () => "");
    writeFileSync(join(folder, "a.mbox"), toMbox(made.filter(({ isSpam }) => isSpam)));
    writeFileSync(join(folder, "b.mbox"), toMbox(made.filter(({ isSpam }) => !isSpam)));
    const { output } = await assay(join(folder, "b.mbox"), "--spam", join(folder, "a.mbox"), "--dry-run");
    expect(output).toMatch(/^Read 60 messages: 30 spam, 30 not spam,/);
  });
});
