// What the email about a changed password says about other logins of the account. Someone who opened an invitation
// meant for another person may have added one.

import { expect, test } from "vitest";
import { insertFactor } from "../../src/features/people/rows/second-factors.ts";
import { insertIdentity } from "../../src/features/people/rows/users.ts";
import { another, site, textOf, worldWithRelay } from "./account-mail-world.ts";
import { toIssuer } from "./oidc-world.ts";
import { cookieOf, goodPassword } from "./people.ts";

type World = Awaited<ReturnType<typeof worldWithRelay>>;

const dayMs = 86_400_000;

async function start(label = "Example Inc.") {
  const settings = { ASSAY_BASE_URL: site, ASSAY_LOGIN: "both", ASSAY_OIDC: "issuers.json" };
  return await worldWithRelay(settings, { issuers: { company: toIssuer("https://sso.example/", { label }) } });
}

async function addIdentity({ store, clock, userId }: World, number: number, more: object = {}) {
  const times = { created_at: clock.nowMs, last_login_at: clock.nowMs };
  const person = { issuer: "https://sso.example", subject: `subject-${number}`, email: "mallory@evil.example" };
  const id = `idn_${String(number).padStart(2, "0")}`;
  await store.write((db) => insertIdentity(db, { id, user_id: userId, ...person, ...times, ...more }));
}

async function addFactor(
  { store, clock, userId }: World,
  id: string,
  kind: "totp" | "passkey",
  isConfirmed = true,
): Promise<void> {
  const unused = { last_used_at: null, secret: null, last_step: null, passkey: null, credential_id: null };
  const times = { created_at: clock.nowMs, confirmed_at: isConfirmed ? clock.nowMs : null };
  await store.write((db) => insertFactor(db, { id, user_id: userId, kind, name: "Key", ...unused, ...times }));
}

/** The email after a reset. */
async function resetAndRead(world: World): Promise<string> {
  const token = await world.forgetAndRead();
  const before = world.sent.length;
  // A second factor is still needed. The password is new either way.
  expect([200, 403]).toContain((await world.reset(token)).status);
  await expect.poll(() => world.sent.length).toBe(before + 1);
  const text = textOf(world.sent.at(-1));
  expect(text).toContain("Your password was changed");
  return text;
}

test("the password change email lists each other login, and counts second factors and API tokens", async () => {
  const world = await start();
  await addIdentity(world, 1);
  await addIdentity(world, 2, { issuer: "https://gone.example", email: null });
  await addFactor(world, "fac_1", "passkey");
  await addFactor(world, "fac_2", "passkey");
  await addFactor(world, "fac_3", "totp");
  await addFactor(world, "fac_4", "totp", false);
  await world.issueToken(world.workspace, null, world.userId);
  await world.issueToken(world.workspace, world.clock.nowMs + dayMs, world.userId);
  await world.issueToken(world.workspace, world.clock.nowMs + 1, world.userId);
  world.clock.nowMs += 1;
  const text = await resetAndRead(world);
  expect(text).toContain(
    "These logins also open the account: “https[:]//gone[.]example”, “Example Inc.” as mallory[@]evil[.]example.",
  );
  expect(text).toContain("2 API tokens of the account still work.");
  expect(text).toContain(
    "Logging in with the password also takes a second factor: 2 passkeys or 1 authenticator app. If none of them is yours, ask your administrator to remove them.",
  );
  expect(text).toContain("Remove what you don’t recognize under Settings → Account and Settings → API tokens.");
  expect(text).not.toMatch(/subject-1|client-secret/);
});

test("the password change email does not mention other logins if there are none", async () => {
  const text = await resetAndRead(await start());
  expect(text).not.toMatch(/also open|second factor|API token|Settings/);
});

test("the email about a changed password lists other logins too", async () => {
  const world = await start();
  await addIdentity(world, 1);
  const { cookie } = cookieOf((await world.logIn(goodPassword)).headers);
  await world.ask("POST", "/api/auth/password", { cookie, body: { current: goodPassword, next: another } });
  await expect.poll(() => world.sent.length).toBe(1);
  expect(textOf(world.sent[0])).toContain("This login also opens the account: “Example Inc.”");
});

test("names in the email are short, on one line, and without links", async () => {
  const world = await start("https://evil.example/x");
  for (let number = 1; number <= 14; number++)
    await addIdentity(world, number, { email: `a\nb<b>${"x".repeat(500)}@evil.example` });
  const text = await resetAndRead(world);
  expect(text).toContain(", and 4 more.");
  expect(text).toContain("“https[:]//evil[.]example/x” as a b<b>xxx");
  expect(text).toContain("“https[:]//evil[.]example/x” as a b&lt;b&gt;xxx");
  expect(text).not.toMatch(/x{100}|evil\.example/);
});
