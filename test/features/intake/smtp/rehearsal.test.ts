// Rehearsal addresses on a real listener: which recipients fit together, what is stored before the reply, and what a
// prepared connection is offered.

import { describe, expect, onTestFinished, test } from "vitest";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import { listSeedInboxes } from "../../../../src/features/intake/rows/seed-inboxes.ts";
import { receiveMessage } from "../../../../src/features/intake/work/receive-message.ts";
import { changeWorkspace, readFirstWorkspaceId } from "../../../../src/features/people/rows/workspaces.ts";
import { createWorkspace } from "../../../../src/features/people/work/workspaces.ts";
import { listAttempts } from "../../../../src/features/rehearsal/rows.ts";
import type { Attempt } from "../../../../src/features/rehearsal/rules/attempt.ts";
import { createAnalysisWatch } from "../../../../src/features/rehearsal/work/analysis-watch.ts";
import type { Judged } from "../../../../src/features/rehearsal/work/judge.ts";
import { createRehearsals } from "../../../../src/features/rehearsal/work/rehearsals.ts";
import { listTests } from "../../../../src/features/tests/rows/tests.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { testSystem } from "../../../test-system.ts";
import { type Dialogue, type Ear, seedDomain, startEar } from "./dialogue.ts";
import { proxyV1 } from "./proxy-headers.ts";

const rejection: Judged = {
  status: { code: 550, enhanced: "5.7.26", mark: null },
  says: "Assay rehearsal of Gmail: rejected.",
  because: "predicted",
  finding: "dmarc-result.unauthenticated",
};

type World = Ear & {
  readonly at: (label: string) => string;
  readonly tests: () => Promise<readonly { readonly id: string; readonly label: string | null }[]>;
  readonly attempts: (testId: string) => Promise<readonly Attempt[]>;
  readonly turnOn: () => Promise<void>;
  /** Returns its seed address. */
  readonly addWorkspace: () => Promise<string>;
};

async function start({
  judged = async () => rejection,
  environment = {},
}: {
  judged?: () => Promise<Judged>;
  environment?: Record<string, string>;
} = {}): Promise<World> {
  const opened = Promise.withResolvers<Store>();
  const { log, random } = testSystem();
  const system = { now: Date.now, random, log };
  const ear = await startEar(environment, undefined, (store) => {
    opened.resolve(store);
    return createRehearsals({
      store,
      system,
      watch: createAnalysisWatch(),
      slowMs: 300,
      judge: judged,
      receive: async (message) => (await receiveMessage(message, createIntake(store), system))[0] ?? "",
      toLink: (testId) => `https://assay.example/tests/${testId}`,
    });
  });
  onTestFinished(ear.close);
  const scope = async () => {
    const { read } = await opened.promise;
    return inWorkspace(read, (await readFirstWorkspaceId(read)) ?? "");
  };
  return {
    ...ear,
    at: (label) => ear.seed.replace("@", `+${label}@`),
    tests: async () => await listTests(await scope(), { limit: 50 }),
    attempts: async (testId) => await listAttempts(await scope(), testId),
    turnOn: async () => {
      const { write } = await opened.promise;
      const { workspaceId } = await scope();
      await write((db) => changeWorkspace(inWorkspace(db, workspaceId), { rehearsal: "on" }));
    },
    addWorkspace: async () => {
      const store = await opened.promise;
      const { id } = await createWorkspace(store, system, { name: "Theirs", seedDomain });
      const [inbox] = await listSeedInboxes(inWorkspace(store.read, id));
      return `${inbox?.local_part}@${inbox?.domain}`;
    },
  };
}

const mail = "Message-ID: <1@a.example>\r\nSubject: Hi\r\n\r\nHello\r\n.";

const other = mail.replace("<1@", "<2@");

async function openMail(world: World, client?: string): Promise<Dialogue> {
  const dialogue = await world.open(client);
  await dialogue.greet();
  await dialogue.say("MAIL FROM:<ann@sender.example>");
  return dialogue;
}

