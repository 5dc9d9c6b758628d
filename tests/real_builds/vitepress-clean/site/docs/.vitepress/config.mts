import { writeFileSync } from "node:fs";
import { defineConfig } from "vitepress";

export default defineConfig({
  title: "Docs",
  cleanUrls: true,
  srcExclude: ["drafts/**"],
  // "guide/old-name.md": "guide/no-such-name.md",
  rewrites: {
    "packages/:name/src/:rest*": ":name/:rest*",
    "guide/old-name.md": "guide/new-name.md",
  },
  locales: { root: { label: "English", lang: "en" }, fr: { label: "Français", lang: "fr" } },
  // The manifest: each page and its file, as the documentation shows it.
  buildEnd({ pages, rewrites }) {
    const rows = pages.map((page) => {
      const path = (rewrites.map[page] ?? page).replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, "");
      return `/${path},docs/${page}`;
    });
    writeFileSync("sources.csv", ["url,path", ...rows, ""].join("\n"));
  },
});
