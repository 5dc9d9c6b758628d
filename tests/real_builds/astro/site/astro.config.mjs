import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";

export default defineConfig({
  site: "https://astro.example.org",
  integrations: [
    starlight({
      title: "Docs",
      defaultLocale: "root",
      locales: { root: { label: "English", lang: "en" }, fr: { label: "Français", lang: "fr" } },
    }),
  ],
});
