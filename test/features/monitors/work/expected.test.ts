// Expected mail with a fast clock: a normal day raises no alert, and each problem and each recovery is reported
// once.

import { expect, test } from "vitest";
import { hourMs, type Mail, minuteMs, openExpectedWorld } from "./expected-world.ts";

const everyDay = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const nightly = { type: "daily", by: "07:00", days: everyDay, timeZone: "Europe/Berlin" };
const backup = { sender: "backup@*", subjectContains: "OK" };

/** Where in its span of time the nth message comes: always another place, and the same in each run. */
const jitter = (n: number, spanMs: number) =>
  Math.floor((((n * 7_919 + 13) % 97) / 97) * (spanMs / minuteMs)) * minuteMs;

const autoReply = ["Auto-Submitted: auto-replied", "Precedence: bulk"];
const bounce: Mail = {
  from: "MAILER-DAEMON@mx.corp.example",
  subject: "Undelivered Mail Returned to Sender: Backup OK",
  contentType: 'multipart/report; report-type=delivery-status; boundary="b"',
  text: "--b\r\n\r\nNot delivered.\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.corp.example\r\n\r\nFinal-Recipient: rfc822; x@corp.example\r\nAction: failed\r\nStatus: 5.1.1\r\n--b--",
  heard: { mailFrom: "" },
};

test("a day of slightly irregular mail raises no alert", async () => {
  const world = await openExpectedWorld("2026-11-23T00:00:30Z");
  const start = world.clock.nowMs;
  const ids = [
    await world.expect({ name: "Backup", schedule: { ...nightly, opensMinutes: 300 }, match: backup }),
    await world.expect({
      name: "Noon",
      schedule: { ...nightly, by: "12:00", timeZone: "UTC", opensMinutes: 60 },
      match: { label: "noon", subjectLacks: "failed" },
    }),
    await world.expect({
      name: "Receipts",
      schedule: { type: "interval", everyMinutes: 60 },
      graceMinutes: 5,
      match: { label: "receipts" },
    }),
    await world.expect({
      name: "Pairs",
      schedule: { type: "interval", everyMinutes: 180 },
      minCount: 2,
      match: { sender: "*@pairs.example", textContains: "all fine" },
    }),
    await world.expect({
      name: "Replies",
      schedule: { type: "interval", everyMinutes: 240 },
      match: { label: "auto" },
    }),
  ];
  const mail: { at: number; mail: Mail }[] = [];
  // Berlin is an hour ahead: the backup is due at 06:00 UTC.
  for (const day of [0, 1]) mail.push({ at: day * 24 * hourMs + 4.5 * hourMs + jitter(day, 1.9 * hourMs), mail: {} });
  mail.push({ at: 11.5 * hourMs, mail: { label: "noon", from: "x@y.example", subject: "Noon" } });
  for (let n = 0; n < 30; n++)
    mail.push({
      at: n * 50 * minuteMs + jitter(n, 10 * minuteMs),
      mail: { from: "shop@y.example", label: "receipts", subject: `Order ${n}` },
    });
  for (let n = 0; n < 22; n++)
    mail.push({
      at: n * 70 * minuteMs + jitter(n, 15 * minuteMs),
      mail: { from: "P <a@pairs.example>", subject: "Pair", text: "It is All Fine here." },
    });
  for (let n = 0; n < 8; n++)
    mail.push({
      at: n * 200 * minuteMs + jitter(n, 30 * minuteMs),
      mail: { from: "cron@y.example", label: "auto", subject: "Report", fields: autoReply },
    });
  let last = start - 1;
  await world.pass(24 * hourMs, async (now) => {
    for (const due of mail.filter(({ at }) => at > last - start && at <= now - start)) await world.send(due.mail);
    last = now;
  });
  expect(await world.told()).toEqual([]);
  for (const id of ids) {
    const { state, uptime7d } = await world.read(id);
    expect([id, state, uptime7d === null || uptime7d === 1]).toEqual([id, "up", true]);
  }
});

