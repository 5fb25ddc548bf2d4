import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { alertSealing, openTarget } from "../../../../src/features/alerts/work/targets.ts";
import { insertReleasedAddress } from "../../../../src/features/intake/rows/released-addresses.ts";
import { findInvitation } from "../../../../src/features/people/rows/one-time-links.ts";
import { readFirstWorkspaceId } from "../../../../src/features/people/rows/workspaces.ts";
import { hashSecret } from "../../../../src/platform/contract/secrets.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { createIdentity } from "../../../../src/platform/system/age.ts";
import { createSealer } from "../../../../src/platform/system/secret-key.ts";
import { fewOf } from "../../../lanes.ts";
import { temporaryFolder } from "../../../platform/database/temporary.ts";
import { directions, newInstallation, readAll } from "./databases.ts";
import { assay, fillInstallation, type Settings, slackUrl, withInstallation } from "./filled-installation.ts";

async function exported(settings: Settings, workspaceId: string, ...options: string[]): Promise<string> {
  const file = join(temporaryFolder(), "shop.assay");
  const done = await assay(settings, "workspace", "export", workspaceId, file, ...options);
  expect(done).toMatchObject({ exitCode: 0, complaints: "" });
  return file;
}

/** The rows of one workspace, without what stays behind. */
async function rowsOf(settings: Settings, workspaceId: string) {
  const all = await readAll(settings);
  const isOwn = (text: string) => text.includes(workspaceId);
  const { users: _, memberships: __, invitations: ___, ...rest } = all;
  const own = Object.entries(rest).map(([table, rows]) => [table, rows.filter(isOwn)] as const);
  return Object.fromEntries(own.filter(([, rows]) => rows.length > 0));
}

async function alertUrl(settings: Settings, workspaceId: string): Promise<string | null> {
  return await withInstallation(settings, async ({ store, secretKey }) => {
    const row = await store.read
      .selectFrom("alerts")
      .selectAll()
      .where("workspace_id", "=", workspaceId)
      .executeTakeFirstOrThrow();
    if (row.url === "") return null;
    const opened = openTarget(createSealer(secretKey.derive(alertSealing), randomBytes), row);
    return opened?.url ?? null;
  });
}

describe.each(directions)("a workspace moved from %s to %s", (from, to) => {
  test("a moved workspace keeps its tests, totals, people, and secrets", async () => {
    const { identity, recipient } = await createIdentity();
    const identityFile = join(temporaryFolder(), "identity.txt");
    writeFileSync(identityFile, identity);
    const old = await newInstallation(from);
    const workspaceId = await fillInstallation({ ...old, ASSAY_MESSAGES: "directory" });
    const file = await exported({ ...old, ASSAY_MESSAGES: "directory" }, workspaceId, "--recipient", recipient);
    const fresh = await newInstallation(to);
    // With the same seed domain, the workspaces of the new server have other addresses.
    const imported = await assay(fresh, "workspace", "import", file, "--identity", identityFile);
    expect(imported).toMatchObject({ exitCode: 0, complaints: "" });
    expect(imported.output).toContain("with 6 tests.");
    expect(imported.output).toContain("assay user reset-password ann@example.com");
    const [before, after] = [await rowsOf(old, workspaceId), await rowsOf(fresh, workspaceId)];
    const { alerts: _, workspaces: __, ...kept } = after;
    const { alerts: ___, workspaces: ____, ...had } = before;
    expect(kept).toEqual(had);
    expect(await alertUrl(fresh, workspaceId)).toBe(slackUrl);
    const again = await assay(fresh, "workspace", "import", file, "--identity", identityFile);
    expect(again.complaints).toContain("already has the workspace");
  });
});