async function send(world: World, label: string, { client, text = mail }: { client?: string; text?: string } = {}) {
  const dialogue = await openMail(world, client);
  expect(await dialogue.say(`RCPT TO:<${world.at(label)}>`)).toMatch(/^250 /);
  await dialogue.say("DATA");
  return await dialogue.say(text);
}

describe("a message to a rehearsal address", () => {
  test("a message to a rehearsal address is stored before it is rejected, and the reply links to its report", async () => {
    const world = await start();
    const reply = await send(world, "as-gmail.x");
    const [stored] = await world.tests();
    expect(reply).toBe(
      `550-5.7.26 Assay rehearsal of Gmail: rejected.\r\n550 5.7.26 Report: https://assay.example/tests/${stored?.id}`,
    );
    expect(stored?.label).toBe("as-gmail.x");
    expect(await world.attempts(stored?.id ?? "")).toMatchObject([
      { outcome: "refused", address: "127.0.0.1", finding: "dmarc-result.unauthenticated" },
    ]);
  });

  test("a message to a rehearsal address leaves the connection usable after a rejection", async () => {
    const world = await start();
    const dialogue = await openMail(world);
    await dialogue.say(`RCPT TO:<${world.at("as-gmail")}>`);
    await dialogue.say("DATA");
    expect(await dialogue.say(mail)).toMatch(/^550-/);
    expect(await dialogue.say("MAIL FROM:<ann@sender.example>")).toMatch(/^250 /);
    await dialogue.say(`RCPT TO:<${world.seed}>`);
    await dialogue.say("DATA");
    expect(await dialogue.say(mail)).toBe("250 2.6.0 Message accepted");
  });

  test("a message to a rehearsal address with other recipients is accepted for one, and the others must use another message", async () => {
    const world = await start();
    const dialogue = await openMail(world);
    const rcpt = (label: string) => dialogue.say(`RCPT TO:<${label === "" ? world.seed : world.at(label)}>`);
    expect(await rcpt("as-gmail")).toMatch(/^250 /);
    expect(await rcpt("AS-GMAIL")).toMatch(/^250 /);
    expect(await rcpt("")).toMatch(/^452 4\.5\.3 /);
    expect(await rcpt("as-yahoo")).toMatch(/^452 4\.5\.3 /);
    expect(await rcpt("as-gmail.other")).toMatch(/^452 4\.5\.3 /);
    await dialogue.say("RSET");
    await dialogue.say("MAIL FROM:<ann@sender.example>");
    expect(await rcpt("")).toMatch(/^250 /);
    expect(await rcpt("plain")).toMatch(/^250 /);
    expect(await rcpt("as-gmail")).toMatch(/^452 4\.5\.3 /);
    await dialogue.say("DATA");
    expect(await dialogue.say(mail)).toMatch(/^250 /);
    expect(world.heard).toHaveLength(1);
    expect(world.heard[0]?.recipients).toHaveLength(2);
    expect(world.heard[0]?.session.transcript.some(({ line }) => line.includes("as-gmail"))).toBe(false);
  });

  test("a message to a rehearsal address that is sent again is another attempt of the same test", async () => {
    const deferral = { ...rejection, status: { code: 451, enhanced: "4.7.1", mark: null } };
    const world = await start({ judged: async () => deferral });
    for (let times = 0; times < 3; times++) expect(await send(world, "as-gmail")).toMatch(/^451-/);
    const tests = await world.tests();
    expect(tests).toHaveLength(1);
    expect(await world.attempts(tests[0]?.id ?? "")).toMatchObject([
      { likeness: null },
      { likeness: "bytes" },
      { likeness: "bytes" },
    ]);
    // A corrected message has another Message-ID, and is a new test.
    await send(world, "as-gmail", { text: mail.replace("<1@", "<2@") });
    expect(await world.tests()).toHaveLength(2);
  });

  test("a message to a rehearsal address is deferred if it could not be stored", async () => {
    const world = await start({
      judged: async () => {
        throw new Error("broken");
      },
    });
    expect(await send(world, "as-gmail")).toMatch(/^451 4\.3\.0 /);
    expect(await world.tests()).toHaveLength(1);
  });

  test("a message to a rehearsal address through a proxy is an ordinary message unless rehearsal is turned on for proxies", async () => {
    const world = await start({ environment: { ASSAY_SMTP_PROXY_FROM: "127.0.0.6" } });
    const dialogue = await world.open("127.0.0.6");
    dialogue.write(proxyV1("192.0.2.1", 4_321));
    await dialogue.greet();
    await dialogue.say("MAIL FROM:<ann@sender.example>");
    await dialogue.say(`RCPT TO:<${world.at("as-gmail")}>`);
    await dialogue.say("DATA");
    expect(await dialogue.say(mail)).toBe("250 2.6.0 Message accepted");
  });
});