test("each of six problems is reported once, and so is its recovery", async () => {
  const world = await openExpectedWorld("2026-11-23T05:00:00Z");
  const interval = { schedule: { type: "interval", everyMinutes: 60 }, graceMinutes: 10 };
  const names = ["Nothing", "Late", "Words", "Sender", "Bounce", "Backlog"];
  for (const name of names)
    await world.expect({
      name,
      ...interval,
      // Without a sender, because a bounce has another.
      match: name === "Bounce" ? { label: "bounce" } : { ...backup, label: name.toLowerCase() },
    });
  const good = (name: string): Mail => ({ label: name.toLowerCase() });
  const sendAll = async (left: readonly string[] = []) => {
    for (const name of names.filter((one) => !left.includes(one))) await world.send(good(name));
  };
  await sendAll();
  await world.pass(30 * minuteMs);
  expect(await world.told()).toEqual([]);
  await world.send({ label: "words", subject: "Backup <b>FAILED</b>" });
  await world.send({ label: "sender", from: "intruder@evil.example" });
  await world.send({ ...bounce, label: "bounce" });
  await world.pass(10 * minuteMs);
  expect(await world.told()).toEqual(["Words down wrong-words"]);
  // A message that arrives in time but waits for its analysis is no missing one.
  await world.lag(29 * minuteMs);
  await world.send(good("backlog"));
  await world.lag(5 * minuteMs);
  expect(await world.told()).toEqual(["Words down wrong-words"]);
  await world.pass(2 * minuteMs);
  const down = ["Bounce", "Late", "Nothing", "Sender"].map((name) => `${name} down missing`);
  expect((await world.told()).toSorted()).toEqual([...down, "Words down wrong-words"]);
  // Once, however long it lasts and whatever else arrives.
  await world.send({ label: "words", subject: "Backup FAILED again" });
  await world.pass(100 * minuteMs, async (now) => now % (20 * minuteMs) === 0 && (await world.send(good("backlog"))));
  expect(await world.told()).toHaveLength(5);
  await sendAll();
  await world.pass(2 * minuteMs);
  await sendAll();
  await world.pass(2 * minuteMs);
  const told = (await world.told()).toSorted();
  expect(told).toHaveLength(10);
  expect(told.filter((one) => one.includes(" up "))).toEqual([
    "Bounce up late",
    "Late up late",
    "Nothing up late",
    "Sender up late",
    "Words up late",
  ]);
});

const weekend = { name: "Backup", schedule: nightly, match: backup };

test.each([
  // Clocks go back on 25 October and forward on 29 March.
  ["2026-10-24T12:00:00Z", ["2026-10-25T06:00:00Z", "2026-10-26T06:00:00Z"]],
  ["2027-03-27T12:00:00Z", ["2027-03-28T05:00:00Z", "2027-03-29T05:00:00Z"]],
])("a deadline keeps its local time when the clocks change after %s", async (startsAt, deadlines) => {
  const world = await openExpectedWorld(startsAt);
  const id = await world.expect(weekend);
  const dueAt = [];
  for (const deadline of deadlines) {
    dueAt.push((await world.read(id)).dueAt);
    // Ten minutes late, but within the grace period.
    await world.pass(Date.parse(deadline) + 10 * minuteMs - world.clock.nowMs);
    await world.send({});
    await world.pass(minuteMs);
  }
  expect(dueAt).toEqual(deadlines.map((at) => new Date(Date.parse(at) + 30 * minuteMs).toISOString()));
  expect(await world.told()).toEqual([]);
});

