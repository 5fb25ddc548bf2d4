// Sends three events through a real Assay to eight receivers, seven of which misbehave, and records what each got and
// when.

import { setTimeout as sleep } from "node:timers/promises";
import { addAlert, type Caller, listAlerts, listDeliveries, type ShownDelivery } from "../../scripts/alert-client.ts";
import { behaviours, type Receiver, startReceiver } from "../../scripts/alert-receivers.ts";
import { type AssayProcess, startAssay } from "../../scripts/assay-process.ts";
import { toBounceMail } from "../../scripts/bounce-mail.ts";
import { makeToken, type Program } from "../../scripts/first-message.ts";
import { sendMail } from "../../scripts/smtp-client.ts";

type TrialRow = {
  readonly name: string;
  readonly receiver: Receiver;
  readonly deliveries: readonly ShownDelivery[];
  readonly enabled: boolean;
};

export type Trial = {
  readonly rows: readonly TrialRow[];
  /** How many requests the hanging receiver had when the working one had everything. */
  readonly hangingWhenDone: number;
  /** Requests that reached the redirect's target. */
  readonly redirected: number;
};

const events = 3;
const patienceMs = 60_000;

export async function runTrial(program: Omit<Program, "environment">): Promise<Trial> {
  const environment = { ASSAY_ALLOW_PRIVATE_TARGETS: "127.0.0.0/8", ASSAY_MIN_FREE_BYTES: "0" };
  const server = await startAssay({ ...program, environment });
  const elsewhere = await startReceiver((response) => response.end());
  const receivers = new Map<string, Receiver>();
  const { promise: allRaised, resolve: noteAllRaised } = Promise.withResolvers<void>();
  try {
    const caller = makeToken({ ...program, environment });
    const ids = new Map<string, string>();
    for (const [name, behave] of Object.entries(behaviours(elsewhere.url, allRaised))) {
      const receiver = await startReceiver(behave);
      receivers.set(name, receiver);
      ids.set(name, await addAlert(server, caller, name, receiver.url));
    }
    for (let number = 0; number < events; number++) {
      const mail = toBounceMail(`${number}@sender.example`, server.seedAddress);
      const reply = await sendMail(server.smtp, mail);
      if (!reply.startsWith("250")) throw new Error(reply);
    }
    await until(() => receivers.get("works")?.got.length === events);
    noteAllRaised();
    const hangingWhenDone = receivers.get("hangs")?.got.length ?? 0;
    await until(async () => {
      const of = (name: string) => listDeliveries(server, caller, ids.get(name) ?? "");
      const hanging = (await of("hangs")).some(({ tries }) => tries > 0);
      return hanging && (await of("answers 500")).every(({ tries }) => tries > 1);
    });
    const rows = await readRows(server, caller, receivers, ids);
    return { rows, hangingWhenDone, redirected: elsewhere.got.length };
  } finally {
    await server.end("SIGTERM");
    for (const receiver of [elsewhere, ...receivers.values()]) receiver.close();
  }
}

async function readRows(
  server: AssayProcess,
  caller: Caller,
  receivers: ReadonlyMap<string, Receiver>,
  ids: ReadonlyMap<string, string>,
): Promise<TrialRow[]> {
  const alerts = await listAlerts(server, caller);
  const rows: TrialRow[] = [];
  for (const [name, receiver] of receivers) {
    const id = ids.get(name) ?? "";
    const enabled = alerts.some((alert) => alert.id === id && alert.enabled);
    rows.push({ name, receiver, enabled, deliveries: await listDeliveries(server, caller, id) });
  }
  return rows;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + patienceMs; !(await holds()); await sleep(100))
    if (Date.now() > deadline) throw new Error("The deliveries did not finish in time.");
}