test("a rehearsal address is ordinary for a client that XCLIENT names", async () => {
  const world = await start({ environment: { ASSAY_SMTP_XCLIENT_FROM: "127.0.0.6" } });
  const dialogue = await world.open("127.0.0.6");
  await dialogue.greet();
  await dialogue.say("XCLIENT ADDR=192.0.2.1 NAME=a.example");
  await dialogue.say("EHLO a.example");
  await dialogue.say("MAIL FROM:<ann@sender.example>");
  await dialogue.say(`RCPT TO:<${world.at("as-gmail")}>`);
  await dialogue.say("DATA");
  expect(await dialogue.say(mail)).toBe("250 2.6.0 Message accepted");
});

describe("a chosen reply", () => {
  test("a chosen reply to RCPT refuses this recipient, and the others get the message", async () => {
    const world = await start();
    const dialogue = await openMail(world);
    const rcpt = (address: string) => dialogue.say(`RCPT TO:<${address}>`);
    expect(await rcpt(world.at("code-550-5.1.1"))).toBe("550 5.1.1 Assay rehearsal: this address asks for this reply.");
    expect(await rcpt(world.seed)).toMatch(/^250 /);
    expect(await rcpt(world.at("code-451.x"))).toMatch(/^451 4\.0\.0 /);
    // It would end the connection before the message.
    expect(await rcpt(world.at("code-421"))).toMatch(/^452 4\.5\.3 /);
    await dialogue.say("DATA");
    expect(await dialogue.say(mail)).toBe("250 2.6.0 Message accepted");
    expect(world.heard).toHaveLength(1);
    expect(world.heard[0]?.recipients).toHaveLength(1);
    expect(world.heard[0]?.session.transcript.some(({ line }) => line.includes("code-"))).toBe(false);
    expect(await world.tests()).toEqual([]);
  });

  test("a chosen 421 ends the connection", async () => {
    const world = await start();
    const dialogue = await openMail(world);
    expect(await dialogue.say(`RCPT TO:<${world.at("code-421-4.7.0")}>`)).toMatch(/^421 4\.7\.0 Assay rehearsal/);
    expect(await dialogue.untilClosed()).toEqual([]);
  });

  test("a chosen reply is no error of the client, however often it asks", async () => {
    const world = await start();
    const dialogue = await openMail(world);
    for (let times = 0; times < 150; times++)
      expect(await dialogue.say(`RCPT TO:<${world.at("code-550")}>`)).toMatch(/^550 5\.0\.0 /);
  });

  test("a chosen reply to the message is given each time, and the message is stored", async () => {
    const world = await start();
    for (let times = 0; times < 2; times++)
      expect(await send(world, "code-452-4.2.2-data")).toMatch(/^452-4\.2\.2 Assay rehearsal: /);
    const [stored, ...others] = await world.tests();
    expect(others).toEqual([]);
    expect(await world.attempts(stored?.id ?? "")).toMatchObject([
      { outcome: "deferred", because: "probe" },
      { outcome: "deferred", likeness: "bytes" },
    ]);
  });

  test("the 100th attempt of the same message to a chosen reply is accepted", async () => {
    const world = await start();
    const dialogue = await world.open();
    await dialogue.greet();
    const again = async () => {
      await dialogue.say("MAIL FROM:<ann@sender.example>");
      await dialogue.say(`RCPT TO:<${world.at("code-550-data")}>`);
      await dialogue.say("DATA");
      return await dialogue.say(mail);
    };
    for (let times = 1; times < 100; times++) expect(await again()).toMatch(/^550-/);
    expect(await again()).toMatch(/^250-/);
  });

  test("different messages with the same content to a chosen reply are no repeats", async () => {
    const world = await start();
    for (const id of [1, 2, 3])
      expect(await send(world, "code-550-data", { text: mail.replace("<1@", `<${id}@`) })).toMatch(/^550-5\.0\.0 /);
    const stored = await world.tests();
    expect(stored).toHaveLength(3);
    for (const { id } of stored)
      expect(await world.attempts(id)).toMatchObject([{ testId: id, likeness: null, outcome: "refused" }]);
  });

  test("a chosen rate accepts so many messages at an address, whichever client sends them, and then answers 421", async () => {
    const world = await start();
    for (const client of ["127.0.0.3", "127.0.0.4"])
      expect(await send(world, "rate-2", { client, text: mail.replace("<1@", `<${client}@`) })).toMatch(/^250-/);
    const dialogue = await openMail(world);
    expect(await dialogue.say(`RCPT TO:<${world.at("RATE-2")}>`)).toMatch(
      /^421 4\.7\.0 .* at most 2 messages a minute; try again in \d+ seconds?\.$/,
    );
    expect(await dialogue.untilClosed()).toEqual([]);
    expect(await send(world, "rate-2.other")).toMatch(/^250-/);
    expect(await world.tests()).toHaveLength(3);
  });

  test("a recipient without a message doesn't count for a chosen rate", async () => {
    const world = await start();
    const dialogue = await openMail(world);
    for (const ending of ["RSET", "RSET", "QUIT"]) {
      expect(await dialogue.say(`RCPT TO:<${world.at("rate-1")}>`)).toMatch(/^250 /);
      await dialogue.say(ending);
      if (ending === "RSET") await dialogue.say("MAIL FROM:<ann@sender.example>");
    }
    await dialogue.untilClosed();
    expect(await send(world, "rate-1")).toMatch(/^250-/);
    const next = await openMail(world);
    expect(await next.say(`RCPT TO:<${world.at("rate-1")}>`)).toMatch(/^421 /);
  });

  test("a chosen reply is not given to a client of a proxy unless an owner turned rehearsals on", async () => {
    const world = await start({ environment: { ASSAY_SMTP_PROXY_FROM: "127.0.0.6" } });
    const ask = async (port: number) => {
      const dialogue = await world.open("127.0.0.6");
      dialogue.write(proxyV1("192.0.2.1", port));
      await dialogue.greet();
      await dialogue.say("MAIL FROM:<ann@sender.example>");
      return await dialogue.say(`RCPT TO:<${world.at(`code-550.${port}`)}>`);
    };
    expect(await ask(4_321)).toMatch(/^250 /);
    await world.turnOn();
    expect(await ask(4_322)).toMatch(/^550 /);
  });
});

