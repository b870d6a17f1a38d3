import starlight from '@astrojs/starlight'
import { defineConfig } from 'astro/config'

export default defineConfig({
  // Where it will be published; without it there is no sitemap, and all else works.
  ...(process.env['SITE_URL'] === undefined ? {} : { site: process.env['SITE_URL'] }),
  integrations: [
    starlight({
      title: 'Second Wind',
      description: 'Notices a stalled post, acts at most once, and measures whether it helped.',
      sidebar: [
        {
          label: 'Understand',
          items: ['concepts', 'guarantees', 'comparison', 'faq', 'glossary'],
        },
        {
          label: 'Use',
          items: ['cli', 'configuration', 'policies', 'examples', 'api', 'api-reference'],
        },
        { label: 'Run', items: ['operating', 'capacity', 'benchmarks', 'security', 'changelog'] },
        { label: 'Extend', items: ['connectors', 'architecture', 'contributing'] },
        {
          label: 'Decisions',
          collapsed: true,
          items: [{ autogenerate: { directory: 'decisions' } }],
        },
      ],
    }),
  ],
})
