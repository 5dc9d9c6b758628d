# Run by `nikola console -p -s tools/sources.py`: writes the manifest, as the documentation shows it.
import csv

with open("sources.csv", "w", newline="", encoding="utf-8") as file:
    rows = csv.writer(file)
    rows.writerow(("url", "path"))
    for post in site.timeline:  # noqa: F821 - the console's own name
        for code in site.config["TRANSLATIONS"]:  # noqa: F821
            rows.writerow((post.permalink(code), post.translated_source_path(code)))
