"""Check your own table: which convention is it, or which bug?

Files (readers.py, text.py), judging (judge.py and what it imports) and words (sentences.py) are apart; command.py joins
them. Nothing is imported here, so that --help does not load NumPy.
"""
