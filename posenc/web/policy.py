"""The content security policy of a page: read, and told what stands in the page itself."""

import base64
import hashlib
import re
from collections.abc import Iterable

Policy = dict[str, list[str]]

_META = re.compile(r'(<meta http-equiv="Content-Security-Policy" content=")([^"]*)(">)')


def of_page(name: str, html: str) -> Policy:
    """What the page's own <meta> says; ValueError when it has none."""
    found = _META.search(html)
    if found is None:
        raise ValueError(f"{name} states no content policy")
    return parse(found[2])


def parse(text: str) -> Policy:
    directives = (directive.split() for directive in text.split(";"))
    return {words[0]: words[1:] for words in directives if words}


def write(policy: Policy) -> str:
    return "; ".join(" ".join([directive, *sources]) for directive, sources in policy.items())


def replaced(html: str, policy: Policy, then: str = "") -> str:
    """The page with another policy, and what is to stand behind it."""
    return _META.sub(lambda found: found[1] + write(policy) + found[3] + then, html, count=1)


def digest(text: str) -> str:
    """The source expression that allows an inline script or style of exactly this text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def allowing(policy: Policy, directive: str, texts: Iterable[str]) -> Policy:
    """The policy that also allows these inline texts."""
    known = [source for source in policy.get(directive, []) if source != "'none'"]
    return {**policy, directive: [*known, *(hashed for hashed in map(digest, texts) if hashed not in known)]}


def alone(policy: Policy) -> Policy:
    """The policy of a page that has no files beside it: what stands in itself, and no 'self'."""
    kept = {name: [source for source in sources if source != "'self'"] for name, sources in policy.items()}
    return {name: sources or ["'none'"] for name, sources in kept.items()}


def union(policies: Iterable[Policy]) -> Policy:
    """A policy under which each of the pages works. Every page must refuse by default what it does not name."""
    merged: Policy = {}
    for policy in policies:
        if policy.get("default-src") != ["'none'"]:
            raise ValueError(f"a policy must begin with default-src 'none', got {write(policy)!r}")
        for directive, sources in policy.items():
            merged.setdefault(directive, []).extend(each for each in sources if each not in merged[directive])
    return {
        name: [source for source in sources if source != "'none'"] or ["'none'"] for name, sources in merged.items()
    }
