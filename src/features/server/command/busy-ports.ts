// Names all ports that are in use together, with a command that starts Assay on free ones.

import type { ListenAddress } from "../../../analyzer/addresses.ts";
import { toList } from "../../../analyzer/words/plain-words.ts";
import { toShellWord } from "../../../platform/cli/invocation.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { Config } from "../../../platform/settings/config.ts";
import { toHostPort } from "../../../platform/settings/setting-kinds.ts";

type Listening = Pick<Config, "smtpListen" | "httpHost" | "httpPort">;

/** Like `tryBind` in platform/system/probe-port.ts. */
type TryBind = (host: string, port: number) => Promise<string | null>;

/** What to type before and after the settings. */
type Start = { readonly command: string; readonly tryBind: TryBind };

const mostTries = 200;
const firstUnprivileged = 1024;

/** Null if all of them are free by now. A privileged port is replaced by the usual one, which any user can open. */
export async function explainBusyPorts(
  { smtpListen, httpHost, httpPort }: Listening,
  { command, tryBind }: Start,
): Promise<Refusal | null> {
  const http = { host: httpHost, port: httpPort };
  const taken = new Set([...smtpListen, http].map(({ port }) => port));
  const findOther = async (address: ListenAddress, usual: number): Promise<ListenAddress> => {
    if ((await tryBind(address.host, address.port)) !== "EADDRINUSE") return address;
    const from = address.port < firstUnprivileged ? usual : address.port + 1;
    const port = await findFree(address, from, taken, tryBind);
    taken.add(port);
    return { ...address, port };
  };
  const otherHttp = await findOther(http, 8080);
  const otherSmtp: ListenAddress[] = [];
  for (const address of smtpListen) otherSmtp.push(await findOther(address, 2525));
  const smtp = smtpListen.filter(({ port }, index) => otherSmtp[index]?.port !== port);
  const busy = [...smtp, ...(otherHttp.port === httpPort ? [] : [http])].map(({ port }) => port);
  if (busy.length === 0) return null;
  const settings = [
    ...(otherHttp.port === httpPort ? [] : [`ASSAY_HTTP_PORT=${otherHttp.port}`]),
    ...(smtp.length === 0 ? [] : [`ASSAY_SMTP_LISTEN=${toShellWord(otherSmtp.map(toHostPort).join(","))}`]),
  ];
  return new Refusal("conflict", `${toWords([...new Set(busy)])}. Try: ${settings.join(" ")} ${command}`);
}

async function findFree(
  { host }: ListenAddress,
  from: number,
  taken: ReadonlySet<number>,
  tryBind: TryBind,
): Promise<number> {
  for (let port = from; port < from + mostTries && port <= 65_535; port++)
    if (!taken.has(port) && (await tryBind(host, port)) === null) return port;
  // The system chooses one.
  return 0;
}

function toWords(ports: readonly number[]): string {
  const list = toList(ports.map(String));
  return ports.length === 1 ? `Port ${list} is in use` : `Ports ${list} are in use`;
}
