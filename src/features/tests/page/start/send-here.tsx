// Where to send a test: the address, the server and port that an app must enter, who can reach them, and snippets that are
// filled in.

import { call } from "../../../../web/client/call.ts";
import { type LoadState, useLoaded } from "../../../../web/client/loading.ts";
import { useIsOwner, useSession } from "../../../../web/client/session.ts";
import { Copyable, CopyButton } from "../../../../web/parts/copy.tsx";
import { Tabs } from "../../../../web/parts/navigation.tsx";
import { ErrorNote, Note, Skeleton } from "../../../../web/parts/states.tsx";
import { OperatorTask } from "../../../../web/settings/parts.tsx";
import type { Receiving, SendingSnippet } from "../../../intake/contract/receiving.ts";

type ReceivingState = { readonly loaded: LoadState<Receiving>; readonly reload: () => void };
type Props = {
  readonly receiving: ReceivingState;
  /** Without the settings and snippets of the start page. */
  readonly isAlone?: boolean;
};

export function useReceiving(): ReceivingState {
  return useLoaded("receiving", (signal) => call("GET /api/receiving", { signal }));
}

/** Every workspace has inboxes, but the server no longer accepts mail for their domains. */
function NoSeedAddress() {
  return (
    <Note tone="minor">
      None of your seed addresses work anymore, because their domain was removed.{" "}
      <OperatorTask to="/settings/receiving#own-domain" task="add the domain again" /> Or{" "}
      <a href="/settings/receiving">create a new address</a>.
    </Note>
  );
}

/** Also shown while the list of tests is empty. `isMain`: copying it is the main action of the page. */
export function SeedAddress({ isMain = false }: { readonly isMain?: boolean }) {
  const { seedAddress } = useSession().workspace;
  if (seedAddress === null) return <NoSeedAddress />;
  const labelled = seedAddress.replace("@", "+welcome@");
  return (
    <div class="stack-2">
      <div class="copy big">
        <code>{seedAddress}</code>
        <CopyButton text={seedAddress} what="the seed address" isMain={isMain} />
      </div>
      <p class="small muted">
        To label a test, add a plus sign and a word: <code>{labelled}</code>. This address is permanent.
      </p>
    </div>
  );
}

const reachWords = {
  machine: "from this computer only",
  network: "from your network",
  all: "from any computer",
} as const;

export function Connection({ receiving: { loaded, reload } }: Props) {
  if (loaded.state === "failed" && loaded.value === null)
    return <ErrorNote title="Couldn’t load the SMTP settings." message={loaded.trouble.message} onRetry={reload} />;
  if (loaded.value === null) return <Skeleton lines={3} what="the SMTP settings" />;
  const { listeners, isProxied, certificate } = loaded.value;
  return (
    <section class="card stack" aria-labelledby="smtp-h">
      <h2 class="t4" id="smtp-h">
        SMTP settings for your app
      </h2>
      {listeners.map((listener) => (
        <dl class="connect" key={`${listener.host} ${listener.port}`}>
          <div>
            <dt>Server</dt>
            <dd>
              <code>{listener.host}</code> <CopyButton text={listener.host} what={`the server ${listener.host}`} />
              <span class="label">{reachWords[listener.reach]}</span>
            </dd>
          </div>
          <div>
            <dt>Port</dt>
            <dd>
              <code>{listener.port}</code>{" "}
              <CopyButton text={String(listener.port)} what={`the port ${listener.port}`} />
            </dd>
          </div>
          <div>
            <dt>Login</dt>
            <dd>{toLogin(listener.login)}</dd>
          </div>
          <div>
            <dt>Encryption</dt>
            <dd>{toEncryption(certificate)}</dd>
          </div>
        </dl>
      ))}
      {isProxied && <p class="small muted">If a proxy is in front of Assay, enter its address and port instead.</p>}
    </section>
  );
}

function toLogin(login: Receiving["listeners"][number]["login"]): string {
  if (login === "any") return "Any user name and password, or none";
  if (login === "encrypted") return "None, or any user name and password after STARTTLS";
  return "None. Turn off authentication in your app";
}

function toEncryption(certificate: Receiving["certificate"]): string {
  return certificate === "own"
    ? "None or STARTTLS"
    : "None or STARTTLS. The certificate is self-signed, so turn off verification in your app";
}

