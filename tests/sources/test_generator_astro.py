"""Astro and Starlight: pages, dynamic routes, collections, Starlight's languages."""

from __future__ import annotations

from trees import mapped, sources

PLAIN = {"astro.config.mjs": "export default defineConfig({})"}
STARLIGHT = {
    "astro.config.mjs": """export default defineConfig({ integrations: [starlight({
        title: 'x', defaultLocale: 'root', // defaultLocale: 'de',
        locales: { root: { label: 'English', lang: 'en' }, fr: { label: 'Français' }, 'pt-br': { label: 'x' } },
    })] })""",
}
DOCS = "src/content/docs/"
CONTENT = "src/content.config.ts"
BY_ID = """---
export async function getStaticPaths() {
  const posts = await getCollection('blog');
  return posts.map((post) => ({ params: { slug: post.id }, props: post }));
}
---"""


def test_pages_go_by_their_paths() -> None:
    files = PLAIN | {
        "src/pages/index.astro": "",
        "src/pages/about.astro": "",
        "src/pages/deep/index.mdx": "",
        "src/pages/_part.astro": "",
        "src/pages/_parts/x.astro": "",
        "src/pages/feed.xml.js": "",
        "README.md": "",
    }
    assert sources(files, "/", "/about", "/deep/", "/_part/", "/_parts/x/", "/README/", prefix="dist") == {
        "/": "src/pages/index.astro",
        "/about": "src/pages/about.astro",
        "/deep/": "src/pages/deep/index.mdx",
        "/_part/": "(no-source)",
        "/_parts/x/": "(no-source)",
        "/README/": "(no-source)",
    }


def test_starlight_shows_what_is_not_translated_in_every_language() -> None:
    files = STARLIGHT | {
        f"{DOCS}index.mdx": "",
        f"{DOCS}Guides/Getting Started.md": "",
        f"{DOCS}Guides/index.md": "",
        f"{DOCS}v1.0.md": "",
        f"{DOCS}moved.md": "---\nslug: else/where\n---\n",
        f"{DOCS}draft.md": "---\ndraft: true\n---\n",
        f"{DOCS}_part.md": "",
        f"{DOCS}fr/index.mdx": "",
        f"{DOCS}fr/Guides/index.md": "",
    }
    paths = ["/", "/guides/getting-started/", "/guides/", "/v10/", "/else/where/", "/moved/", "/draft/", "/_part/",
             "/fr/", "/fr/guides/", "/fr/guides/getting-started/", "/pt-br/", "/pt-br/guides/", "/de/v10/"]  # fmt: skip
    assert list(sources(files, *paths, prefix="dist").values()) == [
        f"{DOCS}index.mdx", f"{DOCS}Guides/Getting Started.md", f"{DOCS}Guides/index.md", f"{DOCS}v1.0.md",
        f"{DOCS}moved.md", "(no-source)", "(no-source)", "(no-source)",
        f"{DOCS}fr/index.mdx", f"{DOCS}fr/Guides/index.md", f"{DOCS}Guides/Getting Started.md",
        f"{DOCS}index.mdx", f"{DOCS}Guides/index.md", "(no-source)",
    ]  # fmt: skip


def test_the_default_language_of_starlight_may_have_a_folder() -> None:
    files = {
        "docs/astro.config.ts": "starlight({ defaultLocale: 'en', locales: { en: { label: 'E' }, fr: { label: 'F' } } })",
        f"docs/{DOCS}en/a.md": "",
        f"docs/{DOCS}en/b.md": "",
        f"docs/{DOCS}fr/a.md": "",
    }
    assert sources(files, "/en/a/", "/fr/a/", "/fr/b/", "/b/", prefix="docs/dist") == {
        "/en/a/": f"docs/{DOCS}en/a.md",
        "/fr/a/": f"docs/{DOCS}fr/a.md",
        "/fr/b/": f"docs/{DOCS}en/b.md",
        "/b/": "(no-source)",
    }


