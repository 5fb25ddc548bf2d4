// The values of the settings for backups.

import { bucketName, type Kind, keyPrefix } from "./setting-kinds.ts";

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

const ageRecipient = /^age1[a-z0-9]{30,3000}$/;

export const recipient: Kind<string> = {
  takes: "a public key of age, which begins with age1",
  read: (value) => (ageRecipient.test(value) ? value : undefined),
};