/** Says it before anyone waits for a message that can't arrive. */
export function ReachNote({ receiving: { loaded }, isAlone = false }: Props) {
  const { value } = loaded;
  const [first] = value?.listeners ?? [];
  if (value === null || first === undefined || value.address === null) return null;
  const domain = value.address.slice(value.address.lastIndexOf("@") + 1);
  const isOnPort25 = value.listeners.some(({ reach, port }) => reach === "all" && port === 25);
  if (!value.isReserved && isOnPort25 && !value.isProxied) return <PublishedNote domain={domain} />;
  const { title, why } = toReach(value, domain);
  if (isAlone)
    return (
      <Note tone="minor">
        <strong>{title}</strong> {why} <a href="/start">See how to send to it</a>, or{" "}
        <a href="/settings/receiving#own-domain">set up your own domain</a>.
      </Note>
    );
  return (
    <Note tone="minor">
      <strong>{title}</strong> {why}
      <br />
      <strong>To test from here</strong>, use these SMTP settings or a snippet below.
      <br />
      <strong>To receive from Gmail, Mailchimp, or any other service</strong>,{" "}
      <a href="/settings/receiving#own-domain">set up your own domain</a>.
    </Note>
  );
}

function toReach({ listeners, isReserved, isProxied }: Receiving, domain: string): { title: string; why: string } {
  const reserved = `${domain} is a reserved name, so other mail servers can’t find this one.`;
  const isAt = (reach: string) => listeners.some((listener) => listener.reach === reach);
  if (!isAt("network") && !isAt("all") && !isProxied)
    return {
      title: "This address works only from this computer.",
      why: isReserved ? reserved : "Assay accepts connections from this computer only.",
    };
  if (isReserved)
    return { title: "This address works only for apps that connect to this server directly.", why: reserved };
  if (!isAt("all") && !isProxied)
    return { title: "This address works only from your network.", why: "Assay listens on private addresses only." };
  return {
    title: "Mail from the internet may not arrive.",
    why: "Other mail servers deliver to port 25, and Assay listens on another port. Make sure that port 25 is forwarded to it.",
  };
}

/** The operator sees whether DNS leads here. Others only know what their administrator tells them. */
function PublishedNote({ domain }: { readonly domain: string }) {
  return useIsOwner() ? <CheckedNote domain={domain} /> : null;
}

function CheckedNote({ domain }: { readonly domain: string }) {
  const { loaded } = useLoaded(domain, (signal) => call("GET /api/doctor/mx", { query: { domain }, signal }));
  if (loaded.value === null || loaded.value.isPublished) return null;
  return (
    <Note tone="minor">
      <strong>Mail from the internet may not arrive.</strong> Assay couldn’t confirm that the DNS records of {domain}{" "}
      lead to this server.{" "}
      <a href={`/settings/receiving?domain=${encodeURIComponent(domain)}#own-domain`}>Check the records</a>.
    </Note>
  );
}

export function Snippets({ receiving: { loaded } }: Props) {
  const { snippets = [] } = loaded.value ?? {};
  if (snippets.length === 0) return null;
  const isReachable = loaded.value?.isReserved === false && loaded.value.listeners[0]?.reach === "all";
  const tabs = snippets.map((snippet) => ({
    name: snippet.label,
    content: () => <Snippet key={snippet.id} snippet={snippet} isReachable={isReachable} />,
  }));
  return (
    <section class="mt-6 stack" aria-labelledby="snippets-h">
      <h2 id="snippets-h">Ready to paste</h2>
      <Tabs label="Ways to send" tabs={tabs} />
    </section>
  );
}

/** What needs no snippet is sent by someone else's server, which must find this one. */
function Snippet({
  snippet: { label, text, note },
  isReachable,
}: {
  readonly snippet: SendingSnippet;
  readonly isReachable: boolean;
}) {
  return (
    <div class="stack pad">
      {note !== null && <p class="small muted">{note}</p>}
      {text === null && !isReachable && (
        <p>
          <a class="btn" href="/settings/receiving#own-domain">
            Set up your own domain
          </a>
        </p>
      )}
      {text !== null && <Copyable text={text.trimEnd()} what={`the snippet for ${label}`} />}
    </div>
  );
}
