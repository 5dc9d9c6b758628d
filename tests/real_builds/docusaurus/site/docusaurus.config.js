// routeBasePath: '/wrong'
module.exports = {
  title: 'Example', url: 'https://docusaurus.example.org', baseUrl: '/base/', onBrokenLinks: 'ignore',
  i18n: { defaultLocale: 'en', locales: ['en', 'fr'] },
  presets: [['classic', { docs: { routeBasePath: 'manual' }, blog: { showReadingTime: false, onUntruncatedBlogPosts: 'ignore', onInlineAuthors: 'ignore' }, sitemap: {}, theme: {} }]],
  plugins: [['@docusaurus/plugin-content-docs', { id: 'api', path: 'api', routeBasePath: 'api' }]],
};