describe("sender probes", () => {
  test("the probe greylist defers a message first, and then accepts it", async () => {
    const world = await start();
    expect(await send(world, "probe-greylist")).toMatch(/^451-4\.7\.1 /);
    expect(await send(world, "probe-greylist")).toMatch(/^250-/);
    expect(await world.tests()).toHaveLength(1);
  });

  test("the probe full rejects each attempt", async () => {
    const world = await start();
    for (let times = 0; times < 2; times++) expect(await send(world, "probe-full")).toMatch(/^552-5\.2\.2 /);
  });

  test("the probe drop ends the connection without a reply, and stores the message", async () => {
    const world = await start();
    const dialogue = await openMail(world);
    await dialogue.say(`RCPT TO:<${world.at("probe-drop")}>`);
    await dialogue.say("DATA");
    dialogue.write(`${mail}\r\n`);
    expect(await dialogue.untilClosed()).toEqual([]);
    const [stored] = await world.tests();
    expect(await world.attempts(stored?.id ?? "")).toMatchObject([{ outcome: "dropped", reply: null }]);
    expect(await send(world, "probe-drop")).toMatch(/^250-/);
  });

  test("the probe slow allows one client only few connections, so that others get the probe too", async () => {
    const world = await start();
    const waiting = Array.from({ length: 7 }, (_, index) =>
      send(world, "probe-slow", { client: "127.0.0.3", text: mail.replace("<1@", `<${index}@`) }),
    );
    const replies = await Promise.all(waiting);
    expect(replies.filter((reply) => reply.includes("without the probe: too many are running"))).toHaveLength(1);
  });

  test("the probe slow records immediately that a sender hangs up", async () => {
    const world = await start();
    const dialogue = await openMail(world);
    await dialogue.say(`RCPT TO:<${world.at("probe-slow")}>`);
    await dialogue.say("DATA");
    dialogue.write(`${mail}\r\n`);
    await expect.poll(world.tests).toHaveLength(1);
    dialogue.destroy();
    const [stored] = await world.tests();
    await expect.poll(() => world.attempts(stored?.id ?? "")).toMatchObject([{ hungUp: true }]);
  });

  test("the probe no-tls hides STARTTLS only from the client's next connection", async () => {
    const world = await start();
    const ehlo = async (client: string) => {
      const dialogue = await world.open(client);
      await dialogue.reply();
      return await dialogue.say("EHLO client.example");
    };
    expect(await send(world, "probe-no-tls", { client: "127.0.0.3" })).toMatch(/^451-/);
    expect(await ehlo("127.0.0.4")).toContain("STARTTLS");
    const dialogue = await world.open("127.0.0.3");
    await dialogue.reply();
    expect(await dialogue.say("EHLO client.example")).not.toContain("STARTTLS");
    expect(await dialogue.say("STARTTLS")).toMatch(/^5/);
    await dialogue.say("QUIT");
    expect(await ehlo("127.0.0.3")).toContain("STARTTLS");
    const [stored] = await world.tests();
    await expect
      .poll(() => world.attempts(stored?.id ?? ""))
      .toMatchObject([{ kind: "message" }, { kind: "connection", special: "no-tls", reached: "ehlo" }]);
    expect(await send(world, "probe-no-tls", { client: "127.0.0.3" })).toMatch(/^250-/);
  });

  test("other mail of the workspace doesn't use up a prepared connection", async () => {
    const world = await start();
    await send(world, "probe-no-tls", { client: "127.0.0.3" });
    expect(await send(world, "as-gmail", { client: "127.0.0.3", text: other })).toMatch(/^550-5\.7\.26 /);
    expect(await send(world, "newsletter", { client: "127.0.0.3", text: other })).toMatch(/^250 /);
    expect(await send(world, "probe-no-tls", { client: "127.0.0.3" })).toMatch(/^250-/);
    const stored = (await world.tests()).find(({ label }) => label === "probe-no-tls");
    expect(await world.attempts(stored?.id ?? "")).toMatchObject([
      { special: null, outcome: "deferred" },
      { special: "no-tls", outcome: "accepted", because: "finished" },
    ]);
  });

  test("mail to another workspace is deferred on a prepared connection, and accepted on the next one", async () => {
    const world = await start();
    const theirs = await world.addWorkspace();
    await send(world, "probe-no-tls", { client: "127.0.0.3" });
    const dialogue = await openMail(world, "127.0.0.3");
    expect(await dialogue.say(`RCPT TO:<${theirs}>`)).toMatch(/^451 4\.7\.1 /);
    expect(await dialogue.say("DATA")).toMatch(/^503 /);
    await dialogue.say("QUIT");
    await dialogue.untilClosed();
    const next = await world.open("127.0.0.3");
    await next.reply();
    expect(await next.say("EHLO client.example")).toContain("STARTTLS");
    await next.say("MAIL FROM:<ann@sender.example>");
    expect(await next.say(`RCPT TO:<${theirs}>`)).toMatch(/^250 /);
    const [stored] = await world.tests();
    expect(await world.attempts(stored?.id ?? "")).toHaveLength(1);
    // The next connection isn't special, so the reply must not say so.
    const reply = await send(world, "probe-no-tls", { client: "127.0.0.3" });
    expect(reply).toMatch(/^451-4\.7\.1 Assay sender probe: send this message again after \d\d:\d\d UTC\./);
  });

  test("another server with the same IP gets an ordinary connection", async () => {
    const world = await start();
    await send(world, "probe-no-tls", { client: "127.0.0.3" });
    const neighbor = await world.open("127.0.0.3");
    await neighbor.reply();
    expect(await neighbor.say("EHLO neighbor.example")).toContain("STARTTLS");
  });

  test("the probe size announces no limit to a client whose mail to other workspaces would be affected", async () => {
    const world = await start({ environment: { ASSAY_SMTP_PROXY_FROM: "127.0.0.6" } });
    await world.turnOn();
    await world.addWorkspace();
    const dialogue = await world.open("127.0.0.6");
    dialogue.write(proxyV1("192.0.2.1", 4_321));
    await dialogue.greet();
    await dialogue.say("MAIL FROM:<ann@sender.example>");
    await dialogue.say(`RCPT TO:<${world.at("probe-size")}>`);
    await dialogue.say("DATA");
    expect(await dialogue.say(mail)).toMatch(/^250-/);
    const next = await world.open("127.0.0.6");
    next.write(proxyV1("192.0.2.1", 4_322));
    await next.reply();
    const [, limit] = /SIZE (\d+)/.exec(await next.say("EHLO client.example")) ?? [];
    expect(Number(limit)).toBeGreaterThan(1_000_000);
    const [stored] = await world.tests();
    expect(await world.attempts(stored?.id ?? "")).toMatchObject([{ because: "shared" }]);
  });

  test("the probe bad-cert gives the next connection a certificate for another name", async () => {
    const world = await start();
    await send(world, "probe-bad-cert");
    const dialogue = await world.open();
    await dialogue.greet();
    await dialogue.say("STARTTLS");
    expect(await dialogue.startTls()).toBe("certificate-for-another-name.invalid");
    await dialogue.say("EHLO client.example");
    await dialogue.say("MAIL FROM:<ann@sender.example>");
    await dialogue.say(`RCPT TO:<${world.at("probe-bad-cert")}>`);
    await dialogue.say("DATA");
    expect(await dialogue.say(mail)).toMatch(/^250-/);
    const [stored] = await world.tests();
    expect((await world.attempts(stored?.id ?? "")).at(-1)).toMatchObject({ special: "bad-cert", tls: "TLSv1.3" });
  });

  test("the probe size announces and enforces a limit below the message size on the next connection", async () => {
    const world = await start();
    await send(world, "probe-size");
    const dialogue = await world.open();
    await dialogue.reply();
    const [, limit] = /SIZE (\d+)/.exec(await dialogue.say("EHLO client.example")) ?? [];
    expect(Number(limit)).toBeLessThan(mail.length);
    expect(await dialogue.say("MAIL FROM:<ann@sender.example> SIZE=5000")).toMatch(/^552 5\.3\.4 /);
    await dialogue.say("MAIL FROM:<ann@sender.example>");
    await dialogue.say(`RCPT TO:<${world.at("probe-size")}>`);
    await dialogue.say("DATA");
    expect(await dialogue.say(mail)).toMatch(/^552 5\.3\.4 /);
    dialogue.destroy();
    const [stored] = await world.tests();
    await expect
      .poll(() => world.attempts(stored?.id ?? ""))
      .toMatchObject([{ kind: "message" }, { kind: "connection", reached: "data" }]);
  });
});