test("without encryption, the file contains no secrets and the alert is disabled", async () => {
  const old = await newInstallation("SQLite");
  const workspaceId = await fillInstallation(old);
  const file = await exported(old, workspaceId);
  expect(gunzipSync(readFileSync(file)).toString()).not.toContain(slackUrl);
  const fresh = await newInstallation("SQLite");
  expect((await assay(fresh, "workspace", "import", file)).output).toContain("It came without secrets");
  expect(await alertUrl(fresh, workspaceId)).toBeNull();
});

test("a second copy on the same server gets new IDs and another address, in the same order", async () => {
  const settings = await newInstallation("SQLite");
  const workspaceId = await fillInstallation(settings);
  const file = await exported(settings, workspaceId);
  const before = await rowsOf(settings, workspaceId);
  const done = await assay(settings, "workspace", "import", file, "--new-ids", "--json");
  expect(done).toMatchObject({ exitCode: 0, complaints: "" });
  const { workspaceId: copyId } = JSON.parse(done.output);
  expect(copyId).not.toBe(workspaceId);
  expect(await rowsOf(settings, workspaceId)).toEqual(before);
  const copy = await rowsOf(settings, copyId);
  const countsOf = (rows: Readonly<Record<string, readonly string[]>>) =>
    Object.fromEntries(Object.entries(rows).map(([table, own]) => [table, own.length]));
  expect(countsOf(copy)).toEqual(countsOf(before));
  const subjects = (id: string) =>
    withInstallation(settings, async ({ store }) => {
      const rows = await store.read
        .selectFrom("tests")
        .select("subject")
        .where("workspace_id", "=", id)
        .orderBy("id")
        .execute();
      return rows.map(({ subject }) => subject);
    });
  expect(await subjects(copyId)).toEqual(await subjects(workspaceId));
});

type Line = {
  header?: Record<string, unknown>;
  table?: string;
  row?: Record<string, unknown>;
  end?: Record<string, number>;
};

