import json
from pathlib import Path


def on_env(env, config, files):
    rows = [{"url": file.page.canonical_url, "path": file.src_uri} for file in files.documentation_pages() if file.page]
    Path("sources.json").write_text(json.dumps(rows))
    return env
