import { describe, expect, test } from "vitest";
import type { IntegrationStatus } from "../../../../src/features/events/contract.ts";
import type { Episode } from "../../../../src/features/server/readiness/deferrals.ts";
import type { TroubleCode } from "../../../../src/platform/contract/server-state-words.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { Refusal } from "../../../../src/platform/errors.ts";
import { startHttpWorld } from "../../../http/http-world.ts";
import { insertIntegration } from "../../../platform/database/nouns.ts";

test("GET /healthz answers anyone, and HEAD returns only its headers", async () => {
  const { ask } = await startHttpWorld();
  const { json, headers } = await ask("GET", "/healthz");
  expect(json).toEqual({ status: "ok" });
  expect(headers.get("x-assay-version")).toBeNull();
  expect((await ask("HEAD", "/healthz")).status).toBe(200);
});

describe("GET /readyz", () => {
  const database = {
    code: "database_unavailable",
    trouble: "the database cannot be written",
    holds: () => true,
  } as const;

  test("GET /readyz is ready when every check passes", async () => {
    const { ask } = await startHttpWorld({ readiness: [database] });
    expect((await ask("GET", "/readyz")).json).toEqual({ status: "ready" });
  });

  test("GET /readyz names the failed checks, including one that throws", async () => {
    const smtp = {
      code: "smtp_not_listening",
      trouble: "SMTP is not listened for",
      isForMail: true,
      holds: () => Promise.reject(new Error("no")),
    } as const;
    const { ask } = await startHttpWorld({ readiness: [database, smtp] });
    const { status, json, headers } = await ask("GET", "/readyz");
    expect(status).toBe(503);
    expect(json).toEqual({
      error: "overloaded",
      message: "Not ready: SMTP is not listened for.",
      reasons: [{ code: "smtp_not_listening", message: "SMTP is not listened for" }],
    });
    expect(headers.get("retry-after")).toBe("5");
    expect((await ask("GET", "/readyz?for=web")).status).toBe(200);
  });

  test("GET /readyz does not wait for a check that hangs", async () => {
    const { ask } = await startHttpWorld({
      readiness: [{ code: "database_unavailable", trouble: "it hangs", holds: () => new Promise<boolean>(() => {}) }],
    });
    expect((await ask("GET", "/readyz")).status).toBe(503);
  });
});

const at = Date.parse("2026-11-21T06:00:00.000Z");
const episodeOf = (code: TroubleCode, workspaceId: string | null = null): Episode => ({
  code,
  workspaceId,
  since: at,
  deferred: 3,
});

describe("a server that defers mail", () => {
  test("a server that defers mail is not ready, with the reason, while its web app is", async () => {
    const look = async () => [episodeOf("disk_low")];
    const { ask } = await startHttpWorld({ service: { look } });
    const { status, json } = await ask("GET", "/readyz");
    expect(status).toBe(503);
    expect(json).toMatchObject({
      message: "Not ready: free disk space is below ASSAY_MIN_FREE_BYTES.",
      reasons: [{ code: "disk_low" }],
    });
    expect((await ask("GET", "/readyz?for=web")).status).toBe(200);
  });

  test("a server that defers mail stays ready if only its connections are used up, because another process would get them too", async () => {
    const look = async () => [episodeOf("connections_full")];
    const { ask } = await startHttpWorld({ service: { look, postponed: () => ["exports"] } });
    expect((await ask("GET", "/readyz")).json).toEqual({
      status: "ready",
      reasons: [{ code: "connections_full", message: "all SMTP connections are in use" }],
      postponed: ["exports"],
    });
  });

  test("a server that defers mail is not ready after every client was refused for a minute", async () => {
    const look = async () => [episodeOf("connections_full"), episodeOf("connections_refused")];
    const { ask } = await startHttpWorld({ service: { look } });
    const { status, json } = await ask("GET", "/readyz");
    expect(status).toBe(503);
    expect(json.message).toBe("Not ready: every new SMTP connection was refused for a minute.");
    expect((await ask("GET", "/readyz?for=web")).status).toBe(200);
  });

  test("a server that defers mail shows each workspace its own problems, and no other's", async () => {
    const episodes: Episode[] = [];
    const look = async () => episodes;
    const { ask, createWorkspace, issueToken } = await startHttpWorld({ service: { look } });
    const ours = await createWorkspace("Ours");
    const theirs = await createWorkspace("Theirs");
    episodes.push(episodeOf("disk_full"), episodeOf("workspace_backlog_full", theirs.id));
    const codesOf = async ({ id }: { id: string }) => {
      const { token } = await issueToken(id);
      const { json } = await ask("GET", "/api/server-state", { token, workspace: id });
      return json.items.map(({ code }: { code: string }) => code);
    };
    expect(await codesOf(ours)).toEqual(["disk_full"]);
    expect(await codesOf(theirs)).toEqual(["disk_full", "workspace_backlog_full"]);
    expect((await ask("GET", "/readyz")).text).not.toContain("workspace");
  });

  test("a server that defers mail rejects exports first when it is overloaded", async () => {
    const world = await startHttpWorld({ service: { isPostponed: (work) => work === "exports" } });
    const { id: workspace } = await world.createWorkspace("Ours");
    const { token } = await world.issueToken(workspace);
    const { status, json } = await world.ask("GET", "/api/tests/export.csv", { token, workspace });
    expect(status).toBe(503);
    expect(json.message).toMatch(/^Exports are paused/);
  });
});