test("a forged file changes nothing", async () => {
  const old = await newInstallation("SQLite");
  const workspaceId = await fillInstallation(old);
  const file = await exported(old, workspaceId);
  const victim = await newInstallation("SQLite");
  await fillInstallation(victim);
  const { victimTest, victimWorkspace } = await withInstallation(victim, async ({ store }, id) => {
    const row = await store.read.selectFrom("tests").select("id").executeTakeFirstOrThrow();
    return { victimTest: row.id, victimWorkspace: id };
  });
  const before = await readAll(victim);
  const lines: Line[] = gunzipSync(readFileSync(file))
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const pack = (changed: readonly Line[]) => gzipSync(`${changed.map((line) => JSON.stringify(line)).join("\n")}\n`);
  const withRow = (table: string, change: Record<string, unknown>) =>
    lines.map((line) => (line.table === table ? { ...line, row: { ...line.row, ...change } } : line));
  const nonsense = { bytes: Buffer.from("nonsense").toString("base64") };
  const withPeople = (email: string) => {
    const person = { userId: "usr_1", email, name: "A", role: "owner" };
    return pack([{ header: { ...lines[0]?.header, people: [person] } }, ...lines.slice(1)]);
  };
  const withWorkspace = (change: Record<string, unknown>) => {
    const workspace = { ...(lines[0]?.header?.workspace as object), ...change };
    return pack([{ header: { ...lines[0]?.header, workspace } }, ...lines.slice(1)]);
  };
  const boundless = JSON.stringify({
    slope: 1e9,
    intercept: 0,
    spam: 20,
    wanted: 20,
    brierBefore: 1,
    brierAfter: 0,
    at: 0,
  });
  const attempts: readonly (readonly [string, Uint8Array, string])[] = [
    ["nothing", Buffer.alloc(0), "cannot be imported"],
    ["no gzip", Buffer.from("x".repeat(100)), "damaged or not a file"],
    ["cut", readFileSync(file).subarray(0, -200), "cannot be imported"],
    ["without its end", pack(lines.slice(0, -1)), "its end is missing"],
    ["more than its end says", pack([...lines.slice(0, -1), { end: {} }]), "fewer or more rows"],
    ["a table of the server", pack([lines[0] ?? {}, { table: "users", row: { id: "usr_1" } }]), 'rows of "users"'],
    ["a column that isn't there", pack(withRow("tests", { 'id") values (1); --': 1 })), "has no column"],
    ["a report for another's test", pack(withRow("reports", { test_id: victimTest })), "not in the file"],
    ["a value of no type", pack(withRow("tests", { subject: { a: 1 } })), "no type"],
    ["a zero in a text", pack(withRow("tests", { subject: "a\0b" })), "no type"],
    ["no workspace", pack([{ header: { ...lines[0]?.header, workspace: {} } }, ...lines.slice(1)]), "no ID or no name"],
    [
      "another schema",
      pack([{ header: { ...lines[0]?.header, schema: "9999" } }, ...lines.slice(1)]),
      "another version",
    ],
    ["a person without an address", withPeople("a\u001b[2J@x.example"), "people is not complete"],
    ["a date that cannot be written", pack(withRow("tests", { received_at: 9e15 })), "out of range"],
    ["a report of nonsense", pack(withRow("reports", { report: nonsense })), "reports cannot be read"],
    ["recipients of no JSON", pack(withRow("tests", { recipients: "Ann" })), "recipients in a row of tests"],
    ["recipients that are no list", pack(withRow("tests", { recipients: "{}" })), "recipients in a row of tests"],
    [
      "sums of nothing",
      pack(withRow("contributions", { contribution: "{}" })),
      "contribution in a row of contributions",
    ],
    ["an unknown event", pack(withRow("alerts", { events: '["boom"]' })), "events in a row of alerts"],
    ["an outgoing server of no JSON", withWorkspace({ outgoing: "7" }), "outgoing in a row of workspaces"],
    ["a line without bounds", withWorkspace({ learned: boundless }), "learned in a row of workspaces"],
    [
      "a message of nonsense",
      pack(withRow("raw_messages", { encoding: 1, bytes: nonsense })),
      "raw_messages cannot be opened",
    ],
    ["an operator's address", pack(withRow("seed_inboxes", { local_part: "postmaster" })), "is reserved"],
    ["a bent address", pack(withRow("seed_inboxes", { local_part: 'a"<b> c' })), "is not an email address"],
    ["a bomb", gzipSync(Buffer.alloc(60_000_000, 32)), "inflates to far more"],
  ];
  for (const [what, bytes, words] of fewOf(attempts)) {
    writeFileSync(file, bytes);
    const { exitCode, complaints } = await assay(victim, "workspace", "import", file);
    expect({ what, exitCode, says: complaints.includes(words), complaints }).toMatchObject({ what, says: true });
    expect(exitCode).not.toBe(0);
    expect(await readAll(victim)).toEqual(before);
  }
  // Whatever the file says, its rows go to its own workspace, and point to no file of this server.
  writeFileSync(
    file,
    pack(
      withRow("tests", { workspace_id: victimWorkspace }).map((line) =>
        line.table === "raw_messages"
          ? { ...line, row: { ...line.row, stored_in: "directory", object_key: "../../secret.key" } }
          : line,
      ),
    ),
  );
  const done = await assay(victim, "workspace", "import", file);
  // Its seed address may be taken here, which is refused too.
  if (done.exitCode === 0) {
    const after = await rowsOf(victim, victimWorkspace);
    expect(after).toEqual(Object.fromEntries(Object.entries(after).map(([table]) => [table, before[table]])));
    expect((await readAll(victim)).raw_messages?.join()).not.toContain("secret.key");
  }
});

test("a file from before the first release can be imported", async () => {
  const old = await newInstallation("SQLite");
  const workspaceId = await fillInstallation(old);
  const file = await exported(old, workspaceId);
  const [first = "", ...rest] = gunzipSync(readFileSync(file)).toString().split("\n");
  const { header } = JSON.parse(first);
  const unreleased = JSON.stringify({ header: { ...header, schema: "0028-outgoing-server" } });
  writeFileSync(file, gzipSync([unreleased, ...rest].join("\n")));
  const fresh = await newInstallation("SQLite");
  const { exitCode, output } = await assay(fresh, "workspace", "import", file);
  expect([exitCode, output]).toEqual([0, expect.stringContaining("with 6 tests.")]);
});

