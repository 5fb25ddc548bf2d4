import { describe, expect, test } from "vitest";
import { verifyDkim } from "../../../../src/analyzer/facts/dkim.ts";
import { readHeaderSection } from "../../../../src/analyzer/mail/headers/fields.ts";
import { createSignOutgoing } from "../../../../src/features/sending/work/signing-keys.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { worldWithCaller } from "../../../http/interface-world.ts";
import { dumpDatabase } from "../../../laws/places.ts";

type Key = { id: string; domain: string; selector: string; algorithm: string; record: KeyRecord; published: unknown };
type KeyRecord = { name: string; type: string; value: string };

const letter = Buffer.from("From: ann@a.example\r\nSubject: Hello\r\n\r\nHello\r\n");

async function open() {
  const world = await worldWithCaller();
  const { ask, store, signing, internet, clock, workspace } = world;
  const signOutgoing = createSignOutgoing(signing);
  return {
    ...world,
    create: async (body: object = { domain: "a.example" }): Promise<Key[]> =>
      (await ask("POST", "/api/signing-keys", body)).json.items,
    list: async (): Promise<Key[]> => (await ask("GET", "/api/signing-keys")).json.items,
    publish: (...records: KeyRecord[]) => {
      internet.zone = Object.fromEntries(records.map(({ name, value }) => [name, { TXT: [value] }]));
    },
    /** As a receiver judges it. */
    verdicts: async (domain = "a.example", inside = workspace) => {
      const raw = await signOutgoing(inWorkspace(store.read, inside), domain, letter);
      const { signatures } = await verifyDkim({ raw, section: readHeaderSection(raw) }, signing.dns, clock.nowMs);
      return signatures.map(({ algorithm, domain: of, result }) => `${algorithm} ${of} ${result}`).sort();
    },
  };
}

const byAlgorithm = (keys: Key[], algorithm: string) => keys.find((key) => key.algorithm === algorithm) as Key;

describe("signing keys", () => {
  test("signing keys are created with one of each algorithm, and the records to publish", async () => {
    const { ask, list } = await open();
    const { status, json } = await ask("POST", "/api/signing-keys", { domain: "https://A.Example/path" });
    expect(status).toBe(201);
    const rsa = byAlgorithm(json.items, "rsa");
    const ed25519 = byAlgorithm(json.items, "ed25519");
    expect(json.items).toHaveLength(2);
    for (const key of [rsa, ed25519])
      expect(key).toMatchObject({
        id: expect.stringMatching(/^key_/),
        domain: "a.example",
        selector: expect.stringMatching(/^assay-(rsa|ed)-[0-9a-z]{10}$/),
        record: { name: `${key.selector}._domainkey.a.example`, type: "TXT" },
        published: false,
        createdAt: "2026-11-21T06:00:00.000Z",
      });
    expect(rsa.record.value).toMatch(/^v=DKIM1; k=rsa; p=MII[A-Za-z0-9+/]{389}$/);
    expect(ed25519.record.value).toMatch(/^v=DKIM1; k=ed25519; p=[A-Za-z0-9+/]{43}=$/);
    expect(new Set(await list())).toEqual(new Set(json.items));
  });

  test("signing keys are created for the requested algorithm, and then only the missing ones", async () => {
    const { create, list } = await open();
    expect(await create({ domain: "a.example", algorithm: "ed25519" })).toMatchObject([{ algorithm: "ed25519" }]);
    expect(await create()).toMatchObject([{ algorithm: "rsa" }]);
    expect(await list()).toHaveLength(2);
  });

  test.each([{}, { algorithm: "rsa" }, { algorithm: "ed25519" }])(
    "signing keys are rejected if the domain already has all of them (%j)",
    async (wanted) => {
      const { ask, create, list } = await open();
      await create();
      const { status, json } = await ask("POST", "/api/signing-keys", { domain: "A.EXAMPLE", ...wanted });
      expect(status).toBe(409);
      expect(json).toMatchObject({ error: "conflict", field: "domain" });
      expect(await list()).toHaveLength(2);
    },
  );

  test("signing keys are created once by simultaneous requests", async () => {
    const { create, list } = await open();
    await Promise.all([create(), create(), create()]);
    expect(await list()).toHaveLength(2);
  });

  test.each([
    ["domain", "not a domain"],
    ["domain", "com"],
    ["domain", `${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(40)}.example`],
    ["domain", ""],
    ["domain", undefined],
    ["algorithm", "dsa"],
    ["algorithm", null],
  ])("signing keys are rejected with the %s %j", async (field, value) => {
    const { ask } = await open();
    const { status, json } = await ask("POST", "/api/signing-keys", { domain: "a.example", [field]: value });
    expect(status).toBe(400);
    expect(json).toMatchObject({ error: "invalid_request", field });
  });

  test("signing keys of one domain in two workspaces have different selectors", async () => {
    const { create, createWorkspace, issueToken, askAs } = await open();
    const { id: workspace } = await createWorkspace("Theirs");
    const { token } = await issueToken(workspace);
    const body = { domain: "a.example", algorithm: "ed25519" };
    const theirs = await askAs("POST", "/api/signing-keys", { token, workspace, body });
    const ours = await create(body);
    expect(theirs.status).toBe(201);
    expect(ours[0]?.record.name).not.toBe(theirs.json.items[0].record.name);
  });

  test("signing keys are limited to a hundred per workspace", async () => {
    const { ask, create, list } = await open();
    for (let made = 0; made < 100; made++) await create({ domain: `a${made}.example`, algorithm: "ed25519" });
    const { status, json } = await ask("POST", "/api/signing-keys", { domain: "a.example" });
    expect([status, json.error]).toEqual([409, "conflict"]);
    expect(await list()).toHaveLength(100);
  });

  test("signing keys are encrypted in the database, and never returned", async () => {
    const { ask, create, store } = await open();
    await create();
    const stored = await dumpDatabase(store);
    expect(stored).toContain("assay-ed-");
    // How PKCS #8 begins, of Ed25519 and of RSA with 2,048 bits.
    for (const beginning of ["MC4CAQ", "MIIEv", "PRIVATE"]) {
      expect(stored).not.toContain(beginning);
      expect((await ask("GET", "/api/signing-keys")).text).not.toContain(beginning);
    }
  });

  test("signing keys can be deleted, which makes room for new ones", async () => {
    const { ask, create, list } = await open();
    const [key] = await create({ domain: "a.example", algorithm: "ed25519" });
    expect((await ask("DELETE", `/api/signing-keys/${key?.id}`)).status).toBe(204);
    expect((await ask("DELETE", `/api/signing-keys/${key?.id}`)).status).toBe(404);
    expect(await list()).toEqual([]);
    expect(await create({ domain: "a.example", algorithm: "ed25519" })).toHaveLength(1);
  });
});