test("a run shows how late the message was", async () => {
  const world = await openExpectedWorld("2026-11-22T12:00:00Z");
  const id = await world.expect(weekend);
  await world.pass(Date.parse("2026-11-23T06:45:00Z") - world.clock.nowMs);
  const { reason } = await world.read(id);
  expect(reason.says).toBe("No matching message arrived by Mon, Nov 23, 07:30 (Europe/Berlin).");
  await world.send({});
  await world.pass(minuteMs);
  const [run] = await world.runs(id);
  expect([run?.outcome, run?.delay_ms]).toEqual(["late", 45 * minuteMs]);
  expect(await world.told()).toEqual(["Backup down missing", "Backup up late"]);
  // The next morning is judged on its own.
  await world.pass(24 * hourMs);
  expect((await world.told()).slice(2)).toEqual(["Backup down missing"]);
});

test("a window that ended while the server was down is unknown, and raises no alert", async () => {
  const world = await openExpectedWorld("2026-11-22T12:00:00Z");
  const daily = await world.expect(weekend);
  const hourly = await world.expect({
    name: "Hourly",
    schedule: { type: "interval", everyMinutes: 60 },
    match: { label: "hourly" },
  });
  await world.send({ label: "hourly", from: "x@y.example" });
  await world.pass(10 * minuteMs);
  await world.off(30 * hourMs);
  await world.pass(70 * minuteMs);
  expect((await world.runs(daily)).map(({ outcome }) => outcome)).toEqual(["interrupted"]);
  expect((await world.runs(hourly)).map(({ outcome }) => outcome)).toEqual(["interrupted"]);
  expect(await world.told()).toEqual([]);
  // From then on it watches again.
  await world.pass(3 * hourMs);
  expect(await world.told()).toEqual(["Hourly down missing"]);
});

test("after an outage, senders get an hour to send again", async () => {
  const world = await openExpectedWorld("2026-11-22T12:00:00Z");
  await world.expect(weekend);
  await world.pass(Date.parse("2026-11-23T05:00:00Z") - world.clock.nowMs);
  await world.off(50 * minuteMs);
  await world.pass(50 * minuteMs);
  expect(await world.told()).toEqual([]);
  await world.pass(15 * minuteMs);
  expect(await world.told()).toEqual(["Backup down missing"]);
});

test("while new mail is deferred because the disk is full, nothing counts as missing", async () => {
  const world = await openExpectedWorld("2026-11-23T05:00:00Z");
  await world.expect({ name: "Hourly", schedule: { type: "interval", everyMinutes: 60 }, match: { label: "x" } });
  await world.pass(minuteMs);
  world.intakeRoom.has = false;
  await world.pass(3 * hourMs);
  world.intakeRoom.has = true;
  await world.pass(30 * minuteMs);
  expect(await world.told()).toEqual([]);
});

test("unanalyzed messages that arrived in time delay an alert for at most an hour", async () => {
  const world = await openExpectedWorld("2026-11-23T05:00:00Z");
  const id = await world.expect({
    name: "Hourly",
    schedule: { type: "interval", everyMinutes: 60 },
    graceMinutes: 0,
    match: { sender: "backup@*" },
  });
  await world.lag(59 * minuteMs);
  await world.send({});
  await world.lag(50 * minuteMs);
  expect(await world.told()).toEqual([]);
  await world.lag(15 * minuteMs);
  expect(await world.told()).toEqual(["Hourly down missing"]);
  await world.pass(minuteMs);
  expect(await world.told()).toEqual(["Hourly down missing", "Hourly up arrived"]);
  expect((await world.runs(id)).map(({ outcome }) => outcome)).toEqual(["ok"]);
});

