"""Next.js: both routers, and the content that dynamic routes read."""

from __future__ import annotations

from trees import mapped, sources

CONFIG = {"next.config.mjs": "export default { output: 'export' }"}


def test_the_app_router_leaves_groups_slots_and_private_folders_out() -> None:
    files = CONFIG | {
        "src/app/page.tsx": "",
        "src/app/about/page.mdx": "",
        "src/app/(group)/inner/(other)/page.js": "",
        "src/app/@slot/x/page.tsx": "",
        "src/app/_private/page.tsx": "",
        "src/app/feed/(.)photo/page.tsx": "",
        "src/app/about/layout.tsx": "",
        "src/app/api/route.ts": "",
        "README.md": "",
    }
    assert sources(files, "/", "/about", "/inner/", "/_private", "/feed/photo", "/api", "/README", prefix="out") == {
        "/": "src/app/page.tsx",
        "/about": "src/app/about/page.mdx",
        "/inner/": "src/app/(group)/inner/(other)/page.js",
        "/_private": "(no-source)",
        "/feed/photo": "(no-source)",
        "/api": "(no-source)",
        "/README": "(no-source)",
    }


def test_the_pages_router_goes_by_path_and_page_extension() -> None:
    files = CONFIG | {
        "pages/index.js": "",
        "pages/a.tsx": "",
        "pages/deep/index.mdx": "",
        "pages/_app.js": "",
        "pages/api/x.js": "",
        "pages/a.test.tsx": "",
    }
    assert sources(files, "/", "/a.html", "/deep", "/_app", "/api/x", prefix="out") == {
        "/": "pages/index.js",
        "/a.html": "pages/a.tsx",
        "/deep": "pages/deep/index.mdx",
        "/_app": "(no-source)",
        "/api/x": "(no-source)",
    }
    named = {
        "next.config.js": "module.exports = { pageExtensions: ['page.tsx'] }",
        "pages/a.page.tsx": "",
        "pages/b.tsx": "",
    }
    assert sources(named, "/a", "/b", prefix="out") == {"/a": "pages/a.page.tsx", "/b": "(no-source)"}


def test_content_goes_through_the_routes_that_read_it() -> None:
    files = CONFIG | {
        "app/blog/[slug]/page.tsx": "import { all } from '../../../lib/posts'\nexport const generateStaticParams = () => all()",
        "lib/posts.ts": "const dir = path.join(process.cwd(), 'content', 'posts') // join('content', 'other')\nfs.readdirSync(dir)",
        "app/[lang]/docs/[[...path]]/page.tsx": "import { read } from '@/lib/docs'\nread()",
        "lib/docs.ts": "export const read = () => fs.readdirSync('docs')",
        "content/posts/hello.md": "",
        "content/posts/2024-01-02-dated.mdx": "",
        "content/posts/own.md": "---\nslug: mine\n---\n",
        "content/posts/draft.md": "---\ndraft: true\n---\n",
        "content/other/hello.md": "",
        "docs/en/index.md": "",
        "docs/en/a/b.md": "",
    }
    assert sources(files, "/blog/hello", "/blog/dated", "/blog/mine", "/blog/other", "/en/docs", "/en/docs/a/b", "/fr/docs", prefix="out") == {
        "/blog/hello": "content/posts/hello.md",
        "/blog/dated": "content/posts/2024-01-02-dated.mdx",
        "/blog/mine": "content/posts/own.md",
        "/blog/other": "(no-source)",
        "/en/docs": "docs/en/index.md",
        "/en/docs/a/b": "docs/en/a/b.md",
        "/fr/docs": "(no-source)",
    }  # fmt: skip


def test_contentlayer_tells_the_folder_of_a_document_type() -> None:
    files = CONFIG | {
        "contentlayer.config.ts": """makeSource({ contentDirPath: 'data', documentTypes: [
            defineDocumentType(() => ({ name: 'Post', filePathPattern: `blog/**/*.mdx` })),
            defineDocumentType(() => ({ name: 'Author', filePathPattern: 'authors/*.mdx' })) ] })""",
        "app/blog/[...slug]/page.tsx": "import { allPosts } from 'contentlayer/generated'\nallPosts.map((p) => p.slug)",
        "data/blog/a.mdx": "",
        "data/blog/deep/b.mdx": "",
        "data/authors/c.mdx": "",
    }
    assert sources(files, "/blog/a", "/blog/deep/b", "/blog/c", prefix="out") == {
        "/blog/a": "data/blog/a.mdx",
        "/blog/deep/b": "data/blog/deep/b.mdx",
        "/blog/c": "(no-source)",
    }


def test_one_name_in_two_folders_is_told() -> None:
    files = CONFIG | {
        "app/x/[slug]/page.tsx": "read('posts'); read('drafts')",
        "posts/a.md": "",
        "drafts/a.md": "",
        "drafts/b.md": "",
    }
    assert sources(files, "/x/a", "/x/b", prefix="out") == {"/x/a": "(ambiguous)", "/x/b": "drafts/b.md"}


def test_a_route_is_the_source_of_what_no_content_file_makes() -> None:
    files = CONFIG | {
        "app/team/[name]/page.tsx": "import people from '../../people.json'\nexport const generateStaticParams = () => people",
        "app/people.json": "[]",
        "app/[lang]/contact/page.tsx": "export const generateStaticParams = () => [{ lang: 'en' }]",
        "app/shop/[item]/page.tsx": "await fetch('https://shop.example.org')",
        "app/far/[x]/page.tsx": "import { all } from 'some-cms'\nexport const generateStaticParams = () => all()",
        "app/tags/[tag]/page.tsx": "import { all } from 'some-cms'\nall()",
        "app/[any]/page.tsx": "",
    }
    found = mapped(files, "/team/ada", "/en/contact", "/shop/tea", "/far/x", "/tags/x", "/one", prefix="out")
    assert {path: (one.content, one.kind) for path, one in found.items()} == {
        "/team/ada": ("app/team/[name]/page.tsx", "page"),
        "/en/contact": ("app/[lang]/contact/page.tsx", "page"),
        "/shop/tea": ("", "page"),
        "/far/x": ("", "page"),
        "/tags/x": ("app/tags/[tag]/page.tsx", "list"),
        "/one": ("", "page"),
    }
    assert found["/team/ada"].also == ("app/people.json",)
