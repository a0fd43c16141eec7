"""One head of scaled dot-product self-attention (Vaswani et al. 2017, section 3.2.1), small and seeded."""

from dataclasses import dataclass

import numpy as np

from posenc import checks
from posenc.arrays import Floats

_WORDS, _HEAD = range(2)  # one stream of random numbers each


@dataclass(frozen=True, slots=True)
class Head:
    """Query, key and value matrices, each (d_model, d_model), applied from the right."""

    w_q: Floats
    w_k: Floats
    w_v: Floats


def seeded_head(d_model: int, seed: int) -> Head:
    """Gaussian matrices of variance 1/d_model, so that scores of unit-variance words are of order 1.

    Rounded to four decimals, so that a page can carry the very same numbers. Independent of the words of
    the same seed: they are drawn from another stream.
    """
    d_model = checks.width("d_model", d_model)
    random = np.random.default_rng([seed, _HEAD])
    w_q, w_k, w_v = np.round(random.standard_normal((3, d_model, d_model)) / np.sqrt(d_model), 4)
    return Head(w_q, w_k, w_v)


def seeded_words(n_words: int, d_model: int, seed: int) -> Floats:
    """Unit-variance Gaussian embeddings, shape (n_words, d_model), rounded to four decimals."""
    random = np.random.default_rng([seed, _WORDS])
    return np.asarray(np.round(random.standard_normal((n_words, d_model)), 4))


def weights(x: Floats, head: Head, *, causal: bool = False) -> Floats:
    """Attention weights, shape (n, n), rows adding to 1. With `causal`, no row looks past itself."""
    scores = (x @ head.w_q) @ (x @ head.w_k).T / np.sqrt(x.shape[1])
    if causal:
        scores = np.where(np.tri(len(x), dtype=bool), scores, -np.inf)
    grown = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=1, keepdims=True))


def attend(x: Floats, head: Head, *, causal: bool = False) -> Floats:
    """The head's output for each row of x, shape (n, d_model)."""
    return np.asarray(weights(x, head, causal=causal) @ (x @ head.w_v))
