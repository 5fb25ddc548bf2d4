// API tokens: made, shown once, revoked.

import { useState } from "preact/hooks";
import type { ApiToken, IssuedApiToken } from "../../api/accounts.ts";
import { call } from "../client/call.ts";
import { useLoaded } from "../client/loading.ts";
import { useSession } from "../client/session.ts";
import { useDoing } from "../client/use-action.ts";
import { toDay, toPlural } from "../client/words.ts";
import { Copyable } from "../parts/copy.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field, FormActs } from "../parts/form.tsx";
import { EmptyState } from "../parts/states.tsx";
import { Moment } from "../parts/text.tsx";
import { Severity } from "../parts/tone.tsx";
import {
  ActionTable,
  ConfirmDoing,
  Reading,
  SectionHead,
  SelectField,
  ShownOnce,
  TroubleNote,
  troubleOf,
} from "./parts.tsx";

type TokenList = { readonly tokens: readonly ApiToken[]; readonly names: ReadonlyMap<string, string> };

async function readTokens(signal: AbortSignal): Promise<TokenList> {
  const [tokens, members] = await Promise.all([
    call("GET /api/tokens", { signal }),
    call("GET /api/members", { signal }),
  ]);
  return { tokens: tokens.items, names: new Map(members.items.map(({ id, name }) => [id, name])) };
}

export function TokensSection() {
  const reading = useLoaded("tokens", readTokens);
  const [isMaking, setMaking] = useState(false);
  const [issued, setIssued] = useState<IssuedApiToken | null>(null);
  const [revoked, setRevoked] = useState<ApiToken | null>(null);
  const forget = () => {
    if (revoked?.id === issued?.id) setIssued(null);
    reading.reload();
  };
  const add = (token: IssuedApiToken) => {
    setMaking(false);
    setIssued(token);
    reading.reload();
  };
  const isEmpty = reading.loaded.value?.tokens.length === 0;
  const newToken = (
    <button class="btn primary" type="button" onClick={() => setMaking(true)}>
      New token
    </button>
  );
  return (
    <>
      <SectionHead
        title="API tokens"
        lead="A token lets a program do in this workspace what you can do here. Keep it like a password."
      >
        {!isEmpty && newToken}
      </SectionHead>
      {issued && <Issued token={issued} onClose={() => setIssued(null)} />}
      <Reading reading={reading} what="the tokens">
        {({ tokens, names }) =>
          tokens.length === 0 ? (
            <EmptyState icon="lock" title="No program has a token yet">
              <p>
                Make one for a build server, a script or a dashboard of your own. See the{" "}
                <a href="/docs/api">API reference</a>.
              </p>
              {newToken}
            </EmptyState>
          ) : (
            <TokenTable tokens={tokens} names={names} onRevoke={setRevoked} />
          )
        }
      </Reading>
      {isMaking && <NewToken onClose={() => setMaking(false)} onIssued={add} />}
      {revoked && <Revoke token={revoked} onClose={() => setRevoked(null)} onDone={forget} />}
    </>
  );
}

function Issued({ token, onClose }: { readonly token: IssuedApiToken; readonly onClose: () => void }) {
  const { workspace } = useSession();
  const command = [
    `curl -H "Authorization: Bearer ${token.token}" \\`,
    `     -H "X-Workspace-Id: ${workspace.id}" \\`,
    `     "${window.location.origin}/api/tests?limit=5"`,
  ].join("\n");
  return (
    <ShownOnce
      title={`Token “${token.name}” is made. Copy it now.`}
      action="I have copied it"
      onClose={onClose}
    >
      <p class="muted">It is shown this once. Assay keeps only a fingerprint of it.</p>
      <Copyable text={token.token} what="the token" />
      <h4 class="mt-4">Try it</h4>
      <p class="muted small">It answers with the five newest tests of {workspace.name}.</p>
      <Copyable text={command} what="the command" />
    </ShownOnce>
  );
}

type TokenTableProps = TokenList & { readonly onRevoke: (token: ApiToken) => void };

