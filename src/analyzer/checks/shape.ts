// The structure of a fact, written once as a value. Its type is derived here, and its API schema in
// features/tests/contract/surroundings.ts.

import type { Fact } from "./fact.ts";
import type { Row } from "./infrastructure-facts.ts";

export type Shape = (
  | { readonly is: "text" | "integer" | "number" | "boolean" }
  | { readonly is: "word"; readonly of: readonly string[] }
  | { readonly is: "list" | "nullable" | "fact" | "rows"; readonly of: Shape }
  | { readonly is: "record"; readonly of: Readonly<Record<string, Shape>> }
) & {
  /** Its description in the API documentation. */
  readonly about?: string;
};

export type Described<S> = S extends { readonly is: "text" }
  ? string
  : S extends { readonly is: "integer" | "number" }
    ? number
    : S extends { readonly is: "boolean" }
      ? boolean
      : S extends { readonly is: "word"; readonly of: readonly (infer Word)[] }
        ? Word
        : S extends { readonly is: "record"; readonly of: infer Fields }
          ? { readonly [Name in keyof Fields]: Described<Fields[Name]> }
          : S extends { readonly is: infer Kind; readonly of: infer Inner }
            ? Wrapped<Kind, Described<Inner>>
            : never;

type Wrapped<Kind, T> = Kind extends "list"
  ? readonly T[]
  : Kind extends "nullable"
    ? T | null
    : Kind extends "fact"
      ? Fact<T>
      : readonly Row<T>[];

export const text = { is: "text" } as const;
export const integer = { is: "integer" } as const;
export const number = { is: "number" } as const;
export const boolean = { is: "boolean" } as const;
export const oneOf = <const Words extends readonly string[]>(...of: Words) => ({ is: "word", of }) as const;
export const listOf = <const S extends Shape>(of: S) => ({ is: "list", of }) as const;
export const nullable = <const S extends Shape>(of: S) => ({ is: "nullable", of }) as const;
export const factOf = <const S extends Shape>(of: S) => ({ is: "fact", of }) as const;
export const rowsOf = <const S extends Shape>(of: S) => ({ is: "rows", of }) as const;
export const recordOf = <const Fields extends Readonly<Record<string, Shape>>>(of: Fields) =>
  ({ is: "record", of }) as const;
