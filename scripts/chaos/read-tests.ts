// Reads the tests of a running Assay over its API.

import { headersOf, type Place } from "../bench/many-tests.ts";

export type Reader = Place & { readonly http: string };

export type ShownTest = {
  readonly id: string;
  readonly label: string | null;
  readonly subject: string | null;
  readonly status: string;
  /** Only when one test is read. */
  readonly failure?: string | null;
};

/** Newest first, page by page. */
export async function* listAll(reader: Reader): AsyncGenerator<ShownTest> {
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? "" : `&cursor=${cursor}`;
    const page: { items: ShownTest[]; next: string | null } = await (
      await get(reader, `/api/tests?limit=100${query}`)
    ).json();
    yield* page.items;
    cursor = page.next;
  } while (cursor !== null);
}

/** The newest with this label. */
export async function findByLabel(reader: Reader, label: string): Promise<ShownTest | undefined> {
  const { items } = (await (await get(reader, `/api/tests?limit=1&label=${label}`)).json()) as { items: ShownTest[] };
  return items[0];
}

export async function readOne(reader: Reader, id: string): Promise<ShownTest> {
  return (await (await get(reader, `/api/tests/${id}`)).json()) as ShownTest;
}

/** One character a byte. */
export async function readRaw(reader: Reader, id: string): Promise<string> {
  return Buffer.from(await (await get(reader, `/api/tests/${id}/raw`)).arrayBuffer()).toString("latin1");
}

/** The complete view, or a message that there is nothing to see. */
export async function readView({ http, ...access }: Reader, path: string): Promise<void> {
  const answer = await fetch(`${http}${path}`, { headers: headersOf(access) });
  await answer.arrayBuffer();
  if (answer.status !== 200 && answer.status !== 404) throw new Error(`${path} answered ${answer.status}.`);
}

async function get({ http, ...access }: Reader, path: string): Promise<Response> {
  const answer = await fetch(`${http}${path}`, { headers: headersOf(access) });
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}
