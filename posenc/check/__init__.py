"""Check your own table: which convention is it, or which bug? Readers and words are apart from judging."""

from posenc.check.diagnosis import Diagnosis
from posenc.check.judge import diagnose

__all__ = ["Diagnosis", "diagnose"]