test("a message that could not be analyzed is neither missing nor correct until it can be read", async () => {
  const world = await openExpectedWorld("2026-11-23T05:00:00Z");
  const schedule = { type: "interval", everyMinutes: 60 };
  const match = { ...backup, label: "nightly" };
  const [id = "", pairs = "", other = ""] = await Promise.all([
    world.expect({ name: "Nightly", schedule, graceMinutes: 0, match }),
    world.expect({ name: "Pairs", schedule, graceMinutes: 0, match, minCount: 2 }),
    world.expect({ name: "Other", schedule, graceMinutes: 0, match: { ...backup, label: "weekly" } }),
  ]);
  await world.pass(50 * minuteMs);
  const testId = await world.send({ label: "nightly" });
  await world.failAll();
  await world.pass(9 * minuteMs);
  expect(await world.told()).toEqual([]);
  await world.pass(2 * minuteMs);
  expect((await world.told()).toSorted()).toEqual(["Nightly down unclear", "Other down missing", "Pairs down unclear"]);
  const saysOf = async (monitor: string) => (await world.read(monitor)).reason.says;
  const unclear = "A message arrived that could not be analyzed, so it is not known whether it is an expected one.";
  expect(await saysOf(id)).toBe(`${unclear} No other matching message arrived for 1 hour.`);
  expect(await saysOf(pairs)).toBe(`${unclear} None of the 2 expected messages is known to have arrived for 1 hour.`);
  expect(await saysOf(other)).toBe("No matching message arrived for 1 hour.");
  // Nothing is known about this due time, so it isn't in the share.
  expect(await world.read(id)).toMatchObject({ uptime7d: null, runs7d: 0 });
  expect(await world.runs(id)).toMatchObject([{ outcome: "unclear", test_id: testId }]);

  const answer = await world.ask("POST", `/api/tests/${testId}/reanalyze`, world.asked);
  expect(answer.status).toBe(200);
  expect(await world.told()).toContain("Nightly up arrived");
  expect(await world.runs(id)).toMatchObject([{ outcome: "ok" }]);
});

test("an uploaded message that could not be analyzed has not arrived", async () => {
  const world = await openExpectedWorld("2026-11-23T05:00:00Z");
  const schedule = { type: "interval", everyMinutes: 60 };
  await world.expect({ name: "Any", schedule, graceMinutes: 0, match: { sender: "backup@*" } });
  await world.upload({});
  await world.failAll();
  await world.pass(61 * minuteMs);
  expect(await world.told()).toEqual(["Any down missing"]);
});

test("a text is searched as far as it is readable, and beyond that the result is unclear", async () => {
  const world = await openExpectedWorld("2026-11-23T05:00:00Z");
  const schedule = { type: "interval", everyMinutes: 60 };
  const names = ["Within", "Beyond", "Html", "Other"];
  for (const name of names)
    await world.expect({
      name,
      schedule,
      graceMinutes: 0,
      match: { label: name.toLowerCase(), textContains: "All volumes done" },
    });
  const line = `${"x".repeat(70)}\r\n`;
  const after = (bytes: number, text: string) => line.repeat(bytes / line.length) + text;
  await world.pass(5 * minuteMs);
  await world.send({ label: "within", text: after(900_000, "all volumes DONE") });
  await world.send({ label: "beyond", text: after(1_100_000, "all volumes done") });
  await world.send({ label: "html", contentType: "text/html", text: `<p>${after(100_000, "all volumes done")}</p>` });
  await world.send({ label: "other", text: after(200_000, "no volumes done") });
  await world.pass(minuteMs);
  expect(await world.told()).toEqual(["Other down wrong-words"]);
  await world.pass(55 * minuteMs);
  expect(await world.told()).toEqual(["Other down wrong-words", "Beyond down unclear"]);
});

test("an interval alert says how long no message has arrived", async () => {
  const world = await openExpectedWorld("2026-11-23T05:00:00Z");
  const id = await world.expect({
    name: "Receipts",
    schedule: { type: "interval", everyMinutes: 60 },
    graceMinutes: 10,
    match: { label: "receipts" },
  });
  // It moves the deadline, and the run goes on.
  await world.pass(50 * minuteMs);
  await world.send({ label: "receipts" });
  await world.pass(75 * minuteMs);
  expect(await world.told()).toEqual(["Receipts down missing"]);
  const { reason } = await world.read(id);
  expect(reason.says).toBe("No matching message arrived for 1 hour 10 minutes.");
});
