# What other programs make of a message: dkimpy and libopendkim verify it, dkimpy seals it (ARC), and Python's email
# package rewrites it. Each line of input is a job as JSON, each line of output its answer.
# Usage: mail.py <keys.json> <keys as libopendkim reads them> <private key for the seal>

import base64
import ctypes
import email
import email.encoders
import email.generator
import email._policybase
import io
import json
import pathlib
import sys

import dkim

keys = json.loads(pathlib.Path(sys.argv[1]).read_text())
sealing_key = pathlib.Path(sys.argv[3]).read_bytes()


def look_up(name, timeout=5):
    text = keys.get(name.decode().rstrip(".").lower())
    return None if text is None else text.encode()


def verify_with_dkimpy(raw):
    found = []
    message = dkim.DKIM(raw, minkey=1024)
    for index in range(len([1 for name, _ in message.headers if name.lower() == b"dkim-signature"])):
        try:
            found.append(bool(dkim.DKIM(raw, minkey=1024).verify(idx=index, dnsfunc=look_up)))
        except dkim.DKIMException as error:
            found.append(f"error: {error}")
    return found


opendkim = ctypes.CDLL("libopendkim.so.11")
for name in ("dkim_init", "dkim_verify"):
    getattr(opendkim, name).restype = ctypes.c_void_p
opendkim.dkim_sig_getdomain.restype = ctypes.c_char_p
library = ctypes.c_void_p(opendkim.dkim_init(None, None))
SET, QUERY_METHOD, QUERY_INFO, FROM_FILE, PASSED = 1, 6, 7, 1, 0x04
method = ctypes.c_int(FROM_FILE)
place = sys.argv[2].encode()
opendkim.dkim_options(library, SET, QUERY_METHOD, ctypes.byref(method), ctypes.sizeof(method))
opendkim.dkim_options(library, SET, QUERY_INFO, ctypes.c_char_p(place), len(place))


def verify_with_opendkim(raw):
    status = ctypes.c_int(0)
    handle = ctypes.c_void_p(opendkim.dkim_verify(library, b"1", None, ctypes.byref(status)))
    try:
        opendkim.dkim_chunk(handle, raw, ctypes.c_size_t(len(raw)))
        opendkim.dkim_chunk(handle, None, ctypes.c_size_t(0))
        opendkim.dkim_eom(handle, None)
        signatures = ctypes.POINTER(ctypes.c_void_p)()
        count = ctypes.c_int(0)
        if opendkim.dkim_getsiglist(handle, ctypes.byref(signatures), ctypes.byref(count)) != 0:
            return []
        found = []
        for index in range(count.value):
            signature = ctypes.c_void_p(signatures[index])
            opendkim.dkim_sig_process(handle, signature)
            flags = opendkim.dkim_sig_getflags(signature)
            found.append(bool(flags & PASSED) and opendkim.dkim_sig_getbh(signature) == 0)
        return found
    finally:
        opendkim.dkim_free(handle)


def verify_chain(raw):
    result, _, _ = dkim.arc_verify(raw, dnsfunc=look_up, minkey=1024)
    return result.decode().lower()


def seal(raw):
    noted = b"Authentication-Results: forwarder.example; dkim=pass; arc=%s\r\n" % verify_chain(raw).encode()
    lines = dkim.arc_sign(
        noted + raw, b"arc", b"forwarder.example", sealing_key, b"forwarder.example"
    )
    return b"".join(lines) + noted + raw


class Source(str):
    """The value of a field as it was read."""


class Verbatim(email._policybase.Compat32):
    """Writes fields that weren't changed as they were; what folding does to them is another transit."""

    def header_source_parse(self, lines):
        name, value = lines[0].split(":", 1)
        return name, Source((value + "".join(lines[1:])).rstrip("\r\n"))

    def header_fetch_parse(self, name, value):
        return value.lstrip() if isinstance(value, Source) else value

    def fold_binary(self, name, value):
        space = "" if isinstance(value, Source) else " "
        return f"{name}:{space}{value}\r\n".encode("ascii", "surrogateescape")


def rewrite(raw, change):
    message = email.message_from_bytes(raw, policy=Verbatim())
    for index, part in enumerate(message.walk()):
        change(part, index)
    written = io.BytesIO()
    email.generator.BytesGenerator(written, mangle_from_=False, policy=Verbatim()).flatten(message, linesep="\r\n")
    return written.getvalue()


def renew_boundary(part, index):
    if part.is_multipart() and part.get_boundary():
        part.set_boundary(f"=_python_{index}_7be2")


def recode(part, _):
    coding = part.get("content-transfer-encoding", "7bit").strip().lower()
    if part.get_content_maintype() == "text" and coding != "base64":
        content = part.get_payload(decode=True)
        del part["content-transfer-encoding"]
        part["Content-Transfer-Encoding"] = "base64"
        part.set_payload(base64.encodebytes(content).decode())


def answer(job):
    raw = base64.b64decode(job["raw"])
    if job["do"] == "verify":
        return {
            "dkimpy": verify_with_dkimpy(raw),
            "opendkim": verify_with_opendkim(raw),
            "arc": verify_chain(raw),
        }
    made = {
        "seal": lambda: seal(raw),
        "boundary": lambda: rewrite(raw, renew_boundary),
        "recode": lambda: rewrite(raw, recode),
    }[job["do"]]()
    return {"raw": base64.b64encode(made).decode()}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
