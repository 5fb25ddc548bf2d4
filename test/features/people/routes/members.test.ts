import { describe, expect, test } from "vitest";
import { findInvitation } from "../../../../src/features/people/rows/one-time-links.ts";
import { parsePlans, selfHostedPlans } from "../../../../src/features/people/rules/plans.ts";
import { inviteMember } from "../../../../src/features/people/work/members.ts";
import { hashSecret } from "../../../../src/platform/contract/secrets.ts";
import { storeOf } from "../../../../src/platform/database/scope.ts";
import { addMember } from "../../../http/add-member.ts";
import { type HttpWorldOptions, startHttpWorld } from "../../../http/http-world.ts";

async function worldOfAnn(options: HttpWorldOptions = {}) {
  const world = await startHttpWorld(options);
  const { id: workspace } = await world.createWorkspace("Ours");
  const ann = await addMember(world, workspace, { email: "ann@example.com", role: "owner" });
  const asAnn = { cookie: ann.cookie, workspace };
  const invite = (email: unknown, role: unknown = "member") =>
    world.ask("POST", "/api/members", { ...asAnn, body: { email, role } });
  const join = (email: string, role: "owner" | "member") => addMember(world, workspace, { email, role });
  const list = async () => (await world.ask("GET", "/api/members", asAnn)).json;
  return { ...world, workspace, ann, asAnn, invite, join, list };
}

test("GET /api/members lists members and invitations", async () => {
  const { ann, invite, list } = await worldOfAnn();
  const { json } = await invite("Bob@EXAMPLE.com", "owner");
  expect(await list()).toEqual({
    items: [
      { id: ann.userId, name: "ann", email: "ann@example.com", role: "owner", joinedAt: "2026-11-21T06:00:00.000Z" },
    ],
    invitations: [
      {
        id: json.id,
        email: "bob@example.com",
        role: "owner",
        createdBy: ann.userId,
        createdAt: "2026-11-21T06:00:00.000Z",
        expiresAt: "2026-11-28T06:00:00.000Z",
        mail: null,
      },
    ],
  });
});

describe("POST /api/members", () => {
  test("POST /api/members returns a link that is shown only once and stored as a hash", async () => {
    const { invite, list, store, base, clock } = await worldOfAnn();
    const { status, json } = await invite("bob@example.com");
    expect(status).toBe(201);
    const [before, secret = ""] = json.link.split("#");
    expect(before).toBe(`${base}/invite`);
    expect(JSON.stringify(await list())).not.toContain(secret);
    const found = await findInvitation(store.read, hashSecret(secret), clock.nowMs);
    expect(found).toMatchObject({ id: json.id, email: "bob@example.com", role: "member" });
  });

  test("POST /api/members returns a new link for the same address and ends the old one", async () => {
    const { invite, list, store, clock } = await worldOfAnn();
    const first = (await invite("bob@example.com")).json;
    const second = (await invite("BOB@example.com", "owner")).json;
    expect((await list()).invitations).toMatchObject([{ id: second.id, role: "owner" }]);
    const old = hashSecret(first.link.split("#")[1]);
    expect(await findInvitation(store.read, old, clock.nowMs)).toBeUndefined();
  });

  test("POST /api/members is rejected if the caller was demoted during the call", async () => {
    const { store, system, workspace, join, list } = await worldOfAnn();
    const bob = await join("bob@example.com", "member");
    const wanted = { email: "cid@example.com", role: "owner", createdBy: bob.userId, createdWith: null } as const;
    const terms = { plans: selfHostedPlans, baseUrl: "https://assay.example", mail: null };
    await expect(inviteMember(storeOf(store, workspace), system, { ...wanted, ...terms })).rejects.toThrow(
      "Only an owner of the workspace can do this.",
    );
    expect((await list()).invitations).toEqual([]);
  });

  test("POST /api/members returns a conflict for a member", async () => {
    const { invite } = await worldOfAnn();
    const { status, json } = await invite("Ann@example.com");
    expect(status).toBe(409);
    expect(json).toMatchObject({ error: "conflict", field: "email" });
  });

  test.each([[undefined], [""], ["bob"], ["bob@"], ["bob@example.com\r\nBcc: eve@example.com"], [7]])(
    "POST /api/members returns invalid_email for %j",
    async (email) => {
      const { invite } = await worldOfAnn();
      const { status, json } = await invite(email);
      expect(status).toBe(400);
      expect(json).toMatchObject({ error: "invalid_email", field: "email" });
    },
  );

  test("POST /api/members rejects an unknown role", async () => {
    const { invite } = await worldOfAnn();
    expect((await invite("bob@example.com", "admin")).json).toMatchObject({ field: "role" });
  });

  test("POST /api/members deletes invitations that were not accepted within a week", async () => {
    const { invite, list, clock } = await worldOfAnn();
    await invite("bob@example.com");
    clock.nowMs += 7 * 86_400_000;
    expect((await list()).invitations).toEqual([]);
  });

  test("POST /api/members respects the plan's limit, counting invitations", async () => {
    const reading = parsePlans(JSON.stringify({ plans: { duo: { label: "Duo", members: 2 } }, default: "duo" }));
    if (!reading.ok) throw new Error("The plans are wrong.");
    const { invite, list, clock } = await worldOfAnn({ plans: reading.plans });
    expect((await invite("bob@example.com")).status).toBe(201);
    expect((await invite("bob@example.com")).status).toBe(201);
    const { status, json } = await invite("cid@example.com");
    expect(status).toBe(402);
    expect(json).toMatchObject({ error: "plan_limit", message: expect.stringContaining("members") });
    expect((await list()).invitations).toHaveLength(1);
    clock.nowMs += 7 * 86_400_000;
    expect((await invite("cid@example.com")).status).toBe(201);
  });
});