describe("a signing key counts as published", () => {
  test("a signing key counts as published while DNS contains exactly this key", async () => {
    const { create, list, publish } = await open();
    const [key] = (await create({ domain: "a.example", algorithm: "ed25519" })) as [Key];
    const [other] = (await create({ domain: "b.example", algorithm: "ed25519" })) as [Key];
    const told = async (value: string) => {
      publish({ ...key.record, value });
      return (await list()).find(({ id }) => id === key.id)?.published;
    };
    const { value } = key.record;
    expect(await told(value)).toBe(true);
    expect(await told(`${value}; t=s; n=ours`)).toBe(true);
    expect(await told(other.record.value)).toBe(false);
    expect(await told("v=DKIM1; k=ed25519; p=")).toBe(false);
    expect(await told(value.replace("k=ed25519", "k=rsa"))).toBe(false);
    expect(await told(`${value}; h=sha1`)).toBe(false);
    expect(await told("nonsense")).toBe(false);
  });

  test("a signing key does not count as published if DNS has another key as well", async () => {
    const { create, list, internet } = await open();
    const [key] = (await create({ domain: "a.example", algorithm: "ed25519" })) as [Key];
    const { name, value } = key.record;
    internet.zone = { [name]: { TXT: [value, "v=DKIM1; p="] } };
    expect((await list())[0]?.published).toBe(false);
    internet.zone = { [name]: { TXT: [value, "v=spf1 -all"] } };
    expect((await list())[0]?.published).toBe(true);
  });

  test("a signing key's publication is unknown while DNS does not answer", async () => {
    const { create, list, internet } = await open();
    const [key] = (await create({ domain: "a.example", algorithm: "ed25519" })) as [Key];
    internet.zone = { [key.record.name]: "timeout" };
    expect((await list())[0]?.published).toBeNull();
  });
});

describe("outgoing mail", () => {
  test("outgoing mail is signed with each published key of its domain", async () => {
    const { create, publish, verdicts } = await open();
    const keys = await create();
    await create({ domain: "b.example" });
    expect(await verdicts()).toEqual([]);
    publish(byAlgorithm(keys, "rsa").record);
    expect(await verdicts()).toEqual(["rsa-sha256 a.example pass"]);
    publish(...keys.map(({ record }) => record));
    expect(await verdicts()).toEqual(["ed25519-sha256 a.example pass", "rsa-sha256 a.example pass"]);
    expect(await verdicts("A.Example")).toHaveLength(2);
    for (const domain of ["b.example", "mail.a.example", "example"]) expect(await verdicts(domain)).toEqual([]);
  });

  test("outgoing mail is never signed with a key of another workspace", async () => {
    const { create, createWorkspace, publish, verdicts } = await open();
    const { id: theirs } = await createWorkspace("Theirs");
    publish(...(await create()).map(({ record }) => record));
    expect(await verdicts("a.example", theirs)).toEqual([]);
  });

  test("outgoing mail is no longer signed after the key is deleted or removed from DNS", async () => {
    const { ask, create, publish, verdicts } = await open();
    const keys = await create();
    publish(...keys.map(({ record }) => record));
    await ask("DELETE", `/api/signing-keys/${byAlgorithm(keys, "rsa").id}`);
    expect(await verdicts()).toEqual(["ed25519-sha256 a.example pass"]);
    publish();
    expect(await verdicts()).toEqual([]);
  });
});
