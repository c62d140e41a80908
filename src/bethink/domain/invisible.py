"""Classes of characters that show nothing, as bodies for a regular expression's ``[...]``."""

SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
"""Variation selectors: one after an emoji or ideograph picks a glyph; runs of them smuggle bytes."""

TAGS = "\U000e0000-\U000e007f"
"""Tag characters: an invisible copy of ASCII."""

BIDI_OVERRIDES = "\u202a-\u202e"
"""Embeddings and overrides: they show text in another order than it is read in."""

ZERO_WIDTH = "\u00ad\u034f\u180e\u200b-\u200d\u2060-\u2064\ufeff"
"""Characters without width that split a word for a matcher and not for a reader."""

INVISIBLE = (
    ZERO_WIDTH
    + SELECTORS
    + BIDI_OVERRIDES
    + "\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200e\u200f\u2065-\u206f\u2800\u3164\uffa0\ufff0-\ufffb"
    + "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Everything that shows nothing: format characters (those with a visible sign, such as Arabic number signs, excepted),
variation selectors, fillers, blanks and the whole tag plane."""
