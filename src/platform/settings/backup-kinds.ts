// The values of the settings for backups.

import { bucketName, integer, type Kind, keyPrefix, listOf } from "./setting-kinds.ts";

/** Where backups go. */
type BackupTarget = { readonly folder: string } | { readonly bucket: string; readonly prefix: string };

export const backupTarget: Kind<BackupTarget> = {
  takes: "an absolute path of a folder, or s3:// with a bucket and an optional prefix, like s3://backups/assay",
  read: (value) => {
    if (value.startsWith("/")) return value.includes("\0") ? undefined : { folder: value };
    if (!value.startsWith("s3://")) return undefined;
    const [name = "", ...rest] = value.slice("s3://".length).replace(/\/$/, "").split("/");
    const prefix = rest.join("/");
    const bucket = bucketName.read(name);
    const isPrefix = prefix === "" || (keyPrefix.read(prefix) !== undefined && !prefix.includes("//"));
    return bucket !== undefined && isPrefix ? { bucket, prefix } : undefined;
  },
  toShown: (value) => {
    if ("folder" in value) return value.folder;
    return `s3://${value.bucket}${value.prefix === "" ? "" : `/${value.prefix}`}`;
  },
};

/** How many days, weeks, and months have their newest backup kept. */
export type Keep = { readonly daily: number; readonly weekly: number; readonly monthly: number };

export const backupKeep: Kind<Keep> = {
  takes: "three numbers up to 1000 for days, weeks, and months, like 7,4,6",
  read: (value) => {
    const numbers = listOf(integer(0, 1_000)).read(value);
    const [daily, weekly, monthly] = numbers ?? [];
    if (numbers?.length !== 3 || daily === undefined || weekly === undefined || monthly === undefined) return undefined;
    return { daily, weekly, monthly };
  },
  toShown: ({ daily, weekly, monthly }) => `${daily},${weekly},${monthly}`,
};

const cronFields = /^\S+(?: \S+){4}$/;

/** Its values are checked by the library that reads it, when it is used. */
export const cronPattern: Kind<string> = {
  takes: "a cron expression with five fields, like 15 3 * * *",
  read: (value) => (value.length <= 100 && cronFields.test(value) ? value : undefined),
};

const ageRecipient = /^age1[a-z0-9]{30,3000}$/;

export const recipient: Kind<string> = {
  takes: "a public key of age, which begins with age1",
  read: (value) => (ageRecipient.test(value) ? value : undefined),
};
