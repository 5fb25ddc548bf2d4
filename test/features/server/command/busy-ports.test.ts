import { expect, test } from "vitest";
import { explainBusyPorts } from "../../../../src/features/server/command/busy-ports.ts";

const local = { smtpListen: [{ host: "127.0.0.1", port: 2525 }], httpHost: "127.0.0.1", httpPort: 8080 };

function explain(busy: readonly number[], config = local) {
  const tryBind = async (_: string, port: number) => (busy.includes(port) ? "EADDRINUSE" : null);
  return explainBusyPorts(config, { command: "npm start", tryBind });
}

test("all busy ports are listed together, with a command that uses free ones", async () => {
  expect((await explain([2525, 8080]))?.message).toBe(
    "Ports 2525 and 8080 are in use. Try: ASSAY_HTTP_PORT=8081 ASSAY_SMTP_LISTEN=127.0.0.1:2526 npm start",
  );
});

test("only the busy port is changed, and a busy next port is skipped", async () => {
  expect((await explain([8080, 8081]))?.message).toBe("Port 8080 is in use. Try: ASSAY_HTTP_PORT=8082 npm start");
});

test("no port is suggested twice", async () => {
  const config = {
    ...local,
    smtpListen: [
      { host: "127.0.0.1", port: 8080 },
      { host: "::1", port: 8080 },
    ],
  };
  expect((await explain([8080], config))?.message).toBe(
    "Port 8080 is in use. Try: ASSAY_HTTP_PORT=8081 ASSAY_SMTP_LISTEN='127.0.0.1:8082,[::1]:8083' npm start",
  );
});

test("instead of a privileged port, an unprivileged one is suggested", async () => {
  const config = { ...local, smtpListen: [{ host: "0.0.0.0", port: 25 }], httpPort: 80 };
  expect((await explain([25, 80], config))?.message).toBe(
    "Ports 25 and 80 are in use. Try: ASSAY_HTTP_PORT=8080 ASSAY_SMTP_LISTEN=0.0.0.0:2525 npm start",
  );
});

test("ports that are free again are not reported", async () => {
  expect(await explain([])).toBeNull();
});
