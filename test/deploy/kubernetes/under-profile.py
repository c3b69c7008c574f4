"""Runs a program under a seccomp profile, as a container's runtime does: under-profile.py PROFILE PROGRAM ARGUMENT..."""
import ctypes
import ctypes.util
import json
import os
import sys

NO_NEW_PRIVILEGES = 38
ALLOW = 0x7FFF0000
ERRNO = 0x00050000
COMPARISONS = {"SCMP_CMP_EQ": 4, "SCMP_CMP_MASKED_EQ": 7}


class Comparison(ctypes.Structure):
    _fields_ = [
        ("index", ctypes.c_uint),
        ("op", ctypes.c_int),
        ("value", ctypes.c_uint64),
        ("value_two", ctypes.c_uint64),
    ]


def main(profile_file, *program):
    seccomp = ctypes.CDLL("libseccomp.so.2")
    seccomp.seccomp_init.restype = ctypes.c_void_p
    with open(profile_file, encoding="utf8") as file:
        profile = json.load(file)
    if ctypes.CDLL(None).prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        sys.exit("prctl failed")
    context = ctypes.c_void_p(seccomp.seccomp_init(action(profile, profile["defaultAction"])))
    for rule in profile["syscalls"]:
        comparisons = [comparison(each) for each in rule.get("args", [])]
        for name in rule["names"]:
            number = seccomp.seccomp_syscall_resolve_name(name.encode())
            if number < 0:
                continue
            arguments = (Comparison * len(comparisons))(*comparisons)
            added = seccomp.seccomp_rule_add_array(
                context, action(profile, rule["action"]), number, len(comparisons), arguments
            )
            if added != 0:
                sys.exit(f"{name}: {os.strerror(-added)}")
    loaded = seccomp.seccomp_load(context)
    if loaded != 0:
        sys.exit(f"seccomp_load: {os.strerror(-loaded)}")
    os.execvp(program[0], program)


def action(profile, name):
    return ALLOW if name == "SCMP_ACT_ALLOW" else ERRNO | profile["defaultErrnoRet"]


def comparison(argument):
    return Comparison(
        argument["index"], COMPARISONS[argument["op"]], argument["value"], argument.get("valueTwo", 0)
    )


main(*sys.argv[1:])
