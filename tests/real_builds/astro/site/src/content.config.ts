import { docsLoader } from "@astrojs/starlight/loaders";
import { docsSchema } from "@astrojs/starlight/schema";
import { glob } from "astro/loaders";
import { defineCollection } from "astro:content";

const blog = defineCollection({ loader: glob({ pattern: "**/*.md", base: "./src/data/blog" }) });

export const collections = {
  docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }),
  blog,
  notes: defineCollection({ loader: glob({ pattern: ["*.md", "!draft-*.md"], base: "src/data/notes" }) }),
};