test("a logged-in user can invite and leave as with an API token", async () => {
  const { ask, workspace, ann, addPerson, list } = await worldOfAnn();
  const { id, cookie } = await addPerson(workspace, "owner", "Bob");
  const body = { email: "cid@example.com", role: "member" };
  const { json } = await ask("POST", "/api/members", { cookie, workspace, body });
  expect(json.createdBy).toBe(id);
  expect((await ask("DELETE", `/api/members/${id}`, { cookie, workspace })).status).toBe(204);
  expect((await list()).items).toMatchObject([{ id: ann.userId }]);
  expect((await ask("GET", "/api/members", { cookie, workspace })).status).toBe(403);
});

describe("PATCH /api/members/:id", () => {
  test("PATCH /api/members/:id makes a member an owner, and an owner a member", async () => {
    const { ask, asAnn, ann, join } = await worldOfAnn();
    const bob = await join("bob@example.com", "member");
    const { json } = await ask("PATCH", `/api/members/${bob.userId}`, { ...asAnn, body: { role: "owner" } });
    expect(json).toMatchObject({ id: bob.userId, email: "bob@example.com", role: "owner" });
    const { json: demoted } = await ask("PATCH", `/api/members/${ann.userId}`, { ...asAnn, body: { role: "member" } });
    expect(demoted).toMatchObject({ role: "member" });
  });

  test("PATCH /api/members/:id keeps the last owner an owner", async () => {
    const { ask, asAnn, ann, list, join } = await worldOfAnn();
    await join("bob@example.com", "member");
    const before = await list();
    const asked = { ...asAnn, body: { role: "member" } };
    const { status, json } = await ask("PATCH", `/api/members/${ann.userId}`, asked);
    expect(status).toBe(409);
    expect(json.message).toBe("This is the workspace's last owner. Make another member an owner first.");
    expect(await list()).toEqual(before);
  });

  test("PATCH /api/members/:id ends the invitations that an owner sent when they become a member", async () => {
    const { ask, asAnn, workspace, join, invite, list } = await worldOfAnn();
    const bob = await join("bob@example.com", "owner");
    const body = { email: "bobs-other-address@example.com", role: "owner" };
    const { json } = await ask("POST", "/api/members", { cookie: bob.cookie, workspace, body });
    const { json: kept } = await invite("cid@example.com");
    await ask("PATCH", `/api/members/${bob.userId}`, { ...asAnn, body: { role: "member" } });
    expect((await list()).invitations).toMatchObject([{ id: kept.id }]);
    const token = json.link.split("#")[1];
    const accepted = await ask("POST", "/api/auth/invite/accept", {
      body: { token, name: "Bob", password: "lamp quarrel tundra" },
    });
    expect(accepted.json.error).toBe("invalid_link");
  });

  test("PATCH /api/members/:id requires an owner", async () => {
    const { ask, workspace, ann, join } = await worldOfAnn();
    const bob = await join("bob@example.com", "member");
    const asked = { cookie: bob.cookie, workspace, body: { role: "owner" } };
    for (const id of [bob.userId, ann.userId])
      expect((await ask("PATCH", `/api/members/${id}`, asked)).status).toBe(403);
  });
});

