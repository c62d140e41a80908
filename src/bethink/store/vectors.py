"""The dense arm's vectors of one scope and space."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def cosines(rows: NDArray[np.float32], query: NDArray[np.float32]) -> NDArray[np.float64]:
    """The cosine of each row to the query, both of length 1, rounded to 1e-6.

    Products are float32 and summed in halves (the second half of the components onto the first, until one is left), so
    the result does not depend on the machine or on which rows are scored together.
    """
    products = rows * query
    width = products.shape[1]
    while width > 1:
        half = width // 2
        products[:, :half] += products[:, width - half : width]
        width -= half
    return products[:, 0].astype(np.float64).round(6)
