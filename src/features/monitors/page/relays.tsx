// The mail servers that canaries are sent through.

import { useEffect, useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import { useDoing } from "../../../web/client/use-action.ts";
import { EmptyState, ErrorNote, sayDone } from "../../../web/parts/states.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import { ActionTable, ConfirmDoing, Reading, SectionHead } from "../../../web/settings/parts.tsx";
import { readServer } from "../../../web/settings/smtp-server.tsx";
import type { Relay } from "../contract/relays.ts";
import { useRelays } from "./canary-form.tsx";
import { RelayDialog } from "./relay-form.tsx";

type Open = { readonly what: "nothing" | "add" } | { readonly what: "edit" | "delete"; readonly relay: Relay };

export function RelaysSection() {
  const reading = useRelays();
  const [open, setOpen] = useState<Open>({ what: "nothing" });
  const [saved, setSaved] = useState<string | null>(null);
  const close = () => setOpen({ what: "nothing" });
  const noteSaved = (id: string) => {
    setSaved(id);
    reading.reload();
  };
  return (
    <>
      <SectionHead
        title="Relays"
        lead="Mail servers that canaries are sent through: yours, or your email provider’s. Other mail never uses them."
      >
        <button class="btn primary" type="button" onClick={() => setOpen({ what: "add" })}>
          Add relay
        </button>
      </SectionHead>
      <Reading reading={reading} what="the relays">
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon="inbox" title="No relays yet">
              <p>Add the SMTP server that your app or newsletter tool sends through.</p>
            </EmptyState>
          ) : (
            <RelayTable relays={items} saved={saved} onTest={() => setSaved(null)} onOpen={setOpen} />
          )
        }
      </Reading>
      {open.what === "add" && <RelayDialog relay={null} onClose={close} onSaved={noteSaved} />}
      {open.what === "edit" && <RelayDialog relay={open.relay} onClose={close} onSaved={noteSaved} />}
      {open.what === "delete" && (
        <ConfirmDoing
          title={`Delete “${open.relay.name}”?`}
          action="Delete relay"
          act={() => call("DELETE /api/relays/:id", { params: { id: open.relay.id } })}
          done="Relay deleted."
          failed="Couldn’t delete the relay."
          onDone={reading.reload}
          onClose={close}
        >
          <p>Assay forgets its URL and password.</p>
        </ConfirmDoing>
      )}
    </>
  );
}

type TableProps = {
  readonly relays: readonly Relay[];
  /** It was just added or changed, so it is tested at once. */
  readonly saved: string | null;
  readonly onTest: () => void;
  readonly onOpen: (open: Open) => void;
};

function RelayTable({ relays, saved, ...doing }: TableProps) {
  return (
    <ActionTable caption="Relays" columns={["Name", "Server", "Sender"]}>
      {relays.map((relay) => (
        <RelayRow key={relay.id} relay={relay} isSaved={relay.id === saved} {...doing} />
      ))}
    </ActionTable>
  );
}

type RowProps = Pick<TableProps, "onTest" | "onOpen"> & { readonly relay: Relay; readonly isSaved: boolean };

function RelayRow({ relay, isSaved, onTest, onOpen }: RowProps) {
  const { id, name, hasLogin, mailFrom } = relay;
  const { isBusy, trouble, run } = useDoing();
  const [problem, setProblem] = useState<string | null>(null);
  const [works, setWorks] = useState(false);
  const test = () =>
    run(async () => {
      setProblem(null);
      setWorks(false);
      const tried = await call("POST /api/relays/:id/test", { params: { id } });
      setProblem(tried.problem);
      setWorks(tried.works);
      if (tried.works) sayDone(hasLogin ? `“${name}” accepts the login.` : `“${name}” can be reached.`);
    });
  useEffect(() => {
    if (!isSaved) return;
    onTest();
    void test();
  });
  return (
    <tr>
      <th scope="row">{name}</th>
      <td data-l="Server">
        {/* One element, because narrow screens lay out each child on its own. */}
        <div>
          <code>{toHostPort(relay)}</code>
          <span class="settings-sub">{toLoginWords(relay)}</span>
          {works && (
            <span class="settings-sub">
              <Severity tone="good">{hasLogin ? "It accepts the login." : "It can be reached."}</Severity>{" "}
              <a href="/canaries/new">Add a canary</a>
            </span>
          )}
          {(problem ?? trouble?.message) && (
            <ErrorNote title="The test failed." message={problem ?? trouble?.message ?? ""} />
          )}
        </div>
      </td>
      <td data-l="Sender">{mailFrom}</td>
      <td class="num">
        <span class="settings-acts">
          <button class="btn small" type="button" disabled={isBusy} onClick={() => void test()}>
            {isBusy ? "Testing…" : "Test"}
            <span class="vh"> the relay {name}</span>
          </button>
          <button class="btn small" type="button" onClick={() => onOpen({ what: "edit", relay })}>
            Edit<span class="vh"> the relay {name}</span>
          </button>
          <button class="btn small danger" type="button" onClick={() => onOpen({ what: "delete", relay })}>
            Delete<span class="vh"> the relay {name}</span>
          </button>
        </span>
      </td>
    </tr>
  );
}

function toHostPort({ url }: Relay): string {
  const { host, port } = readServer(url);
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function toLoginWords({ url, hasLogin }: Relay): string {
  const { scheme, user } = readServer(url);
  const login = hasLogin ? `, logs in as ${user}` : ", no login";
  const tls = scheme === "smtps" ? "TLS from the start" : hasLogin ? "STARTTLS" : "STARTTLS if offered";
  return `${tls}${login}`;
}