describe("DELETE /api/members/:id", () => {
  test("DELETE /api/members/:id by an owner removes a member and revokes their tokens", async () => {
    const { ask, asAnn, workspace, join, list } = await worldOfAnn();
    const bob = await join("bob@example.com", "member");
    const asBob = { cookie: bob.cookie, workspace };
    expect((await ask("GET", "/api/tests", asBob)).status).toBe(200);
    expect((await ask("DELETE", `/api/members/${bob.userId}`, asAnn)).status).toBe(204);
    expect((await ask("GET", "/api/tests", asBob)).status).toBe(403);
    expect((await list()).items).toHaveLength(1);
    expect((await ask("GET", "/api/tokens", asAnn)).json.items).toHaveLength(1);
  });

  test("DELETE /api/members/:id ends the links that the removed member sent", async () => {
    const { ask, asAnn, workspace, join, list } = await worldOfAnn();
    const bob = await join("bob@example.com", "owner");
    const body = { email: "cid@example.com", role: "owner" };
    await ask("POST", "/api/members", { cookie: bob.cookie, workspace, body });
    await ask("DELETE", `/api/members/${bob.userId}`, asAnn);
    expect((await list()).invitations).toEqual([]);
  });

  test("DELETE /api/members/:id by a member lets them leave, without affecting others", async () => {
    const { ask, workspace, ann, invite, join, list } = await worldOfAnn();
    const { id: invitation } = (await invite("cid@example.com")).json;
    const bob = await join("bob@example.com", "member");
    const asBob = { cookie: bob.cookie, workspace };
    for (const id of [ann.userId, invitation])
      expect((await ask("DELETE", `/api/members/${id}`, asBob)).json.error).toBe("forbidden");
    expect((await ask("DELETE", `/api/members/${bob.userId}`, asBob)).status).toBe(204);
    expect(await list()).toMatchObject({ items: [{ id: ann.userId }], invitations: [{ id: invitation }] });
  });

  test("DELETE /api/members/:id revokes an invitation and its link", async () => {
    const { ask, asAnn, invite, list, store, clock } = await worldOfAnn();
    const { id, link } = (await invite("bob@example.com")).json;
    expect((await ask("DELETE", `/api/members/${id}`, asAnn)).status).toBe(204);
    expect((await list()).invitations).toEqual([]);
    const hash = hashSecret(link.split("#")[1]);
    expect(await findInvitation(store.read, hash, clock.nowMs)).toBeUndefined();
    expect((await ask("DELETE", `/api/members/${id}`, asAnn)).status).toBe(404);
  });

  test("DELETE /api/members/:id does not find an invitation of another workspace", async () => {
    const { ask, asAnn, createWorkspace, ...world } = await worldOfAnn();
    const { id: workspace } = await createWorkspace("Theirs");
    const eve = await addMember(world, workspace, { email: "eve@example.com", role: "owner" });
    const body = { email: "bob@example.com", role: "member" };
    const { json } = await ask("POST", "/api/members", { cookie: eve.cookie, workspace, body });
    expect((await ask("DELETE", `/api/members/${json.id}`, asAnn)).status).toBe(404);
    const { invitations } = (await ask("GET", "/api/members", { cookie: eve.cookie, workspace })).json;
    expect(invitations).toHaveLength(1);
  });

  test("DELETE /api/members/:id keeps the last owner", async () => {
    const { ask, asAnn, ann, join } = await worldOfAnn();
    await join("bob@example.com", "member");
    const { status, json } = await ask("DELETE", `/api/members/${ann.userId}`, asAnn);
    expect(status).toBe(409);
    expect(json.error).toBe("conflict");
  });

  test("DELETE /api/members/:id keeps one of two owners who leave at the same moment", async () => {
    const { ask, workspace, asAnn, ann, join } = await worldOfAnn();
    const bob = await join("bob@example.com", "owner");
    const answers = await Promise.all([
      ask("DELETE", `/api/members/${ann.userId}`, asAnn),
      ask("DELETE", `/api/members/${bob.userId}`, { cookie: bob.cookie, workspace }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
  });
});
