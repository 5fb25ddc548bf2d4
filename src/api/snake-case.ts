// Our own values as the Test resource shows them: the same, with names in snake case (decisions §1). Only for values whose
// keys are names of ours; what strangers write stands in values, never in keys.

type SnakeCase<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
  : Name;

export type SnakeCased<T> = T extends readonly (infer Entry)[]
  ? SnakeCased<Entry>[]
  : T extends object
    ? { [Key in keyof T as Key extends string ? SnakeCase<Key> : never]: SnakeCased<T[Key]> }
    : T;

export function toSnakeCased<T>(value: T): SnakeCased<T> {
  return convert(value) as SnakeCased<T>;
}

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [toSnakeCase(key), convert(entry)]));
}

export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
