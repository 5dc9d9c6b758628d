"""All rules, in one list that a reader sees whole. Adding one: a function in its family's file, and a line here."""

from __future__ import annotations

from sitemap_guard.model import Level
from sitemap_guard.rules import canonical, history, lastmod, loc, page, sitemap
from sitemap_guard.rules.base import Rule

_ERROR, _WARNING, _INFO, _OFF = Level.ERROR, Level.WARNING, Level.INFO, Level.OFF

RULES: tuple[Rule, ...] = (
    Rule("sitemap-unreadable", _ERROR, sitemap.unreadable),
    Rule("sitemap-namespace", _ERROR, sitemap.namespace),
    Rule("sitemap-too-large", _ERROR, sitemap.too_large),
    Rule("sitemap-element", _ERROR, sitemap.element),
    Rule("sitemap-empty", _WARNING, sitemap.empty),
    Rule("sitemap-index-child", _ERROR, sitemap.index_child),
    Rule("sitemap-gzip-stale", _ERROR, sitemap.gzip_stale),
    Rule("sitemap-robots", _ERROR, sitemap.robots),
    Rule("sitemap-bom", _INFO, sitemap.bom),
    Rule("loc-relative", _ERROR, loc.relative),
    Rule("loc-host", _ERROR, loc.host),
    Rule("loc-scope", _ERROR, loc.scope),
    Rule("loc-length", _ERROR, loc.length),
    Rule("loc-escape", _ERROR, loc.escape),
    Rule("loc-fragment", _WARNING, loc.fragment),
    Rule("loc-tracking", _WARNING, loc.tracking),
    Rule("loc-duplicate", _ERROR, loc.duplicate),
    Rule("page-missing", _ERROR, page.missing),
    Rule("page-redirect", _ERROR, page.redirect),
    Rule("page-noindex", _ERROR, page.noindex),
    Rule("page-disallowed", _ERROR, page.disallowed),
    Rule("page-unreadable", _ERROR, page.unreadable),
    Rule("page-not-html", _INFO, page.not_html),
    Rule("canonical-mismatch", _ERROR, canonical.mismatch),
    Rule("canonical-multiple", _ERROR, canonical.multiple),
    Rule("canonical-outside-head", _ERROR, canonical.outside_head),
    Rule("canonical-relative", _WARNING, canonical.relative),
    Rule("lastmod-format", _ERROR, lastmod.ill_formed),
    Rule("lastmod-placeholder", _ERROR, lastmod.placeholder),
    Rule("lastmod-future", _ERROR, lastmod.future),
    Rule("lastmod-too-new", _ERROR, lastmod.too_new),
    Rule("lastmod-too-old", _ERROR, lastmod.too_old),
    Rule("lastmod-unmatched", _ERROR, lastmod.unmatched),
    Rule("lastmod-overstated", _WARNING, lastmod.overstated),
    Rule("lastmod-unverified", _INFO, lastmod.unverified),
    Rule("lastmod-missing", _OFF, lastmod.missing),
    Rule("history-shallow", _ERROR, history.shallow),
    Rule("history-missing", _ERROR, history.missing),
)

BY_ID = {rule.id: rule for rule in RULES}
FAMILIES = tuple(dict.fromkeys(rule.family for rule in RULES))