describe("GET /metrics", () => {
  const metricsToken = "m".repeat(32);
  const stranger = { "x-forwarded-for": "203.0.113.9" };

  test("GET /metrics answers on loopback and counts by the route's template", async () => {
    const { ask } = await startHttpWorld();
    await ask("DELETE", "/api/tokens/tok_secret-name");
    await ask("GET", "/some-path-nobody-made");
    const { text } = await ask("GET", "/metrics");
    expect(text).toContain('assay_http_requests_total{method="DELETE",route="/api/tokens/:id",status="401"} 1');
    expect(text).toContain('assay_http_requests_total{method="GET",route="(none)",status="404"} 1');
    expect(text).not.toContain("tok_secret-name");
    expect(text).not.toContain("some-path");
    expect(text).toContain("process_cpu_user_seconds_total");
  });

  test("GET /metrics counts messages by their kind", async () => {
    const { ask, metrics } = await startHttpWorld();
    for (const became of ["test", "bounce", "test"] as const) metrics.noteMessage(became);
    const { text } = await ask("GET", "/metrics");
    expect(text).toContain('assay_messages_total{kind="test"} 2');
    expect(text).toContain('assay_messages_total{kind="bounce"} 1');
  });

  test("GET /metrics counts seed mailboxes by status", async () => {
    const { ask, store, createWorkspace } = await startHttpWorld();
    const { id } = await createWorkspace("Ours");
    for (const [key, status] of ["connected", "connected", "reconnect"].entries())
      await insertIntegration(store, id, `int_${key}`, { status: status as IntegrationStatus });
    await insertIntegration(store, id, "int_channel", { provider: "slack", server: null });
    const { text } = await ask("GET", "/metrics");
    expect(text.match(/^assay_mailboxes.*$/gm)).toEqual([
      'assay_mailboxes{status="connecting"} 0',
      'assay_mailboxes{status="connected"} 2',
      'assay_mailboxes{status="trouble"} 0',
      'assay_mailboxes{status="reconnect"} 1',
    ]);
  });

  test("GET /metrics answers while the database is unreachable, and says so", async () => {
    const lost = () => Promise.reject(new Refusal("overloaded", "The database cannot be reached."));
    const wrapStore = (store: Store): Store => ({ ...store, readTakenBytes: lost });
    const { ask } = await startHttpWorld({ wrapStore, service: { isDatabaseUp: async () => false } });
    const { status, text } = await ask("GET", "/metrics");
    expect(status).toBe(200);
    expect(text).toMatch(/^assay_database_up 0$/m);
    expect(text).toMatch(/^assay_disk_free_bytes \d+/m);
    expect(text).not.toMatch(/^assay_database_bytes /m);
  });

  test("GET /metrics counts deferred mail by reason, starting at zero", async () => {
    const { ask, metrics } = await startHttpWorld();
    metrics.noteDeferred("disk_low");
    const { text } = await ask("GET", "/metrics");
    expect(text).toContain('assay_mail_deferred_total{reason="disk_low"} 1');
    expect(text).toContain('assay_mail_deferred_total{reason="backlog_full"} 0');
  });

  test("GET /metrics counts operations on messages outside the database", async () => {
    const { ask, store } = await startHttpWorld();
    const { counts } = store.messages;
    const before = { ...counts };
    Object.assign(counts, { written: 3, failedWrites: 1 });
    const { text } = await ask("GET", "/metrics");
    expect(text).toContain("assay_objects_written_total 3\n");
    expect(text).toContain("assay_object_write_failures_total 1\n");
    expect(text).toContain("assay_objects_pending_deletion 0\n");
    Object.assign(counts, before);
  });

  test("GET /metrics requires the metrics token from a client behind a trusted proxy", async () => {
    const { ask } = await startHttpWorld({ metricsToken, trustedProxies: ["127.0.0.1/32"] });
    expect(await ask("GET", "/metrics", { headers: stranger })).toMatchObject({
      status: 401,
      json: {
        message:
          "The Authorization header is missing. Send the token from ASSAY_METRICS_TOKEN: Authorization: Bearer …",
      },
    });
    expect(await ask("GET", "/metrics", { headers: stranger, token: "x".repeat(32) })).toMatchObject({
      status: 403,
      json: {
        message: "The metrics token is invalid. Send the token from ASSAY_METRICS_TOKEN, or call from loopback.",
      },
    });
    expect((await ask("GET", "/metrics", { headers: stranger, token: metricsToken })).status).toBe(200);
  });

  test("GET /metrics does not treat an untrusted proxy as loopback", async () => {
    const { ask } = await startHttpWorld();
    const forged = { "x-forwarded-for": "127.0.0.1" };
    expect((await ask("GET", "/metrics", { headers: forged })).status).toBe(401);
  });

  test("GET /metrics is closed to others without a metrics token, even with an API token", async () => {
    const world = await startHttpWorld({ trustedProxies: ["127.0.0.1/32"] });
    const { token } = await world.issueToken((await world.createWorkspace("Ours")).id);
    expect((await world.ask("GET", "/metrics", { headers: stranger, token })).status).toBe(403);
  });
});