def test_collections_are_found_through_their_routes() -> None:
    files = PLAIN | {
        CONTENT: """
            const blog = defineCollection({ loader: glob({ pattern: ['**/*.{md,mdx}', '!**/draft-*'], base: './src/blog' }) });
            export const collections = { blog, 'notes': defineCollection({ loader: glob({ base: 'notes', pattern: '*.md' }) }),
              people: defineCollection({ loader: file('people.json') }) };""",
        "src/pages/blog/[...slug].astro": BY_ID,
        "src/pages/notes/[name].astro": "getCollection('notes'); ({ params: { name: note.data.handle } })",
        "src/blog/A Post.md": "",
        "src/blog/2024/index.mdx": "",
        "src/blog/own.md": "---\nslug: mine\n---\n",
        "src/blog/draft-x.md": "",
        "notes/n.md": "---\nhandle: the-n\n---\n",
        "src/content/blog/old.md": "",
    }
    assert sources(files, "/blog/a-post/", "/blog/2024/", "/blog/mine/", "/blog/draft-x/", "/notes/the-n/", "/notes/n/", "/blog/old/", prefix="dist") == {
        "/blog/a-post/": "src/blog/A Post.md",
        "/blog/2024/": "src/blog/2024/index.mdx",
        "/blog/mine/": "src/blog/own.md",
        "/blog/draft-x/": "(no-source)",
        "/notes/the-n/": "notes/n.md",
        "/notes/n/": "(no-source)",
        "/blog/old/": "(no-source)",
    }  # fmt: skip


def test_collections_without_a_configuration_are_folders() -> None:
    files = PLAIN | {"src/content/blog/x.md": "", "src/pages/[...slug].astro": BY_ID.replace("post.id", "post.slug")}
    assert sources(files, "/x/", prefix="dist") == {"/x/": "src/content/blog/x.md"}


def test_a_route_that_makes_its_parameter_is_learnt() -> None:
    files = PLAIN | {
        CONTENT: "export const collections = { blog: defineCollection({ loader: glob({ base: 'blog', pattern: '*.md' }) }) }",
        "src/pages/posts/[slug].astro": "getCollection('blog').map((p) => ({ params: { slug: made(p) } }))",
    }
    files |= {f"blog/2024-01-0{n}-p{n}.md": f"---\npubDate: 2024-01-0{n}\n---\n" for n in range(1, 5)}
    paths = [f"/posts/p{n}/" for n in range(1, 5)]
    assert list(sources(files, *paths, prefix="dist").values()) == [f"blog/2024-01-0{n}-p{n}.md" for n in range(1, 5)]


def test_a_route_is_the_source_of_what_no_content_file_makes() -> None:
    files = PLAIN | {
        "src/pages/tags/[tag].astro": "await getCollection('blog')",
        "src/pages/archive/[...page].astro": "paginate(await getCollection('blog'))",
        "src/pages/team/[name].astro": "getStaticPaths = () => [{ params: { name: 'ada' } }]",
        "src/pages/shop/[item].astro": "await fetch('https://shop.example.org')",
        "src/pages/wiki/[page_of].astro": "import { all } from '../../lib/wiki';\nall()",
        "src/lib/wiki.ts": "export const all = () => getCollection('wiki')",
        "src/pages/far/[x].astro": "import { all } from 'some-package';\nconst them = await all();",
        "src/pages/[any].astro": "",
    }
    found = mapped(
        files,
        "/tags/x/",
        "/archive/",
        "/archive/2/",
        "/team/ada/",
        "/shop/tea/",
        "/wiki/x/",
        "/far/x/",
        "/one/",
        prefix="dist",
    )
    assert {path: (one.content, one.kind) for path, one in found.items()} == {
        "/tags/x/": ("src/pages/tags/[tag].astro", "list"),
        "/archive/": ("src/pages/archive/[...page].astro", "list"),
        "/archive/2/": ("src/pages/archive/[...page].astro", "list"),
        "/team/ada/": ("src/pages/team/[name].astro", "page"),
        # Their content is somewhere else.
        "/shop/tea/": ("", "page"),
        "/wiki/x/": ("", "page"),
        "/far/x/": ("", "page"),
        "/one/": ("", "page"),
    }  # fmt: skip
