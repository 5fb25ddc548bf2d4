# Mailman 3 without its daemons: four lists, and the LMTP handler and queue runners that a message goes through. Each line
# of input is a message as JSON; each line of output is its LMTP status, once the lists have sent it on.
# Usage: lists.py <empty folder> <SMTP port>

import json
import os
import pathlib
import sys
from datetime import datetime

folder, port = sys.argv[1], sys.argv[2]
settings = os.path.join(folder, "mailman.cfg")
pathlib.Path(settings).write_text(f"""[mailman]
layout: here
site_owner: owner@lists.example
[paths.here]
var_dir: {folder}/var
queue_dir: $var_dir/queue
bin_dir: $var_dir
list_data_dir: $var_dir/lists
log_dir: $var_dir/logs
lock_dir: $var_dir/locks
data_dir: $var_dir/data
cache_dir: $var_dir/cache
etc_dir: {folder}
ext_dir: $var_dir/ext
messages_dir: $var_dir/messages
archive_dir: $var_dir/archives
template_dir: $var_dir/templates
pid_file: $var_dir/master.pid
lock_file: $lock_dir/master.lck
[mta]
incoming: mailman.mta.null.NullMTA
outgoing: mailman.mta.deliver.deliver
smtp_host: 127.0.0.1
smtp_port: {port}
""")

from mailman.core.initialize import initialize

initialize(settings)

from aiosmtpd.smtp import Envelope
from mailman.app.lifecycle import create_list
from mailman.config import config
from mailman.interfaces.action import Action
from mailman.interfaces.domain import IDomainManager
from mailman.interfaces.member import MemberRole
from mailman.interfaces.usermanager import IUserManager
from mailman.runners.incoming import IncomingRunner
from mailman.runners.lmtp import LMTPHandler
from mailman.runners.outgoing import OutgoingRunner
from mailman.runners.pipeline import PipelineRunner
from zope.component import getUtility

getUtility(IDomainManager).add("lists.example")


def make_list(name, prefix, has_footer):
    """Open to all senders, with one member; the footer is Mailman's own."""
    made = create_list(f"{name}@lists.example", ["owner@lists.example"])
    made.subject_prefix = prefix
    made.default_nonmember_action = Action.accept
    made.max_message_size = 0
    made.max_num_recipients = 0
    made.require_explicit_destination = False
    made.administrivia = False
    made.send_welcome_message = False
    address = getUtility(IUserManager).create_address(f"{name}@sink.example")
    address.verified_on = datetime.now()
    made.subscribe(address, MemberRole.member)
    if not has_footer:
        templates = pathlib.Path(config.TEMPLATE_DIR, "lists", made.list_id, "en")
        templates.mkdir(parents=True)
        (templates / "list:member:regular:footer.txt").write_text("")


make_list("list", "", False)
make_list("list-tag", "[books] ", False)
make_list("list-footer", "", True)
make_list("list-both", "[books] ", True)
config.db.commit()

handler = LMTPHandler()
runners = [IncomingRunner("in"), PipelineRunner("pipeline"), OutgoingRunner("out")]
print("ready", flush=True)
for line in sys.stdin:
    job = json.loads(line)
    envelope = Envelope()
    envelope.mail_from = job["from"]
    envelope.content = pathlib.Path(job["file"]).read_bytes()
    for address in ("list", "list-tag", "list-footer", "list-both"):
        handler._handle_RCPT(None, None, envelope, f"{address}@lists.example", [])
    status = handler._handle_DATA(None, None, envelope)
    for runner in runners:
        while runner._one_iteration():
            pass
    print(json.dumps(status), flush=True)
