"""From facts to verdicts: is a date true, false, or can it not be told?

`facts` is what a judgement starts from, `windows` says what supports a moment, `witnesses` what a date may stand on,
and `judge` gives the verdict on one claim. `closer` and `staging` bring more evidence for the few claims that need it,
`listing` judges list pages by what they list, `fit` finds the site's habit, `causes` what false dates have in common,
`cures` and `unread` name the remedy, and `judging` runs them over a whole site.
"""
