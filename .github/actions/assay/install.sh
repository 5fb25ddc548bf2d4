#!/usr/bin/env bash
# Downloads a release of Assay for Linux, verifies its checksum, and puts the program into INPUT_FOLDER.
# .gitlab/assay.yml has the same text; a test compares them.
set -euo pipefail
fail() {
  echo "assay: $1" >&2
  exit 2
}
version=${INPUT_VERSION#v}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]] || fail "version must be a version like 1.2.3."
# Plain HTTP only from this machine, because whoever changes the archive on its way could change the checksums too.
[[ $INPUT_RELEASE_URL =~ ^(https://[^[:space:]]+|http://127\.0\.0\.1(:[0-9]+)?(/[^[:space:]]*)?)$ ]] ||
  fail "release-url must be an https address."
[[ $INPUT_SHA256 =~ ^([0-9a-f]{64})?$ ]] || fail "sha256 must have 64 lowercase hexadecimal digits."
case "$(uname -s) $(uname -m)" in
  "Linux x86_64") processor=x64 ;;
  "Linux aarch64") processor=arm64 ;;
  *) fail "there is no build for $(uname -s) on $(uname -m)." ;;
esac
name=assay-$version-linux-$processor
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
download() {
  curl --fail --silent --show-error --location --proto-redir =https --retry 3 --max-time 300 \
    --output "$stage/$1" "${INPUT_RELEASE_URL%/}/$1" || fail "cannot download $1 from $INPUT_RELEASE_URL."
}
download "$name.tar.gz"
sum=$INPUT_SHA256
if [ -z "$sum" ]; then
  download SHA256SUMS
  sum=$(awk -v name="$name.tar.gz" '$2 == name { print $1 }' "$stage/SHA256SUMS")
fi
[[ $sum =~ ^[0-9a-f]{64}$ ]] || fail "SHA256SUMS does not list $name.tar.gz."
echo "$sum  $stage/$name.tar.gz" | sha256sum --check --status || fail "the checksum of $name.tar.gz is wrong."
tar -xzf "$stage/$name.tar.gz" -C "$stage" "$name/assay"
mkdir -p "$INPUT_FOLDER"
install -m 755 "$stage/$name/assay" "$INPUT_FOLDER/assay"
