import { describe, expect, test } from "vitest";
import type { IntegrationStatus } from "../../src/integrations/integration.ts";
import { insertIntegration } from "../store/nouns.ts";
import { startHttpWorld } from "./http-world.ts";

test("GET /healthz answers anyone, and HEAD gets its header alone", async () => {
  const { ask } = await startHttpWorld();
  const { json, headers } = await ask("GET", "/healthz");
  expect(json).toEqual({ status: "ok" });
  expect(headers.get("x-assay-version")).toBeNull();
  expect((await ask("HEAD", "/healthz")).status).toBe(200);
});

describe("GET /readyz", () => {
  const database = { trouble: "the database cannot be written", holds: () => true };

  test("is ready when every check passes", async () => {
    const { ask } = await startHttpWorld({ readiness: [database] });
    expect((await ask("GET", "/readyz")).json).toEqual({ status: "ready" });
  });

  test("names what does not hold, a check that throws included", async () => {
    const smtp = { trouble: "SMTP is not listened for", holds: () => Promise.reject(new Error("no")) };
    const { ask } = await startHttpWorld({ readiness: [database, smtp] });
    const { status, json, headers } = await ask("GET", "/readyz");
    expect(status).toBe(503);
    expect(json).toEqual({ error: "overloaded", message: "Not ready: SMTP is not listened for." });
    expect(headers.get("retry-after")).toBe("5");
  });

  test("does not wait for a check that hangs", async () => {
    const { ask } = await startHttpWorld({
      readiness: [{ trouble: "it hangs", holds: () => new Promise<boolean>(() => {}) }],
    });
    expect((await ask("GET", "/readyz")).status).toBe(503);
  });
});

describe("GET /metrics", () => {
  const metricsToken = "m".repeat(32);
  const stranger = { "x-forwarded-for": "203.0.113.9" };

  test("answers on loopback and counts by the route's template", async () => {
    const { ask } = await startHttpWorld();
    await ask("DELETE", "/api/tokens/tok_secret-name");
    await ask("GET", "/some-path-nobody-made");
    const { text } = await ask("GET", "/metrics");
    expect(text).toContain(
      'assay_http_requests_total{method="DELETE",route="/api/tokens/:id",status="401"} 1',
    );
    expect(text).toContain('assay_http_requests_total{method="GET",route="(none)",status="404"} 1');
    expect(text).not.toContain("tok_secret-name");
    expect(text).not.toContain("some-path");
    expect(text).toContain("process_cpu_user_seconds_total");
  });

  test("counts messages by what they turned out to be", async () => {
    const { ask, metrics } = await startHttpWorld();
    for (const became of ["test", "bounce", "test"] as const) metrics.noteMessage(became);
    const { text } = await ask("GET", "/metrics");
    expect(text).toContain('assay_messages_total{kind="test"} 2');
    expect(text).toContain('assay_messages_total{kind="bounce"} 1');
  });

  test("counts seed mailboxes by how they fare", async () => {
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

  test("counts what was done with messages outside the database", async () => {
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

  test("asks a stranger behind a trusted proxy for the metrics token", async () => {
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
        message:
          "The metrics token is invalid. Send the token from ASSAY_METRICS_TOKEN, or call from loopback.",
      },
    });
    expect((await ask("GET", "/metrics", { headers: stranger, token: metricsToken })).status).toBe(200);
  });

  test("does not take an untrusted proxy for loopback", async () => {
    const { ask } = await startHttpWorld();
    const forged = { "x-forwarded-for": "127.0.0.1" };
    expect((await ask("GET", "/metrics", { headers: forged })).status).toBe(401);
  });

  test("stays closed to strangers when no metrics token is set, an API token notwithstanding", async () => {
    const world = await startHttpWorld({ trustedProxies: ["127.0.0.1/32"] });
    const { token } = await world.issueToken((await world.createWorkspace("Ours")).id);
    expect((await world.ask("GET", "/metrics", { headers: stranger, token })).status).toBe(403);
  });
});
