// API tokens: create, show once, revoke.

import { useState } from "preact/hooks";
import { toList } from "../../../analyzer/words/plain-words.ts";
import { call } from "../../../web/client/call.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { useIsOwner, useSession } from "../../../web/client/session.ts";
import { toDay, toPlural } from "../../../web/client/words.ts";
import { Copyable } from "../../../web/parts/copy.tsx";
import { EmptyState } from "../../../web/parts/states.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import { ActionTable, ConfirmDoing, Reading, SectionHead, ShownOnce } from "../../../web/settings/parts.tsx";
import type { ApiToken, IssuedApiToken } from "../contract/tokens.ts";
import { NewToken, scopeWords } from "./new-token.tsx";

type Creator = { readonly name: string; readonly role: "owner" | "member" };
type TokenList = { readonly tokens: readonly ApiToken[]; readonly people: ReadonlyMap<string, Creator> };

async function readTokens(signal: AbortSignal): Promise<TokenList> {
  const [tokens, members] = await Promise.all([
    call("GET /api/tokens", { signal }),
    call("GET /api/members", { signal }),
  ]);
  return { tokens: tokens.items, people: new Map(members.items.map((member) => [member.id, member])) };
}

export function TokensSection() {
  const reading = useLoaded("tokens", readTokens);
  const [isCreating, setCreating] = useState(false);
  const [issued, setIssued] = useState<IssuedApiToken | null>(null);
  const [revoked, setRevoked] = useState<ApiToken | null>(null);
  const forget = () => {
    if (revoked?.id === issued?.id) setIssued(null);
    reading.reload();
  };
  const add = (token: IssuedApiToken) => {
    setCreating(false);
    setIssued(token);
    reading.reload();
  };
  const isEmpty = reading.loaded.value?.tokens.length === 0;
  const newToken = (
    <button class="btn primary" type="button" onClick={() => setCreating(true)}>
      Create token
    </button>
  );
  return (
    <>
      <SectionHead
        title="API tokens"
        lead="Tokens let scripts, CI jobs, and AI agents use this workspace with as much of your access as you give them. Treat them like passwords."
      >
        {!isEmpty && newToken}
      </SectionHead>
      {issued && <Issued token={issued} onClose={() => setIssued(null)} />}
      <Reading reading={reading} what="the tokens">
        {({ tokens, people }) =>
          tokens.length === 0 ? (
            <EmptyState icon="lock" title="No tokens yet">
              <p>
                Create one for a CI job, a script, or an AI agent. See <a href="/docs/security">API tokens</a> in the
                handbook.
              </p>
              {newToken}
            </EmptyState>
          ) : (
            <>
              <TokenTable tokens={tokens} people={people} onRevoke={setRevoked} />
              {revoked && <Revoke token={revoked} people={people} onClose={() => setRevoked(null)} onDone={forget} />}
            </>
          )
        }
      </Reading>
      {isCreating && <NewToken onClose={() => setCreating(false)} onIssued={add} />}
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
    <ShownOnce title={`Token “${token.name}” created`} action="I’ve copied it" onClose={onClose}>
      <p class="muted">Copy it now. It won’t be shown again, because Assay only stores a hash.</p>
      <Copyable text={token.token} what="the token" />
      <h4 class="mt-4">Try it</h4>
      <p class="muted small">Lists the five latest tests in {workspace.name}.</p>
      <Copyable text={command} what="the command" />
    </ShownOnce>
  );
}

type TokenTableProps = TokenList & { readonly onRevoke: (token: ApiToken) => void };

function TokenTable({ tokens, people, onRevoke }: TokenTableProps) {
  const isOwner = useIsOwner();
  return (
    <ActionTable
      caption={toPlural(tokens.length, "token", "tokens")}
      columns={["Name", "Access", "Created by", "Last used", "Expires"]}
    >
      {tokens.map((token) => (
        <TokenRow
          key={token.id}
          token={token}
          creator={token.createdBy === null ? null : (people.get(token.createdBy)?.name ?? "Former member")}
          creatorToken={tokens.find(({ id }) => id === token.createdWith) ?? null}
          onRevoke={isOwner || isMembers(token, people) ? () => onRevoke(token) : null}
        />
      ))}
    </ActionTable>
  );
}

