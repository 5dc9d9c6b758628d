"""From facts to verdicts: is a date true, false, or can it not be told?

`windows` says what supports a moment, `judge` gives the verdict on one claim, `closer` brings more evidence for the
few that need it, `listing` judges list pages by what they list, `fit` finds the site's habit and what false dates have
in common, `cures` and `unread` name the remedy, and `judging` runs them over a whole site.
"""