test("an imported workspace never becomes the server's first workspace, even if it is older", async () => {
  const old = await newInstallation("SQLite");
  const workspaceId = await fillInstallation(old);
  const file = await exported(old, workspaceId);
  const fresh = await newInstallation("SQLite");
  await assay(fresh, "workspace", "list");
  const ownOf = () => withInstallation(fresh, ({ store }) => readFirstWorkspaceId(store.read));
  const before = await ownOf();
  expect(await assay(fresh, "workspace", "import", file)).toMatchObject({ exitCode: 0, complaints: "" });
  expect(await ownOf()).toBe(before);
  expect(await ownOf()).not.toBe(workspaceId);
});

test("an address reserved for another workspace is not imported", async () => {
  const old = await newInstallation("SQLite");
  const workspaceId = await fillInstallation(old);
  const file = await exported(old, workspaceId);
  const { domain, local_part } = await withInstallation(old, ({ store }) =>
    store.read
      .selectFrom("seed_inboxes")
      .select(["domain", "local_part"])
      .where("workspace_id", "=", workspaceId)
      .executeTakeFirstOrThrow(),
  );
  const fresh = await newInstallation("SQLite");
  await assay(fresh, "workspace", "list");
  await withInstallation(fresh, ({ store }, own) =>
    store.write((db) => insertReleasedAddress(inWorkspace(db, own), { domain, local_part, released_at: Date.now() })),
  );
  const { complaints } = await assay(fresh, "workspace", "import", file);
  expect(complaints).toContain("belonged to another workspace of this server");
});

test("people who have an account on the new server are invited and must accept", async () => {
  const old = await newInstallation("SQLite");
  const workspaceId = await fillInstallation(old);
  const file = await exported(old, workspaceId);
  const fresh = { ...(await newInstallation("SQLite")), ASSAY_BASE_URL: "https://assay.example" };
  await fillInstallation(fresh, 1);
  const { output } = await assay(fresh, "workspace", "import", file, "--new-ids", "--json");
  const { workspaceId: copyId, invited, newPeople } = JSON.parse(output);
  expect(newPeople).toEqual([]);
  expect(invited).toEqual([{ email: "ann@example.com", role: "owner", link: expect.any(String) }]);
  expect(invited[0].link).toMatch(/^https:\/\/assay\.example\/invite#/);
  await withInstallation(fresh, async ({ store }) => {
    const members = store.read.selectFrom("memberships").select("user_id").where("workspace_id", "=", copyId);
    expect(await members.execute()).toEqual([]);
    const hash = hashSecret(invited[0].link.split("#")[1]);
    const invitation = await findInvitation(store.read, hash, Date.now());
    expect(invitation).toMatchObject({ workspace_id: copyId, email: "ann@example.com", role: "owner" });
  });
});

test("names from a file are printed safely for a terminal and a shell", async () => {
  const old = await newInstallation("SQLite");
  const file = await exported(old, await fillInstallation(old));
  const [first = "", ...rest] = gunzipSync(readFileSync(file)).toString().split("\n");
  const { header } = JSON.parse(first);
  header.workspace.name = "\u001b[2JShop";
  header.people = [{ userId: "usr_1", email: "`reboot`@example.com", name: "A", role: "owner" }];
  writeFileSync(file, gzipSync([JSON.stringify({ header }), ...rest].join("\n")));
  const { output } = await assay(await newInstallation("SQLite"), "workspace", "import", file);
  expect(output).toContain("Imported \\u001b[2JShop");
  expect(output).toContain("assay user reset-password '`reboot`@example.com'");
});
