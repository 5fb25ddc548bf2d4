import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { run } from "../../../../src/commands.ts";
import { isEmergencyAccount } from "../../../../src/features/people/rows/users.ts";
import { type Accounts, createAccounts } from "../../../../src/features/people/work/accounts.ts";
import { createPasswordHasher } from "../../../../src/features/people/work/password-hasher.ts";
import { openStore } from "../../../../src/platform/database/open.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { createListLog } from "../../../http/list-log.ts";
import { goodPassword } from "../../../http/people.ts";
import { testTerminal } from "../../../platform/cli/terminal.ts";
import { storeSystem } from "../../../platform/database/store-system.ts";

const browser = { address: "192.0.2.7", agent: "a browser" };
const linkAt = /^http:\/\/127\.0\.0\.1:8080\/(setup|reset)#([\w-]{43})$/m;

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "assay-cli-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
});

async function assay(...argv: string[]) {
  const terminal = testTerminal({ ASSAY_DATA_DIR: dataDir });
  const exitCode = await run(argv, terminal);
  return { exitCode, output: terminal.output(), complaints: terminal.complaints() };
}

/** Beside the commands, as the running server has it. */
async function withServer<T>(work: (accounts: Accounts, store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ databaseFile: join(dataDir, "assay.db") }, storeSystem());
  const hasher = createPasswordHasher(randomBytes, { memoryKib: 64, passes: 1, lanes: 1 });
  const system = { now: () => Date.now(), random: randomBytes, log: createListLog([]) };
  const accounts = createAccounts({
    notePasswordChange: () => {},
    store,
    system,
    hasher,
    pause: async () => {},
    browserKey: randomBytes(32),
    config: { login: "both" },
  });
  return work(accounts, store).finally(store.close);
}

const secretIn = (output: string) => linkAt.exec(output)?.[2] ?? "";
const ann = { name: "Ann", email: "ann@people.example", password: goodPassword };

test("setup-link prints a new link that replaces the last one, until there is an owner", async () => {
  const first = secretIn((await assay("setup-link")).output);
  const { link, expiresAt } = JSON.parse((await assay("setup-link", "--json")).output);
  expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
  await withServer(async ({ setUp }) => {
    await expect(setUp({ ...ann, token: first }, browser)).rejects.toMatchObject({ code: "invalid_link" });
    await setUp({ ...ann, token: secretIn(link) }, browser);
  });
  const { exitCode, output, complaints } = await assay("setup-link");
  expect(exitCode).toBe(1);
  expect(output).toBe("");
  expect(complaints).toContain("npm run -s assay -- user reset-password");
});

test("user list shows all users and their workspaces", async () => {
  expect((await assay("user", "list", "--json")).output).toBe("[]\n");
  const token = secretIn((await assay("setup-link")).output);
  await withServer(({ setUp }) => setUp({ ...ann, token }, browser));
  expect(JSON.parse((await assay("user", "list", "--json")).output)).toEqual([
    {
      id: expect.stringMatching(/^usr_/),
      emergency: false,
      name: "Ann",
      email: "ann@people.example",
      createdAt: expect.stringMatching(/Z$/),
      workspaces: [{ id: expect.stringMatching(/^wsp_/), name: "Default", role: "owner" }],
    },
  ]);
  expect((await assay("user", "list")).output).toMatch(/usr_\w+ +ann@people\.example +Ann +Default \(owner\)/);
});

test("user reset-password prints a link, and blocks the account until it is used", async () => {
  const token = secretIn((await assay("setup-link")).output);
  await withServer(({ setUp }) => setUp({ ...ann, token }, browser));
  const { output } = await assay("user", "reset-password", " Ann@People.example", "--json");
  const reset = JSON.parse(output);
  expect(reset.email).toBe("ann@people.example");
  await withServer(async ({ logIn, resetPassword }, store) => {
    await expect(logIn(ann, browser)).rejects.toMatchObject({ code: "invalid_credentials" });
    expect(await store.read.selectFrom("sessions").selectAll().execute()).toEqual([]);
    const password = "granite velvet otter";
    await resetPassword({ token: secretIn(reset.link), password }, browser);
    await logIn({ ...ann, password }, browser);
  });
});

test.each([
  ["bob@people.example", 1, "No user has the email address bob@people.example. To list all users: assay user list.\n"],
  ["bob", 2, "This is not an email address. It should look like ann@example.com.\n"],
])("user reset-password %s fails with one sentence", async (email, exitCode, complaints) => {
  expect(await assay("user", "reset-password", email)).toEqual({ exitCode, output: "", complaints });
});

test("user emergency creates an owner with a password link, and removes it again", async () => {
  const { output, exitCode } = await assay("user", "emergency", "root@example.com");
  expect(exitCode).toBe(0);
  expect(output).toContain("Each login with this password is logged as a warning.");
  await withServer(async ({ resetPassword }, { read }) => {
    const session = await resetPassword({ token: secretIn(output), password: goodPassword }, browser);
    expect(await isEmergencyAccount(read, session.userId)).toBe(true);
  });
  const users = JSON.parse((await assay("user", "list", "--json")).output);
  expect(users).toMatchObject([{ email: "root@example.com", emergency: true, workspaces: [{ role: "owner" }] }]);
  expect(JSON.parse((await assay("user", "emergency", "root@example.com", "--json")).output)).toEqual({
    email: "root@example.com",
    emergency: true,
    link: null,
    expiresAt: null,
  });
  expect((await assay("user", "emergency", "root@example.com", "--remove")).exitCode).toBe(0);
  expect((await assay("user", "emergency", "root@example.com", "--remove")).complaints).toBe(
    "root@example.com is not an emergency account.\n",
  );
});
