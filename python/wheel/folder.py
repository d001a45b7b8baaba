"""Prints the folder below a prefix in which this Python looks for packages: folder.py PREFIX."""
import os
import site
import sys
import sysconfig

own = os.path.realpath(site.getuserbase()) == os.path.realpath(sys.argv[1])
name = "site-packages" if own else os.path.basename(sysconfig.get_path("purelib"))
print("lib/python%d.%d/%s" % (*sys.version_info[:2], name), end="")
