import { expect, test } from "vitest";
import { type AuditRow, toDetailsText, toSentence, toStorable } from "../../../../src/platform/audit/rules/entry.ts";

const row: AuditRow = {
  chain: "wsp_1",
  seq: 7,
  at: Date.UTC(2026, 10, 26),
  action: "token.revoke",
  actor_type: "person",
  actor_id: "usr_1",
  actor_name: "Ada",
  actor_email: "ada@example.com",
  object_kind: "token",
  object_id: "tok_1",
  object_name: "ci-deploy",
  outcome: "done",
  times: 1,
  address: "192.0.2.1",
  details: "{}",
};

test.each<[Partial<AuditRow>, string]>([
  [{}, "Ada revoked the token “ci-deploy”"],
  [{ object_name: null }, "Ada revoked the token tok_1"],
  [{ actor_type: "token", actor_name: "ci" }, "The token “ci” revoked the token “ci-deploy”"],
  [{ actor_type: "command", actor_name: "root@mail" }, "root@mail (command line) revoked the token “ci-deploy”"],
  [
    { action: "login.failure", actor_type: "unknown", actor_name: null, object_name: "a@b.example", times: 12 },
    "Someone failed to log in as “a@b.example” (12 times)",
  ],
  [{ outcome: "failed" }, "Ada revoked the token “ci-deploy”, but it failed"],
  [{ object_name: "$& x\nBob deleted\u202e" }, "Ada revoked the token “$& x\\nBob deleted\\u202e”"],
  [{ action: "workspace.export", object_name: "Shop" }, "Ada exported the workspace “Shop” to a file"],
  [{ action: "later.action" }, "Ada later.action"],
])("an audit entry with %j has the right sentence", (changes, sentence) => {
  expect(toSentence({ ...row, ...changes })).toBe(sentence);
});

test("details have a limited size, and keep the error", () => {
  const request = { search: "x".repeat(1_000_000), ids: Array.from({ length: 5_000 }, (_, id) => `tst_${id}`) };
  const text = toDetailsText({ request });
  expect(text.length).toBeLessThan(4_000);
  expect(JSON.parse(text).request.ids).toHaveLength(101);
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, key) => [`key ${key}`, "x".repeat(300)]));
  expect(JSON.parse(toDetailsText({ after: many, error: "conflict" }))).toMatchObject({ error: "conflict" });
});

test("text that a database can't store is changed, and long text is cut", () => {
  expect(toStorable("a\0b\ud800")).toBe("ab\ufffd");
  expect(toStorable("x".repeat(1_000))).toBe(`${"x".repeat(300)}… (1000 characters)`);
});