function TokenTable({ tokens, names, onRevoke }: TokenTableProps) {
  return (
    <ActionTable
      caption={toPlural(tokens.length, "token", "tokens")}
      columns={["Name", "Made by", "Made", "Last used", "Ends"]}
    >
      {tokens.map((token) => (
        <TokenRow
          key={token.id}
          token={token}
          maker={token.createdBy === null ? null : (names.get(token.createdBy) ?? "somebody who left")}
          onRevoke={() => onRevoke(token)}
        />
      ))}
    </ActionTable>
  );
}

type TokenRowProps = {
  readonly token: ApiToken;
  readonly maker: string | null;
  readonly onRevoke: () => void;
};

function TokenRow({ token, maker, onRevoke }: TokenRowProps) {
  const { name, createdAt, lastUsedAt } = token;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td data-l="Made by">{maker ?? <span class="muted">This server’s operator</span>}</td>
      <td data-l="Made">
        <Moment time={createdAt} words={toDay(createdAt)} />
      </td>
      <td data-l="Last used">
        {lastUsedAt === null ? <span class="faint">never</span> : <Moment time={lastUsedAt} />}
      </td>
      <td data-l="Ends">
        <End token={token} />
      </td>
      <td class="num">
        <span class="settings-acts">
          <button class="btn small danger" type="button" onClick={onRevoke}>
            {hasEnded(token) ? "Remove" : "Revoke"}
            <span class="vh"> {name}</span>
          </button>
        </span>
      </td>
    </tr>
  );
}

const dayMs = 86_400_000;
const soonMs = 7 * dayMs;

function leftMs({ expiresAt }: Pick<ApiToken, "expiresAt">): number {
  return expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - Date.now();
}

function hasEnded(token: Pick<ApiToken, "expiresAt">): boolean {
  return leftMs(token) <= 0;
}

function End({ token }: { readonly token: Pick<ApiToken, "expiresAt"> }) {
  const { expiresAt } = token;
  if (expiresAt === null) return <>never</>;
  const left = leftMs(token);
  if (left <= 0) return <Severity tone="info">ended {toDay(expiresAt)}</Severity>;
  if (left > soonMs) return <Moment time={expiresAt} words={toDay(expiresAt)} />;
  return (
    <Severity tone="minor">
      {left < dayMs ? "within a day" : `in ${toPlural(Math.round(left / dayMs), "day", "days")}`}
    </Severity>
  );
}

type RevokeProps = {
  readonly token: ApiToken;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

function Revoke({ token, ...rest }: RevokeProps) {
  const verb = hasEnded(token) ? "Remove" : "Revoke";
  return (
    <ConfirmDoing
      {...rest}
      title={`${verb} “${token.name}”?`}
      action={verb}
      act={() => call("DELETE /api/tokens/:id", { params: { id: token.id } })}
      done={`“${token.name}” is ${verb.toLowerCase()}d.`}
      failed="The token is as it was."
    >
      <p>
        {hasEnded(token)
          ? "It has ended already and opens nothing. It only leaves this list."
          : "Programs that use it are refused from then on. It cannot be brought back; a new token can take its place."}
      </p>
    </ConfirmDoing>
  );
}

const lives = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "never", label: "Never" },
] as const;

type NewTokenProps = { readonly onClose: () => void; readonly onIssued: (token: IssuedApiToken) => void };

function NewToken({ onClose, onIssued }: NewTokenProps) {
  const { isBusy, trouble, run } = useDoing();
  const make = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const body = { name: String(form.get("name")), expiresAt: toEnd(String(form.get("life"))) };
    void run(async () => onIssued(await call("POST /api/tokens", { body })));
  };
  const nameTrouble =
    trouble?.code === "missing_name" ? "Give the token a name." : troubleOf(trouble, "name", "The name");
  return (
    <Dialog title="New token" onClose={onClose}>
      <form class="stack" onSubmit={make}>
        <Field
          label="Name"
          name="name"
          hint="What will use it, so that you know it again."
          error={nameTrouble}
        />
        <SelectField label="Ends after" name="life" value="90" options={lives} />
        <TroubleNote trouble={trouble} title="No token was made." fields={["name"]} />
        <FormActs action="Make the token" isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

function toEnd(life: string): string | null {
  return life === "never" ? null : new Date(Date.now() + Number(life) * dayMs).toISOString();
}
