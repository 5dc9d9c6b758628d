module.exports = {
  title: "Docs",
  url: "https://docusaurus.example.org",
  baseUrl: "/",
  onBrokenLinks: "ignore",
  i18n: { defaultLocale: "en", locales: ["en", "fr"] },
  presets: [["classic", { docs: { sidebarPath: undefined }, blog: { onUntruncatedBlogPosts: "ignore" }, theme: {} }]],
  plugins: [["@docusaurus/plugin-content-docs", { id: "community", path: "community", routeBasePath: "people", sidebarPath: undefined }]],
};