/** Only owners revoke a token that can do what only owners may. */
function isMembers({ createdBy }: ApiToken, people: TokenList["people"]): boolean {
  return createdBy !== null && people.get(createdBy)?.role === "member";
}

type TokenRowProps = {
  readonly token: ApiToken;
  readonly creator: string | null;
  /** The token that created it. */
  readonly creatorToken: ApiToken | null;
  readonly onRevoke: (() => void) | null;
};

function TokenRow({ token, creator, creatorToken, onRevoke }: TokenRowProps) {
  const { name, createdAt, lastUsedAt, lastUsedAddress, scope, label } = token;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td data-l="Access">
        <span>
          {scopeWords[scope].short}
          {label !== null && <span class="settings-sub">Only the label {label}</span>}
        </span>
      </td>
      <td data-l="Created by">
        <span>
          {creator ?? <span class="muted">Administrator</span>}
          {creatorToken !== null && <span class="settings-sub">with the token {creatorToken.name}</span>}
          <span class="settings-sub">
            <Moment time={createdAt} words={toDay(createdAt)} />
          </span>
        </span>
      </td>
      <td data-l="Last used">
        {lastUsedAt === null ? (
          <span class="faint">Never</span>
        ) : (
          <span>
            <Moment time={lastUsedAt} />
            {lastUsedAddress !== null && <span class="settings-sub">from {lastUsedAddress}</span>}
          </span>
        )}
      </td>
      <td data-l="Expires">
        <Expiry token={token} />
      </td>
      <td class="num">
        <span class="settings-acts">
          {onRevoke === null ? (
            <span class="faint small">Owners only</span>
          ) : (
            <button class="btn small danger" type="button" onClick={onRevoke}>
              {hasExpired(token) ? "Remove" : "Revoke"}
              <span class="vh"> {name}</span>
            </button>
          )}
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

function hasExpired(token: Pick<ApiToken, "expiresAt">): boolean {
  return leftMs(token) <= 0;
}

function Expiry({ token }: { readonly token: Pick<ApiToken, "expiresAt"> }) {
  const { expiresAt } = token;
  if (expiresAt === null) return <>Never</>;
  const left = leftMs(token);
  if (left <= 0) return <Severity tone="info">Expired {toDay(expiresAt)}</Severity>;
  if (left > soonMs) return <Moment time={expiresAt} words={toDay(expiresAt)} />;
  return (
    <Severity tone="minor">
      {left < dayMs ? "In less than a day" : `In ${toPlural(Math.round(left / dayMs), "day", "days")}`}
    </Severity>
  );
}

type RevokeProps = {
  readonly token: ApiToken;
  readonly people: TokenList["people"];
  readonly onClose: () => void;
  readonly onDone: () => void;
};

function Revoke({ token, people, ...rest }: RevokeProps) {
  const invited = token.invited.flatMap((id) => people.get(id)?.name ?? []);
  const verb = hasExpired(token) ? "Remove" : "Revoke";
  return (
    <ConfirmDoing
      {...rest}
      title={`${verb} “${token.name}”?`}
      action={verb}
      act={() => call("DELETE /api/tokens/:id", { params: { id: token.id } })}
      done={`“${token.name}” ${verb.toLowerCase()}d.`}
      failed={`Couldn’t ${verb.toLowerCase()} the token.`}
    >
      <p>
        {hasExpired(token)
          ? "This token has expired. It will be removed from the list."
          : "Requests with this token will be rejected, and the tokens, open invitations, and share links that it created stop working. This can’t be undone, but you can create a new token."}
      </p>
      {invited.length > 0 && (
        <p>
          {toList(invited)} joined with an invitation from this token and{" "}
          {invited.length > 1 ? "stay members" : "stays a member"}. If you don’t know them, remove them under{" "}
          <a href="/settings/workspace#members">Members</a>.
        </p>
      )}
    </ConfirmDoing>
  );
}
