import { type DirectoryReading, inspectDataDirectory } from "../../../platform/system/data-directory.ts";
import { readTlsFiles, type TlsFiles } from "../../../platform/system/tls-files.ts";
import { createHeading, type DoctorRow, type Examination, type Heading, toSize } from "./row.ts";

const dayMs = 86_400_000;
const renewBeforeDays = 14;

export const examineDataDirectory: Examination = async ({ config }) => {
  const reading = await inspectDataDirectory(config.dataDir);
  return [directoryRow(config.dataDir, reading), diskRow(reading, config.minFreeBytes)];
};

export const examineCertificates: Examination = async ({ config, system, hostName }) => {
  const now = system.now();
  const smtp = createHeading("smtp-certificate", "SMTP certificate");
  const http = createHeading("http-certificate", "HTTPS certificate");
  const webName = config.baseUrl && new URL(config.baseUrl).hostname;
  return Promise.all([
    config.smtpTlsCert && config.smtpTlsKey
      ? certificateRow(smtp, { cert: config.smtpTlsCert, key: config.smtpTlsKey }, hostName, now)
      : smtp.grey(
          "Self-signed certificate: mail is encrypted, but senders cannot verify the server.",
          "MTA-STS needs a certificate from a public CA: set ASSAY_SMTP_TLS_CERT and ASSAY_SMTP_TLS_KEY.",
        ),
    config.httpTlsCert && config.httpTlsKey
      ? certificateRow(http, { cert: config.httpTlsCert, key: config.httpTlsKey }, webName, now)
      : http.grey("HTTPS is turned off.", "Set ASSAY_HTTP_TLS_CERT and ASSAY_HTTP_TLS_KEY, or use a reverse proxy."),
  ]);
};

function directoryRow(dataDir: string, reading: DirectoryReading): DoctorRow {
  const heading = createHeading("data-directory", "Data directory");
  if (reading.ok) return heading.green(`${reading.path} is writable and private.`);
  if (reading.isAbsent) return heading.grey(`${dataDir} does not exist yet. Assay creates it at first start.`);
  return heading.red(reading.problem, "Assay will not start until this is fixed.");
}

function diskRow(reading: DirectoryReading, minFreeBytes: number): DoctorRow {
  const heading = createHeading("disk", "Disk space");
  if (reading.freeBytes === undefined) return heading.grey("Unknown without the data directory.");
  const says = `${toSize(reading.freeBytes)} free. New mail is deferred below ${toSize(minFreeBytes)}.`;
  return reading.freeBytes > minFreeBytes
    ? heading.green(says)
    : heading.red(says, "Free up space, reduce ASSAY_RETENTION_DAYS, or lower ASSAY_MIN_FREE_BYTES.");
}

async function certificateRow(
  heading: Heading,
  files: TlsFiles,
  name: string | null,
  nowMs: number,
): Promise<DoctorRow> {
  const reading = await readTlsFiles(files, nowMs);
  if (!reading.ok) return heading.red(reading.problem, "Install a valid certificate and key. No restart is needed.");
  const { certificate } = reading;
  if (name && certificate.checkHost(name) === undefined)
    return heading.red(`${files.cert} is not valid for ${name}.`, `Get a certificate for ${name}.`);
  const daysLeft = Math.floor((certificate.validToDate.getTime() - nowMs) / dayMs);
  const says = `${files.cert} matches its key${name ? `, is valid for ${name}` : ""} and expires in ${daysLeft} ${daysLeft === 1 ? "day" : "days"}.`;
  return daysLeft < renewBeforeDays ? heading.red(says, "Renew it now.") : heading.green(says);
}
