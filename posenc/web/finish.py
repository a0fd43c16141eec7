"""The last steps that the options ask for, each from files to files."""

import os
from pathlib import Path

from posenc.web import bundle, golive
from posenc.web.options import Options, UsageError


def finished(files: dict[str, bytes], asked: Options, root: Path) -> dict[str, bytes]:
    """The site as it is published: addressed, bundled or fingerprinted, with headers, compressed."""
    files = golive.grounded(files, golive.lost_style(root), golive.theme(root))
    if asked.base_url:
        files = golive.live(files, asked.base_url, _modified())
    files = bundle.single_file(files) if asked.single_file else bundle.fingerprinted(files)
    files = golive.headers(files) if asked.headers else files
    return bundle.gzipped(files) if asked.gzip else files


def _modified() -> str | None:
    """The day that SOURCE_DATE_EPOCH names; without it no date is told, for the same bytes every day."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        return golive.day(epoch) if epoch else None
    except ValueError as error:
        raise UsageError(error) from error
