import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { expect, test } from "vitest";
import { createDice } from "../../../../scripts/dice.ts";
import { createSigningSecret, renderMessage, renderPing } from "../../../../src/features/alerts/rules/render.ts";
import {
  aBounce,
  aDrift,
  aFeedbackEvidence,
  aFeedbackProblem,
  aLowScore,
  aMonitorChange,
  aStreamMove,
  baseUrl,
  kept,
} from "./events.ts";
import { hostileText } from "./hostile-words.ts";

const secret = createSigningSecret(Uint8Array.from({ length: 32 }, (_, index) => index * 7));
/** The reference library refuses what is not of now. */
const now = Date.now();
const render = (event: ReturnType<typeof kept>, by = secret, time = now) =>
  renderMessage("json", { events: [event], more: 0, secret: by, baseUrl, now: time });

test("the Standard Webhooks library for JavaScript verifies every event with any content", () => {
  const dice = createDice(9);
  for (let round = 0; round < 200; round++) {
    const subject = hostileText(dice);
    const events = [
      aDrift(),
      aLowScore({ subject }),
      aBounce({ reportingMta: subject }),
      aMonitorChange({ reason: { code: "refused", says: subject } }),
      aStreamMove({ stream: { id: "str_1", name: subject } }),
      aFeedbackProblem({
        kind: "new-source",
        resolution: null,
        evidence: { ...aFeedbackEvidence, reporters: [{ reporter: subject, count: 1, total: null }] },
      }),
    ];
    for (const event of events) {
      const { body, headers } = render(kept(event));
      expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: event.type });
      expect(JSON.parse(body).data).toMatchObject(JSON.parse(JSON.stringify(event.data)));
    }
  }
});

test("the library rejects another secret, body, or ID, and an old timestamp", () => {
  const { body, headers } = render(kept(aDrift()));
  const other = createSigningSecret(new Uint8Array(32));
  const { verify } = { verify: (...given: Parameters<Webhook["verify"]>) => new Webhook(secret).verify(...given) };
  expect(() => new Webhook(other).verify(body, headers)).toThrow(WebhookVerificationError);
  expect(() => verify(body.replace("reject", "rejec7"), headers)).toThrow(WebhookVerificationError);
  expect(() => verify(body, { ...headers, "webhook-id": "evt_other" })).toThrow(WebhookVerificationError);
  const old = render(kept(aDrift()), secret, now - 3_600_000);
  expect(() => verify(old.body, old.headers)).toThrow(WebhookVerificationError);
});

test("a body has the type, timestamp, and event data with workspace and links", () => {
  const event = kept(aDrift());
  const url = expect.stringMatching(/^https:\/\/\S+\/domains\/dom_\w+$/);
  expect(JSON.parse(render(event).body)).toEqual({
    type: "domain.drift",
    timestamp: "2026-11-21T06:19:00.000Z",
    data: { workspaceId: event.workspaceId, url, ...event.event.data },
  });
});

test("only a low score comes with a threshold", () => {
  expect(JSON.parse(render(kept(aLowScore(), 75)).body).data).toMatchObject({
    url: expect.stringMatching(/^https:\/\/\S+\/tests\/tst_\w+$/),
    test: { composite: 43.5 },
    thresholdScore: 75,
  });
  expect(JSON.parse(render(kept(aBounce(), 75)).body).data).not.toHaveProperty("thresholdScore");
});

test("every attempt has the same ID and body, and a signature with the current time", () => {
  const event = kept(aDrift());
  const [first, second] = [render(event), render(event, secret, now + 5_000)];
  expect(second.body).toBe(first.body);
  expect(first.headers["webhook-id"]).toBe(event.id);
  expect(second.headers["webhook-id"]).toBe(event.id);
  expect(second.headers["webhook-timestamp"]).not.toBe(first.headers["webhook-timestamp"]);
  expect(new Webhook(secret).verify(second.body, second.headers)).toBeTruthy();
});

test("test alerts and notices are signed too, with IDs that no event has", () => {
  const event = kept(aDrift());
  const told = { events: [event], more: 4, secret, baseUrl, now, notice: "Held until 07:00 UTC." };
  const notice = renderMessage("json", told);
  expect(new Webhook(secret).verify(notice.body, notice.headers)).toMatchObject({
    type: "alert.notice",
    data: { workspaceId: event.workspaceId, url: `${baseUrl}/alerts`, notice: "Held until 07:00 UTC." },
  });
  expect(notice.headers["webhook-id"]).not.toBe(event.id);
  const alert = { id: "alr_1", label: "On call" };
  const ping = renderPing("json", { id: "evt_ping", workspaceId: "wsp_1", alert, secret, baseUrl, now });
  expect(new Webhook(secret).verify(ping.body, ping.headers)).toMatchObject({
    type: "alert.ping",
    data: { workspaceId: "wsp_1", url: `${baseUrl}/alerts`, alert },
  });
});

test("a JSON webhook gets one event at a time", () => {
  const events = [kept(aDrift()), kept(aDrift())];
  expect(() => renderMessage("json", { events, more: 0, secret, baseUrl, now })).toThrow("one event");
});
